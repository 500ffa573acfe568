"""What is wrong with a filter, pointed at in its text."""

from __future__ import annotations

from collections.abc import Iterable

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import Place

_SHOWN = 100
"""Signs of a text that an error shows at most."""


class FilterError(QueryError):
    """`problem` is a sentence, `excerpt` the line in question with another one below that points at `place` in the text."""

    def __init__(self, problem: str, text: str, place: Place) -> None:
        self.problem = problem
        self.place = place
        self.excerpt = _pointed(text, place)
        super().__init__(f"{problem}\n{self.excerpt}")


def suggestion(text: str, known: Iterable[str]) -> str:
    """What may have been meant, to be put at a sentence's end; empty where nothing comes close.

    >>> suggestion("plaier", ["player", "plies"])
    '; did you mean player?'
    """
    from difflib import get_close_matches

    close = get_close_matches(text.strip().casefold(), {name.casefold(): name for name in known}, n=1)
    by_letters = {name.casefold(): name for name in known}
    return f"; did you mean {by_letters[close[0]]}?" if close else ""


def _pointed(text: str, place: Place) -> str:
    """The part of a text around a place, and a line with carets under the place."""
    line = "".join(" " if sign.isspace() else sign for sign in text)
    begin = max(0, min(place.start - _SHOWN // 2, len(line) - _SHOWN))
    end = min(len(line), begin + _SHOWN)
    before, after = "…" * (begin > 0), "…" * (end < len(line))
    width = max(1, min(place.end, end) - place.start)
    return f"  {before}{line[begin:end]}{after}\n  {' ' * (len(before) + place.start - begin)}{'^' * width}"
