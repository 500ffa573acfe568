"""Shares with what is not known about them: Wilson's interval for a share that was counted."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
"""So many standard deviations to both sides of the mean hold that much."""
ENOUGH = 10
"""A share of fewer games than this says nothing, and is not given."""


class Share(NamedTuple):
    """A share between 0 and 1, and the interval that holds the true one with 95 % confidence."""

    share: float
    low: float
    high: float


def share(hits: float, trials: int, enough: int = ENOUGH) -> Share | None:
    """The share of `hits` in `trials` with Wilson's score interval (1927); None for fewer trials than `enough`.

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
    return Share(*(round(value, 4) for value in (part, max(0.0, middle - half), min(1.0, middle + half))))
