"""Places in a text: lines and columns of offsets."""

from __future__ import annotations

import re
from bisect import bisect_right

from parser.record import Span

_FEED = re.compile("\n")


class Places:
    """Places in a piece of a text: the piece begins at `offset`, in line `line`, which begins at `line_start`."""

    def __init__(self, piece: str, offset: int, line: int, line_start: int) -> None:
        self._offset, self._line = offset, line
        self._starts = [line_start - offset, *(feed.end() for feed in _FEED.finditer(piece))]

    def span(self, start: int, end: int) -> Span:
        """The Span, in the whole text, of the piece's characters from `start` to `end`."""
        row = bisect_right(self._starts, start) - 1
        return Span(start + self._offset, end + self._offset, self._line + row, start - self._starts[row] + 1)

    def last_line(self) -> tuple[int, int]:
        """The line in which the piece ends: its number, and where it begins in the whole text."""
        return self._line + len(self._starts) - 1, self._starts[-1] + self._offset
