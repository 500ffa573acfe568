"""Partial dates of records as ranges of days; times of annotations as UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta


def date_range(text: str | None) -> tuple[date | None, date | None]:
    """Return the first and the last day that a date such as `2004.??.??` can be; both None without a year.

    >>> date_range("2004.02.??")
    (datetime.date(2004, 2, 1), datetime.date(2004, 2, 29))
    """
    parts = (text or "").split(".")
    if not parts[0].isdecimal():
        return None, None
    year = int(parts[0])
    month = int(parts[1]) if len(parts) > 1 and parts[1].isdecimal() else None
    day = int(parts[2]) if len(parts) > 2 and parts[2].isdecimal() and month else None
    try:
        first = date(year, month or 1, day or 1)
        if day:
            return first, first
        following = date(year + 1, 1, 1) if month in (None, 12) else date(year, (month or 1) + 1, 1)
    except (ValueError, OverflowError):
        return None, None
    return first, following - timedelta(days=1)


def utc_now() -> datetime:
    """Return the current time as the database stores it: UTC without a zone, in whole seconds."""
    return datetime.now(UTC).replace(tzinfo=None, microsecond=0)


def utc_time(text: object) -> datetime:
    """Return a time in ISO 8601 as the database stores it: UTC without a zone. Raise TypeError or ValueError if it is invalid.

    >>> utc_time("2026-05-01T14:30:00+02:00")
    datetime.datetime(2026, 5, 1, 12, 30)
    """
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a time")
    time = datetime.fromisoformat(text)
    return time if time.tzinfo is None else time.astimezone(UTC).replace(tzinfo=None)
