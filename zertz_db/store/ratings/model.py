"""The model of ratings: how a game moves the estimates of two players' strength.

The model is Bradley and Terry's with a normal belief about each player's strength, moved by each game (Weng and Lin, "A Bayesian
approximation method for online ranking", Journal of Machine Learning Research 12, 2011, algorithm 1). Its scale is set so that between
players who are known well 400 points are odds of ten to one. The package `openskill` has it too, for teams of any size; for two players
it takes ten times as long, which a million games can't bear, and the tests hold ours to it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from math import exp, log, log10, sqrt
from typing import NamedTuple, TypeAlias

START = 1500
"""Initial rating of a player."""
UNKNOWN = 350
"""Deviation of the initial rating."""
SPREAD = 400 / log(10) / sqrt(2)
"""Deviation of a player's form from game to game; with it 400 points are odds of ten to one."""
DRIFT = SPREAD / 50
"""Deviation of the change in a player's strength between two games."""
KNOWN = 150
"""Largest deviation of a rating that says something: after about thirty games against equals."""
RATED_KINDS = ("human", "bot")

_MIN_REMAINING = 1e-4
"""Minimum share of a variance that remains after a game."""


class Belief(NamedTuple):
    """Estimate of a player's strength, and its standard deviation."""

    strength: float
    deviation: float


NEWCOMER = Belief(START, UNKNOWN)
"""The estimate of a player without a rated game."""

Beliefs: TypeAlias = dict[int, Belief]
"""The estimates of players by their ids."""


class DatedGame(NamedTuple):
    """Game whose date is known. players: their ids, None for a guest or an unknown name. winner: 1, 2, 0 for none, None for unknown."""

    id: int
    date: dt.date
    players: tuple[int | None, int | None]
    winner: int | None

    @property
    def is_rated(self) -> bool:
        """Return whether the game moves ratings: it has a result and two different players who are not guests."""
        one, other = self.players
        return self.winner is not None and one is not None and other is not None and one != other


class Step(NamedTuple):
    """Game with the estimates of both players before and after it. before: None without an earlier rated game, and for guests."""

    game: DatedGame
    before: tuple[Belief | None, Belief | None]
    after: tuple[Belief | None, Belief | None]


def rate_in_order(games: Iterable[DatedGame], known: Beliefs | None = None) -> Iterator[Step]:
    """Yield each game with the estimates before and after it. games: in the order in which they were played.

    known: the estimates before the first game, brought up to date with each game; default: none.
    """
    known = {} if known is None else known
    for game in games:
        one, other = (None if player is None else known.get(player) for player in game.players)
        before = after = one, other
        if game.is_rated:
            after = update_beliefs((one or NEWCOMER, other or NEWCOMER), game.winner or 0)
            known.update(zip(game.players, after, strict=True))  # type: ignore[arg-type] # rated games have two players
        yield Step(game, before, after)


def update_beliefs(before: tuple[Belief, Belief], winner: int) -> tuple[Belief, Belief]:
    """Return the estimates of two players after a game between them. winner: 1, 2, or 0 for none.

    >>> winner, loser = update_beliefs((Belief(1500, 350), Belief(1500, 350)), winner=1)
    >>> round(winner.strength), round(winner.deviation), round(loser.strength)
    (1617, 337, 1383)
    """
    one, other = before
    variances = one.deviation**2 + DRIFT**2, other.deviation**2 + DRIFT**2
    scale = sqrt(sum(variances) + 2 * SPREAD**2)
    expected = 1 / (1 + exp((other.strength - one.strength) / scale))
    surprise = _SCORES[winner] - expected
    uncertainty = expected * (1 - expected)
    return (
        _update(one.strength, variances[0], scale, surprise, uncertainty),
        _update(other.strength, variances[1], scale, -surprise, uncertainty),
    )


_SCORES = (0.5, 1.0, 0.0)
"""Score of player 1, by winner."""


def _update(strength: float, variance: float, scale: float, surprise: float, uncertainty: float) -> Belief:
    relative = sqrt(variance) / scale
    left = max(1 - relative**3 * uncertainty, _MIN_REMAINING)
    return Belief(strength + variance / scale * surprise, sqrt(variance * left))


def expect_score(one: Belief, other: Belief) -> float:
    """Return the expected score of the first of two players, from 0 to 1.

    >>> round(expect_score(Belief(1900, 0), Belief(1500, 0)), 3)
    0.909
    """
    scale = sqrt(one.deviation**2 + other.deviation**2 + 2 * SPREAD**2)
    return 1 / (1 + exp((other.strength - one.strength) / scale))


def rate_performance(opponents: float, points: float, games: int) -> int:
    """Return the rating that a score suggests: that of a player who is expected to reach it against these opponents.

    opponents: their mean rating. points: of these games, a tie is half a point. A tie against an equal opponent is added, so that a
    clean sweep has a finite value.

    >>> rate_performance(1500, 5, 10), rate_performance(1500, 10, 10), rate_performance(1500, 0, 10)
    (1500, 2029, 971)
    """
    share = (points + 0.5) / (games + 1)
    return round(opponents + 400 * log10(share / (1 - share)))
