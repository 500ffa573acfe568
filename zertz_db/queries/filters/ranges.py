"""Parse dates (a year, a month or a day); make conditions of ranges of whole numbers."""

from __future__ import annotations

import calendar
import datetime as dt
import re

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ast import Range
from zertz_db.queries.filters.player_conditions import Condition, all_of

_DATE = compile_on_use(r"(\d{4})(?:[.-](\d{1,2})(?:[.-](\d{1,2}))?)?")


def days(text: str) -> tuple[dt.date, dt.date]:
    """Return the first and the last day of a year, a month or a day: `2010`, `2010.05`, `2010-05-01`. QueryError for other texts.

    >>> [str(day) for day in days("2012.02")]
    ['2012-02-01', '2012-02-29']
    """
    match = _DATE.fullmatch(text.strip())
    if not match:
        raise QueryError(f"invalid date {text!r}; write a year, a month or a day: 2010, 2010.05 or 2010-05-01")
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        first = dt.date(year or 0, month or 1, day or 1)
    except ValueError as error:
        raise QueryError(f"there is no date {text}: {error}") from error
    if month is None:
        return first, first.replace(month=12, day=31)
    if day is None:
        return first, first.replace(day=calendar.monthrange(first.year, month)[1])
    return first, first


def within(value: str, wanted: Range, noun: str, usual: int = 20) -> Condition:
    """Return the condition that a value (SQL) is in a range. QueryError for an empty range and for no number.

    noun: what is counted. usual: a frequent number, for the example of an error message.

    >>> within("plies", Range("20", None, strict=True), "plies")
    ('plies > ?', [20])
    """
    low, high = (_number(end, noun, usual) if end is not None else None for end in (wanted.low, wanted.high))
    if low is not None and high is not None and low > high:
        raise QueryError(f"the range of {noun} is empty: {low} is more than {high}")
    equal = "" if wanted.strict else "="
    ends: list[tuple[str, int | None]] = [(">", low), ("<", high)]
    return all_of([(f"{value} {sign}{equal} ?", [end]) for sign, end in ends if end is not None])


def _number(text: str, noun: str, usual: int) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()):
        raise QueryError(
            f"invalid number of {noun} {text!r}; write {usual}, {usual}..{2 * usual}, <{usual} or >={usual}"
        )
    return int(text)
