"""The model of ratings: how a game moves the estimates of two players' strength.

The model is Bradley and Terry's with a normal belief about each player's strength, moved by each game (Weng and Lin, "A Bayesian
approximation method for online ranking", Journal of Machine Learning Research 12, 2011, algorithm 1). Its scale is set so that between
players who are known well 400 points are odds of ten to one. The package `openskill` has it too, for teams of any size; for two players
it takes ten times as long, which a million games can't bear, and the tests hold ours to it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from math import log10
from typing import NamedTuple

from zertz_db.store.ratings.rating_kernel import START, UNKNOWN, move_ratings

KNOWN = 150
"""Largest deviation of a rating that says something: after about thirty games against equals."""
RATED_KINDS = ("human", "bot")


class Belief(NamedTuple):
    """Estimate of a player's strength, and its standard deviation."""

    strength: float
    deviation: float


NEWCOMER = Belief(START, UNKNOWN)
"""The estimate of a player without a rated game."""


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


def rate_in_order(games: Iterable[DatedGame]) -> Iterator[Step]:
    """Yield each game with the estimates before and after it. games: in the order in which they were played."""
    known: dict[int | None, Belief] = {}
    for game in games:
        one, other = game.players
        before = after = known.get(one), known.get(other)
        if game.is_rated:
            after = update_beliefs((before[0] or NEWCOMER, before[1] or NEWCOMER), game.winner or 0)
            known[one], known[other] = after
        yield Step(game, before, after)


def update_beliefs(before: tuple[Belief, Belief], winner: int) -> tuple[Belief, Belief]:
    """Return the estimates of two players after a game between them. winner: 1, 2, or 0 for none.

    >>> winner, loser = update_beliefs((Belief(1500, 350), Belief(1500, 350)), winner=1)
    >>> round(winner.strength), round(winner.deviation), round(loser.strength)
    (1617, 337, 1383)
    """
    one, other = before
    values = move_ratings(one.strength, one.deviation, other.strength, other.deviation, winner)
    return Belief(*values[:2]), Belief(*values[2:])


def rate_performance(opponents: float, points: float, games: int) -> int:
    """Return the rating that a score suggests: that of a player who is expected to reach it against these opponents.

    opponents: their mean rating. points: of these games, a tie is half a point. A tie against an equal opponent is added, so that a
    clean sweep has a finite value.

    >>> rate_performance(1500, 5, 10), rate_performance(1500, 10, 10), rate_performance(1500, 0, 10)
    (1500, 2029, 971)
    """
    share = (points + 0.5) / (games + 1)
    return round(opponents + 400 * log10(share / (1 - share)))
