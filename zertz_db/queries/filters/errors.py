"""Errors in filters, with a pointer into the text."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import Place

_SHOWN = 100
"""Maximum number of characters of an excerpt."""


class FilterError(QueryError):
    """Invalid filter. `problem`: a sentence. `excerpt`: the text, and a line below it that points at `place`."""

    def __init__(self, problem: str, text: str, place: Place) -> None:
        self.problem = problem
        self.place = place
        self.excerpt = _pointed(text, place)
        super().__init__(f"{problem}\n{self.excerpt}")


def suggestion(text: str, known: Iterable[str]) -> str:
    """Return a suggestion for the end of a sentence; empty if no known text is close.

    >>> suggestion("plaier", ["player", "plies"])
    '; did you mean player?'
    """
    close = get_close_matches(text.strip().casefold(), {name.casefold(): name for name in known}, n=1)
    by_letters = {name.casefold(): name for name in known}
    return f"; did you mean {by_letters[close[0]]}?" if close else ""


def _pointed(text: str, place: Place) -> str:
    """Return the part of a text around a place, and a line with carets under the place."""
    line = "".join(" " if character.isspace() else character for character in text)
    begin = max(0, min(place.start - _SHOWN // 2, len(line) - _SHOWN))
    end = min(len(line), begin + _SHOWN)
    before, after = "…" * (begin > 0), "…" * (end < len(line))
    width = max(1, min(place.end, end) - place.start)
    return f"  {before}{line[begin:end]}{after}\n  {' ' * (len(before) + place.start - begin)}{'^' * width}"
