"""Ratings: estimates of players' strength from their games (`zertz_db.store.ratings.model`)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.players.player_list import find_player, name_players
from zertz_db.queries.result import Column, Result
from zertz_db.queries.sql_params import insert_values
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text
from zertz_db.store.ratings.dated_games import read_dated_games
from zertz_db.store.ratings.model import NEWCOMER, RATED_KINDS, Belief, rate_in_order

RATINGS = (
    Column("name", "the player"),
    Column("kind", "human or bot"),
    Column(
        "rating",
        "the estimate of the strength; a player of whom nothing is known has 1500, 400 points more are odds of ten to one",
    ),
    Column(
        "deviation",
        "the standard deviation of that estimate: the true strength lies within two of them with 95 % confidence",
    ),
    Column("at_least", "the rating minus two deviations; the list is sorted by it"),
    Column("games", "rated games"),
    Column("wins", "won games"),
    Column("ties", "tied games, and games that both lost"),
    Column("losses", "lost games"),
    Column("last_date", "the date of the last rated game"),
)

HISTORY = (
    Column("name", "the player"),
    Column("kind", "human or bot"),
    Column("number", "the number of the player's rated game, from 1"),
    Column("date", "the game's date"),
    Column("game", "the game's id"),
    Column("opponent", "the other player"),
    Column("score", "1 won, 0.5 tied, 0 lost"),
    Column("rating", "the rating after the game"),
    Column("deviation", "its deviation after the game"),
    Column("opponent_rating", "the opponent's rating before the game"),
)


def rate_players(database: Database, filters: str = "", kind: str | None = None) -> Result:
    """Rate players by all rated games that pass the filters, highest lower bound first.

    Rated are games with a result whose date is known to the day, between two different players who are no guests, in the order of
    their dates and times of day; those without a time come last in their day. Humans and bots have each their class and are listed by
    it: `kind` is one of RATED_KINDS, None for both, humans first. They meet in the same games, so that their ratings are on one scale;
    humans among themselves are rated with the filter `kind:human-human`. Columns: RATINGS. QueryError for another kind.
    """
    if kind is not None and kind not in RATED_KINDS:
        raise QueryError(f"players of the kind {kind!r} are not rated; valid: {', '.join(RATED_KINDS)}")
    last: dict[int, Belief] = {}
    counts: dict[int, list[int]] = {}
    dates: dict[int, dt.date] = {}
    rows: list[tuple[Any, ...]] = []
    for step in _steps(database, filters):
        for side, player in enumerate(step.players):
            last[player] = step.after[side]
            counts.setdefault(player, [0, 0, 0])[_outcome(step.winner, side)] += 1
            dates[player] = step.date
    names = name_players(database.connection())
    for player, (strength, deviation) in last.items():
        name, own = names[player]
        if kind in (None, own):
            values = round(strength), round(deviation), round(strength - 2 * deviation)
            rows.append((name, own, *values, sum(counts[player]), *counts[player], dates[player]))
    rows.sort(key=lambda row: (RATED_KINDS.index(row[1]), -row[4], row[0].lower()))
    return Result(RATINGS, rows)


def rating_history(database: Database, filters: str = "", players: Sequence[str] = ()) -> Result:
    """List the ratings of some players (default: all) after each of their rated games, in order.

    Columns: HISTORY. QueryError for an unknown name.
    """
    wanted = {find_player(database.connection(), name).id for name in players}
    names = name_players(database.connection())
    counts: dict[int, int] = {}
    rows = []
    for step in _steps(database, filters):
        for side, player in enumerate(step.players):
            if wanted and player not in wanted:
                continue
            counts[player] = counts.get(player, 0) + 1
            opponent = names[step.players[1 - side]][0]
            score = (1.0, 0.5, 0.0)[_outcome(step.winner, side)]
            moved = round(step.after[side][0]), round(step.after[side][1]), round(step.before[1 - side][0])
            rows.append((*names[player], counts[player], step.date, to_text(step.game), opponent, score, *moved))
    return Result(HISTORY, rows)


def _outcome(winner: int, side: int) -> int:
    """Return 0 for won, 1 for tied, 2 for lost, for the player of a side (0 or 1)."""
    return 1 if winner == 0 else 0 if winner == side + 1 else 2


class _Step(NamedTuple):
    """Rated game with the estimates of both players before and after it."""

    game: int
    date: dt.date
    players: tuple[int, int]
    winner: int
    before: tuple[Belief, Belief]
    after: tuple[Belief, Belief]


def _steps(database: Database, filters: str) -> Iterator[_Step]:
    """Yield the rated games that pass the filters, in order."""
    games = read_dated_games(database.connection(), insert_values(*condition(filters)))
    for (game, date, (one, other), winner), before, after in rate_in_order(game for game in games if game.is_rated):
        if one is not None and other is not None and winner is not None and after[0] and after[1]:
            known = before[0] or NEWCOMER, before[1] or NEWCOMER
            yield _Step(game, date, (one, other), winner, known, (after[0], after[1]))
