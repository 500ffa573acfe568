"""Turn the score of a match into a difference of ratings, with its interval.

A share s of the points (a tie counts half) is a difference of 400·log10(s / (1 - s)) Elo points. The interval is that of Wilson for the
share, with its ends turned into differences. Ties make the true interval narrower, so this one is cautious.
"""

from __future__ import annotations

from math import inf, log10, sqrt
from statistics import NormalDist
from typing import NamedTuple

Z = NormalDist().inv_cdf(0.975)
"""Standard deviations on both sides of the mean for 95 % confidence."""


class Difference(NamedTuple):
    """The Elo points by which A is stronger than B, with the ends of the interval of 95 % confidence; infinite for a clean sweep."""

    elo: float
    low: float
    high: float

    def reversed(self) -> Difference:
        """Return the points by which B is stronger than A."""
        return Difference(-self.elo, -self.high, -self.low)


def to_elo(share: float) -> float:
    """Return the difference of ratings of a share of the points.

    >>> round(to_elo(0.75)), to_elo(0.5), to_elo(1)
    (191, 0.0, inf)
    """
    if share <= 0:
        return -inf
    return inf if share >= 1 else 400 * log10(share / (1 - share))


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return the ends of Wilson's 95 % interval of the share of the points. There must be a game."""
    share, weight = points / games, 1 + Z * Z / games
    middle = share + Z * Z / (2 * games)
    half = Z * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    low, high = (middle - half) / weight, (middle + half) / weight
    return max(0.0, low) if points else 0.0, min(1.0, high) if points < games else 1.0


def difference(wins: int, ties: int, losses: int) -> Difference | None:
    """Return the difference of ratings that a score suggests; None without a game.

    >>> [round(number) for number in difference(60, 0, 40)]
    [70, 1, 139]
    """
    games = wins + ties + losses
    if not games:
        return None
    points = wins + ties / 2
    low, high = wilson(points, games)
    return Difference(to_elo(points / games), to_elo(low), to_elo(high))
