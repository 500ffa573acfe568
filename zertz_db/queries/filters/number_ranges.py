"""Conditions of ranges of whole numbers."""

from __future__ import annotations

import re

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import Range
from zertz_db.queries.filters.player_conditions import Condition, all_of


def within(value: str, wanted: Range, noun: str) -> Condition:
    """Return the condition that a value (SQL) is in a range. noun: what is counted. QueryError for an empty range and for no number.

    >>> within("plies", Range("20", None, strict=True), "plies")
    ('plies > ?', [20])
    """
    low, high = (_number(end, noun) if end is not None else None for end in (wanted.low, wanted.high))
    if low is not None and high is not None and low > high:
        raise QueryError(f"the range of {noun} is empty: {low} is more than {high}")
    equal = "" if wanted.strict else "="
    ends: list[tuple[str, int | None]] = [(">", low), ("<", high)]
    return all_of([(f"{value} {sign}{equal} ?", [end]) for sign, end in ends if end is not None])


def _number(text: str, noun: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()):
        raise QueryError(f"invalid number of {noun} {text!r}; write 20, 20..40, <20 or >=20")
    return int(text)
