"""Rank the players of a tournament: points, tie-breaks and performance. Plain Python, without a database."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, groupby
from typing import NamedTuple

from zertz_db.store.ratings.model import rate_performance

TIE_BREAKS = ("sonneborn_berger", "buchholz", "direct", "wins")
"""Tie-breaks in the order used, after points."""


class TournamentGame(NamedTuple):
    """Game between two different, known players.

    points: of both players, None without a result. ratings: before the game, None if unknown. day: None if not exactly known.
    """

    players: tuple[str, str]
    points: tuple[float, float] | None
    round: str | None = None
    ratings: tuple[int | None, int | None] = (None, None)
    day: dt.date | None = None
    site: str | None = None


@dataclass(slots=True)
class Standing:
    """Place of a player. rank: shared by players who are equal in points and all tie-breaks. games: with a result."""

    player: str
    points: float = 0
    games: int = 0
    unfinished: int = 0
    sonneborn_berger: float = 0
    buchholz: float = 0
    direct: float | None = None
    wins: int = 0
    performance: int | None = None
    rank: int = 0
    finished: list[tuple[str, float, int | None]] = field(default_factory=list)
    """Opponent, points and the opponent's rating of each game with a result."""

    @property
    def order(self) -> tuple[float, ...]:
        """Return the values that decide the rank, the smallest first."""
        return (-self.points, -self.sonneborn_berger, -self.buchholz, -(self.direct or 0), -self.wins)


def rank_players(games: Iterable[TournamentGame], unplayed: Mapping[str, float] | None = None) -> list[Standing]:
    """Return the standings, best first; players of the same rank by name.

    unplayed: further points by player, from rounds without a game. They count as points, also for tie-breaks, and not as wins.

    - Sonneborn-Berger: for each game, the opponent's points times the own points.
    - Buchholz: the sum of the opponents' points, counted for each game.
    - Direct encounter: points in the games among the players who are equal so far, if each of them has met all the others.
    - Wins: the number of games won.

    Games without a result count for nothing but `unfinished`.
    """
    standings = _count_points(games)
    for name, points in (unplayed or {}).items():
        standings.setdefault(name, Standing(name)).points += points
    for standing in standings.values():
        _sum_over_opponents(standing, standings)
    ordered = sorted(standings.values(), key=_so_far)
    for _, equals in groupby(ordered, key=_so_far):
        _compare_directly([*equals])
    ordered.sort(key=lambda one: (one.order, one.player.casefold(), one.player))
    for number, standing in enumerate(ordered, 1):
        before = ordered[number - 2] if number > 1 else None
        standing.rank = before.rank if before is not None and before.order == standing.order else number
    return ordered


def _count_points(games: Iterable[TournamentGame]) -> dict[str, Standing]:
    standings: dict[str, Standing] = {}
    for game in games:
        for own, other in ((0, 1), (1, 0)):
            name = game.players[own]
            standing = standings.setdefault(name, Standing(name))
            if game.points is None:
                standing.unfinished += 1
            else:
                standing.games += 1
                standing.points += game.points[own]
                standing.wins += game.points[own] == 1
                standing.finished.append((game.players[other], game.points[own], game.ratings[other]))
    return standings


def _sum_over_opponents(standing: Standing, standings: dict[str, Standing]) -> None:
    for opponent, points, _ in standing.finished:
        standing.buchholz += standings[opponent].points
        standing.sonneborn_berger += standings[opponent].points * points
    rated = [(points, rating) for _, points, rating in standing.finished if rating is not None]
    if rated:
        mean = sum(rating for _, rating in rated) / len(rated)
        standing.performance = rate_performance(mean, sum(points for points, _ in rated), len(rated))


def _so_far(standing: Standing) -> tuple[float, ...]:
    return (-standing.points, -standing.sonneborn_berger, -standing.buchholz)


def _compare_directly(equals: Sequence[Standing]) -> None:
    """Set the direct encounters of players who are equal before this tie-break, unless two of them have not met."""
    if len(equals) < 2:
        return
    among: dict[str, dict[str, float]] = {one.player: defaultdict(float) for one in equals}
    for one in equals:
        for opponent, points, _ in one.finished:
            if opponent in among:
                among[one.player][opponent] += points
    if all(other.player in among[one.player] for one, other in combinations(equals, 2)):
        for one in equals:
            one.direct = sum(among[one.player].values())
