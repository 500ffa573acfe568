"""Conditions on the ratings of players before a game, as SQL."""

from __future__ import annotations

from collections.abc import Callable

from zertz_db.queries.filters.ast import Range
from zertz_db.queries.filters.player_conditions import Condition, all_of
from zertz_db.queries.filters.ranges import within

RATING_FIELDS = ("rating", "rating-first", "rating-second", "rating-diff", "rating-deviation")
"""Fields that only games with stored ratings can match."""
RATED = "_game.id IN (SELECT game FROM _rating WHERE {where})"
_USUAL = 1800
"""A frequent rating, for the examples of error messages."""


def ratings_within(*values: str, usual: int = _USUAL) -> Callable[[Range], Condition]:
    """Return a function that returns the condition that each of these values (SQL over `_rating`) is in a range.

    The function raises QueryError for an invalid range.
    """

    def ask(wanted: Range) -> Condition:
        where, numbers = all_of([within(value, wanted, "points", usual) for value in values])
        return RATED.format(where=where), numbers

    return ask
