"""Whole-history ratings: the strength of each player on each day, from all games before and after that day.

The model is Coulom's ("Whole-History Rating: a Bayesian rating system for players of time-varying strength", 2008), computed by the
package `whr`, which comes with the extra `history`. Its scale is that of the other ratings: 1500 for a player of whom nothing is known,
400 points more are odds of ten to one.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any, NamedTuple

from zertz_db.errors import BrokenEnvironment
from zertz_db.extras import install_hint
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.players.player_list import Player, find_player, name_players
from zertz_db.queries.result import Column, Result
from zertz_db.queries.sql_params import insert_values
from zertz_db.store.folder.database import Database
from zertz_db.store.ratings.dated_games import read_dated_games
from zertz_db.store.ratings.model import NEWCOMER, RATED_KINDS, Belief, DatedGame
from zertz_db.store.ratings.rating_kernel import START

VARIANCE = 30.0
"""Variance of a player's change in strength from one day to the next, in points; `tests.bench.players.bench_ratings` compares others."""
PASSES = 50
"""Number of passes over all players; more change no rating by a point."""
_WINNERS = "DBW"
"""Letters of the package, by winner: none, player 1, player 2."""

RATINGS = (
    Column("name", "the player"),
    Column("kind", "human or bot"),
    Column("rating", "the estimate of the strength on the day asked for, or on the day of the player's last game"),
    Column("deviation", "the standard deviation of that estimate"),
    Column("at_least", "the rating minus two deviations; the list is sorted by it"),
    Column("games", "rated games, of all time"),
    Column("first_date", "the date of the first of them"),
    Column("last_date", "the date of the last of them"),
)
YEARS = (
    Column("year", "the year"),
    Column("games", "rated games of this year"),
    Column("rating", "the estimate on the day of the last of them, by all games before and after"),
    Column("deviation", "its standard deviation"),
)

AT = (
    Column("name", "the player"),
    Column("date", "the day"),
    Column("rating", "the estimate of the strength on that day, by all games before and after"),
    Column("deviation", "its standard deviation"),
    Column("low", "the true strength was above this with 97.5 % confidence"),
    Column("high", "the true strength was below this with 97.5 % confidence"),
)


class NoHistoryPackage(BrokenEnvironment):
    """The package of whole-history ratings is missing."""


class _Day(NamedTuple):
    day: int
    belief: Belief


class WholeHistory:
    """Whole-history ratings of some games. Players have the ids of the games; a player without a game is a newcomer."""

    def __init__(self, games: Iterable[DatedGame], variance: float = VARIANCE) -> None:
        """Rate the games. Ignore those that are not rated. Raise NoHistoryPackage."""
        try:
            import whr  # an optional package
        except ImportError as error:
            raise NoHistoryPackage(
                f"Whole-history ratings need the package whr, which is not installed: {install_hint('history')}"
            ) from error
        self.variance = variance
        self.games: dict[int, list[dt.date]] = {}
        rows = []
        for game in games:
            one, other = game.players
            if one is None or other is None or not game.is_rated:
                continue
            for player in (one, other):
                self.games.setdefault(player, []).append(game.date)
            rows.append([str(one), str(other), _WINNERS[game.winner or 0], game.date.toordinal(), 0.0])
        base = whr.Base(w2=variance)
        base.create_games(rows)
        base.iterate(PASSES)
        self._days = {
            player: [
                _Day(int(day), Belief(START + elo, deviation))
                for day, elo, deviation in base.ratings_for_player(str(player))
            ]
            for player in self.games
        }

    def rate(self, player: int, date: dt.date) -> Belief:
        """Return the estimate of a player on a day: between two days with games on the line between their ratings."""
        days = self._days.get(player)
        if not days:
            return NEWCOMER
        day = date.toordinal()
        place = bisect_left(days, day, key=lambda one: one.day)
        if place < len(days) and days[place].day == day:
            return days[place].belief
        if place in (0, len(days)):
            nearest = days[0] if place == 0 else days[-1]
            return Belief(nearest.belief.strength, self._spread(nearest.belief.deviation, abs(day - nearest.day)))
        return self._between(days[place - 1], days[place], day)

    def _between(self, before: _Day, after: _Day, day: int) -> Belief:
        span = after.day - before.day
        share = (day - before.day) / span
        (low, low_deviation), (high, high_deviation) = before.belief, after.belief
        deviation = (1 - share) * low_deviation + share * high_deviation
        return Belief((1 - share) * low + share * high, self._spread(deviation, share * (1 - share) * span))

    def _spread(self, deviation: float, days: float) -> float:
        """Return a deviation after a number of days without a game, at most that of a newcomer."""
        return min(sqrt(deviation**2 + self.variance * days), NEWCOMER.deviation)


def rate_whole_history(
    database: Database, filters: str = "", *, at: dt.date | None = None, kind: str | None = None
) -> Result:
    """Rate players by all rated games that pass the filters, highest lower bound first, humans before bots.

    at: the day to rate for, and only players whose first game is not later (None: the day of each player's last game). kind: one of
    RATED_KINDS, or None. Columns: RATINGS. QueryError for another kind; NoHistoryPackage.
    """
    if kind is not None and kind not in RATED_KINDS:
        raise QueryError(f"players of the kind {kind!r} are not rated; valid: {', '.join(RATED_KINDS)}")
    history = _rate(database, filters)
    names = name_players(database.connection())
    rows: list[tuple[Any, ...]] = []
    for player, dates in history.games.items():
        name, own = names[player]
        if kind in (None, own) and (at is None or dates[0] <= at):
            rating, deviation = history.rate(player, at or dates[-1])
            values = round(rating), round(deviation), round(rating - 2 * deviation)
            rows.append((name, own, *values, len(dates), dates[0], dates[-1]))
    rows.sort(key=lambda row: (RATED_KINDS.index(row[1]), -row[4], row[0].lower()))
    return Result(RATINGS, rows)


def list_years(database: Database, name: str, filters: str = "") -> Result:
    """List the whole-history rating of a player at the end of each year with games. Columns: YEARS.

    QueryError for an unknown name, and for a player without a rated game; NoHistoryPackage.
    """
    player, history, dates = _rate_one(database, name, filters)
    last: dict[int, dt.date] = {date.year: date for date in dates}
    rows = []
    for year, date in last.items():
        rating, deviation = history.rate(player.id, date)
        rows.append((year, sum(one.year == year for one in dates), round(rating), round(deviation)))
    return Result(YEARS, rows)


def rate_at(database: Database, name: str, at: dt.date, filters: str = "") -> Result:
    """Return the whole-history rating of a player on a day, in one row with the columns AT.

    QueryError as `list_years`; NoHistoryPackage.
    """
    player, history, _ = _rate_one(database, name, filters)
    rating, deviation = history.rate(player.id, at)
    values = round(rating), round(deviation), round(rating - 2 * deviation), round(rating + 2 * deviation)
    return Result(AT, [(player.name, at, *values)])


def _rate_one(database: Database, name: str, filters: str) -> tuple[Player, WholeHistory, Sequence[dt.date]]:
    player = find_player(database.connection(), name)
    history = _rate(database, filters)
    if player.id not in history.games:
        raise QueryError(f"{player.name} has no rated game" + (" that matches the filter" if filters else ""))
    return player, history, history.games[player.id]


def _rate(database: Database, filters: str) -> WholeHistory:
    return WholeHistory(read_dated_games(database.connection(), insert_values(*condition(filters))))
