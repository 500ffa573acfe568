"""Find lines and columns of offsets in a text."""

from __future__ import annotations

import re
from bisect import bisect_right

from zertz_db.parser.record import Span

_FEED = re.compile("\n")


class Places:
    """Lines and columns in a piece of a text: the piece begins at `offset`, in line `line`, which begins at `line_start`."""

    def __init__(self, piece: str, offset: int, line: int, line_start: int) -> None:
        self._offset, self._line = offset, line
        self._starts = [line_start - offset, *(feed.end() for feed in _FEED.finditer(piece))]

    def span(self, start: int, end: int) -> Span:
        """Return the Span, in the whole text, of the piece's characters from `start` to `end`."""
        row = bisect_right(self._starts, start) - 1
        return Span(start + self._offset, end + self._offset, self._line + row, start - self._starts[row] + 1)

    @classmethod
    def of(cls, piece: str, span: Span) -> Places:
        """Return the index of a piece that has this Span in the whole text."""
        return cls(piece, span.start, span.line, span.start - span.column + 1)


class PlacesInOrder:
    """Lines and columns of a text, mostly queried in order."""

    def __init__(self, text: str, begin: Span = Span(0, 0, 1, 1)) -> None:  # noqa: B008 - it is immutable
        """Index `text` from the start of a known Span."""
        self._text = text
        self._first = self._last = (begin.start, begin.line, begin.start - begin.column + 1)
        """First and last queried place: an offset, its line, and the start of that line."""

    def span(self, start: int, end: int) -> Span:
        """Return the Span from one offset to another."""
        offset, line, line_start = self._last if start >= self._last[0] else self._first
        breaks = self._text.count("\n", offset, start)
        if breaks:
            line += breaks
            line_start = self._text.rindex("\n", offset, start) + 1
        self._last = (start, line, line_start)
        return Span(start, end, line, start - line_start + 1)
