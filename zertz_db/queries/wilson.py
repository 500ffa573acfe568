"""Shares with Wilson's confidence interval."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

CONFIDENCE = 0.95
Z = 1.9599639845400536
"""Number of standard deviations on both sides of the mean for this confidence. The module `statistics` takes 5 ms to import."""
ENOUGH = 10
"""Minimum number of games of a share."""


class Rounded(float):
    """A number rounded to four places for programs, with its exact value for people: they see tenths of a per cent, rounded once.

    >>> Rounded(0.57347222), Rounded(0.57347222).exact
    (0.5735, 0.57347222)
    """

    exact: float

    def __new__(cls, value: float) -> Rounded:
        """Round a number."""
        own = super().__new__(cls, round(value, 4))
        own.exact = value
        return own


class Share(NamedTuple):
    """Share between 0 and 1, with its interval of 95 % confidence."""

    share: float
    low: float
    high: float


def share(hits: float, trials: int, enough: int = ENOUGH) -> Share | None:
    """Return the share of `hits` in `trials` with Wilson's score interval (1927); None for fewer than `enough` trials.

    `hits` may hold halves, where a tie counts as one.

    >>> share(50, 100)
    Share(share=0.5, low=0.4038, high=0.5962)
    >>> share(0, 4) is None
    True
    """
    if trials < max(enough, 1):
        return None
    part, weight = hits / trials, 1 + Z * Z / trials
    middle = (part + Z * Z / (2 * trials)) / weight
    half = Z * sqrt(part * (1 - part) / trials + Z * Z / (4 * trials * trials)) / weight
    return Share(*(Rounded(value) for value in (part, max(0.0, middle - half), min(1.0, middle + half))))
