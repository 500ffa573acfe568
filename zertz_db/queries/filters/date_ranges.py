"""Parse dates: a year, a month or a day."""

from __future__ import annotations

import calendar
import datetime as dt
import re

from zertz_db.queries.errors import QueryError

_DATE = re.compile(r"(\d{4})(?:[.-](\d{1,2})(?:[.-](\d{1,2}))?)?")


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
