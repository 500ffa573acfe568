"""How shares are told to people, everywhere alike: in per cent, with the interval that holds the true one. Programs get fractions."""

from __future__ import annotations

from zertz_db.queries.result import Column, Result

_SHARE_COLUMNS = ["share", "low", "high"]
"""The columns that hold a share and its interval, side by side."""


class Percent(float):
    """A share that is printed in per cent.

    >>> print(Percent(0.625))
    62.5%
    """

    def __str__(self) -> str:
        """The share in per cent, to a tenth."""
        return f"{self:.1%}"


def to_percent(share: float | None) -> Percent | None:
    """A share for people, None where there is none."""
    return None if share is None else Percent(share)


def format_interval(low: float | None, high: float | None) -> str | None:
    """An interval for people, None where there is none.

    >>> format_interval(0.4038, 0.5962)
    '40.4–59.6%'
    """
    return None if low is None or high is None else f"{100 * low:.1f}–{Percent(high)}"


def format_shares(result: Result) -> Result:
    """A table for people: where it has a share with its bounds, these are per cent and an interval."""
    if "share" not in result.names:
        return result
    at = result.names.index("share")
    if result.names[at : at + 3] != _SHARE_COLUMNS:
        return result
    columns = *result.columns[: at + 1], Column("interval"), *result.columns[at + 3 :]
    rows = [
        (*row[:at], to_percent(row[at]), format_interval(row[at + 1], row[at + 2]), *row[at + 3 :])
        for row in result.rows
    ]
    return Result(columns, rows)
