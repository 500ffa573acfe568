"""Format numbers for people: shares in per cent, with the confidence interval, and courses as curves. Programs get plain numbers."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.queries.result import Column, Result
from zertz_db.queries.wilson import Rounded

_SHARE_COLUMNS = ["share", "low", "high"]
"""Columns of a share and its interval, in this order."""


class Percent(float):
    """Share that prints in per cent.

    >>> print(Percent(0.625))
    62.5%
    """

    def __str__(self) -> str:
        """Return the share in per cent, to a tenth."""
        return f"{self:.1%}"


def to_percent(share: float | None) -> Percent | None:
    """Return a share as Percent; None for None."""
    return None if share is None else Percent(_get_exact(share))


def format_interval(low: float | None, high: float | None) -> str | None:
    """Return an interval as text; None if a bound is None.

    >>> format_interval(0.4038, 0.5962)
    '40.4–59.6%'
    """
    return None if low is None or high is None else f"{100 * _get_exact(low):.1f}–{Percent(_get_exact(high))}"


def _get_exact(number: float) -> float:
    return number.exact if isinstance(number, Rounded) else number


DEVIATIONS = "±: two deviations; the true strength is within them with 95 % confidence"
"""The legend of a table that `format_deviations` returns."""


def format_deviations(result: Result) -> Result:
    """Return a table for people: a standard deviation of a rating becomes the two deviations of `DEVIATIONS`."""
    if "deviation" not in result.names:
        return result
    at = result.names.index("deviation")
    columns = *result.columns[:at], Column("±", DEVIATIONS), *result.columns[at + 1 :]
    return Result(columns, [(*row[:at], row[at] and 2 * row[at], *row[at + 1 :]) for row in result.rows])


def format_shares(result: Result) -> Result:
    """Return a table for people: a share with its bounds becomes per cent and an interval."""
    if "share" not in result.names:
        return result
    if "usual" in result.names:
        result = _format_usual(result)
    at = result.names.index("share")
    if result.names[at : at + 3] != _SHARE_COLUMNS:
        return result
    columns = *result.columns[: at + 1], Column("interval"), *result.columns[at + 3 :]
    rows = [
        (*row[:at], to_percent(row[at]), format_interval(row[at + 1], row[at + 2]), *row[at + 3 :])
        for row in result.rows
    ]
    return Result(columns, rows)


def _format_usual(result: Result) -> Result:
    """Return a table whose column `usual`, the share of all games, is in per cent."""
    at = result.names.index("usual")
    return Result(result.columns, [(*row[:at], to_percent(row[at]), *row[at + 1 :]) for row in result.rows])


_BLOCKS = "▁▂▃▄▅▆▇█"
_CURVE_WIDTH = 60
"""Maximum number of characters of a curve."""


def draw_curve(numbers: Sequence[int]) -> str:
    """Return a curve of numbers in one line, each character the last of its share of them; empty without numbers.

    >>> draw_curve([1500, 1520, 1700, 1640])
    '▁▂█▆'
    """
    width = min(len(numbers), _CURVE_WIDTH)
    shown = [numbers[(cell + 1) * len(numbers) // width - 1] for cell in range(width)]
    if not shown:
        return ""
    low, high = min(shown), max(shown)
    return "".join(_BLOCKS[round((number - low) / (high - low or 1) * (len(_BLOCKS) - 1))] for number in shown)
