"""Ratings: how strong players are, as far as their games tell.

The model is Bradley and Terry's with a normal belief about each player's strength, moved by each game (Weng and Lin 2011), as the
package `openskill` computes it. Its scale is set so that between players who are known well 400 points are odds of ten to one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from math import log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from zertz_db.queries.binding import run
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters import Asked, condition
from zertz_db.queries.players import find_player
from zertz_db.queries.result import Column, Result
from zertz_db.store.opening import Database

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

START = 1500
"""The rating of a player of whom no game is known."""
UNKNOWN = 350
"""Its deviation."""
SPREAD = 400 / log(10) / sqrt(2)
"""The deviation of one player's form from game to game; it makes 400 points odds of ten to one."""
RATED_KINDS = ("human", "bot")

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
    Column("at_least", "the rating less two deviations, by which the list is sorted"),
    Column("games", "rated games"),
    Column("wins", "of them won"),
    Column("ties", "of them tied, or lost by both"),
    Column("losses", "of them lost"),
    Column("last_date", "the date of the last one"),
)

HISTORY = (
    Column("name", "the player"),
    Column("kind", "human or bot"),
    Column("number", "the player's rated game so many, from 1"),
    Column("date", "the game's date"),
    Column("game", "the game's id"),
    Column("opponent", "the other player"),
    Column("score", "1 won, 0.5 tied, 0 lost"),
    Column("rating", "the rating after the game"),
    Column("deviation", "its deviation after the game"),
    Column("opponent_rating", "the opponent's rating before the game"),
)


class _Played(NamedTuple):
    game: str
    date: dt.date
    players: tuple[int, int]
    winner: int


class _Step(NamedTuple):
    """A game that moved the ratings of its players: strength and deviation of each before and after."""

    played: _Played
    before: tuple[tuple[float, float], tuple[float, float]]
    after: tuple[tuple[float, float], tuple[float, float]]


def ratings(database: Database, filters: Asked = "", kind: str | None = None) -> Result:
    """The ratings after all rated games that pass the filters, the surest strong players first.

    Rated are games with a result whose date is known to the day, between two different players who are no guests, in the order of
    their dates. Humans and bots have each their class and are listed by it: `kind` is one of RATED_KINDS, None for both, humans first.
    They meet in the same games, so that their ratings are on one scale; humans among themselves are rated with the filter
    `kind:human-human`. Columns: RATINGS. QueryError for another kind.
    """
    if kind is not None and kind not in RATED_KINDS:
        raise QueryError(f"players of the kind {kind!r} are not rated; there are {' and '.join(RATED_KINDS)}")
    last: dict[int, tuple[float, float]] = {}
    counts: dict[int, list[int]] = {}
    dates: dict[int, dt.date] = {}
    rows: list[tuple[Any, ...]] = []
    for step in _steps(database, filters):
        for seat, player in enumerate(step.played.players):
            last[player] = step.after[seat]
            counts.setdefault(player, [0, 0, 0])[_outcome(step.played.winner, seat)] += 1
            dates[player] = step.played.date
    names = _names(database)
    for player, (strength, deviation) in last.items():
        name, own = names[player]
        if kind in (None, own):
            values = round(strength), round(deviation), round(strength - 2 * deviation)
            rows.append((name, own, *values, sum(counts[player]), *counts[player], dates[player]))
    rows.sort(key=lambda row: (RATED_KINDS.index(row[1]), -row[4], row[0].lower()))
    return Result(RATINGS, rows)


def history(database: Database, filters: Asked = "", players: Sequence[str] = ()) -> Result:
    """How the ratings of some players (all, if none is named) moved: a row for each rated game of theirs, in order.

    Columns: HISTORY. QueryError where nobody is called so.
    """
    wanted = {find_player(database.connection(), name).id for name in players}
    names = _names(database)
    counts: dict[int, int] = {}
    rows = []
    for played, before, after in _steps(database, filters):
        for seat, player in enumerate(played.players):
            if wanted and player not in wanted:
                continue
            counts[player] = counts.get(player, 0) + 1
            opponent = played.players[1 - seat]
            score = (1.0, 0.5, 0.0)[_outcome(played.winner, seat)]
            moved = round(after[seat][0]), round(after[seat][1]), round(before[1 - seat][0])
            rows.append((*names[player], counts[player], played.date, played.game, names[opponent][0], score, *moved))
    return Result(HISTORY, rows)


def _outcome(winner: int, seat: int) -> int:
    """0 won, 1 tied, 2 lost, for the player in this seat (0 or 1)."""
    return 1 if winner == 0 else 0 if winner == seat + 1 else 2


def _steps(database: Database, filters: Asked) -> Iterator[_Step]:
    from openskill.models import BradleyTerryFull

    model = BradleyTerryFull(mu=START, sigma=UNKNOWN, beta=SPREAD, tau=SPREAD / 50)
    known: dict[int, tuple[float, float]] = {}
    unknown = (float(START), float(UNKNOWN))
    for played in _rated(database, filters):
        one, other = played.players
        before = known.get(one, unknown), known.get(other, unknown)
        after = _after(model, before, played.winner)
        known[one], known[other] = after
        yield _Step(played, before, after)


def _after(
    model: BradleyTerryFull, before: tuple[tuple[float, float], tuple[float, float]], winner: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    teams = [[model.rating(mu=strength, sigma=deviation)] for strength, deviation in before]
    ranks = [1.0, 1.0] if winner == 0 else [float(winner), float(3 - winner)]
    (one,), (other,) = model.rate(teams, ranks=ranks)
    return (one.mu, one.sigma), (other.mu, other.sigma)


def _rated(database: Database, filters: Asked) -> Iterator[_Played]:
    where, values = condition(filters)
    for game, date, one, other, winner in run(database.connection(), _RATED.format(where), values).fetchall():
        yield _Played(game, date, (one, other), winner)


_RATED = """
    WITH rated AS (SELECT a.name, p.id FROM _alias a JOIN _player p ON p.id = a.player WHERE kind <> 'guest')
    SELECT id_text(g.id), date_from, one.id, other.id, winner
    FROM (SELECT * FROM _game WHERE ({}) AND winner IS NOT NULL AND date_from = date_to) g
    JOIN rated one ON one.name = player1 JOIN rated other ON other.name = player2
    WHERE one.id <> other.id ORDER BY date_from, g.id
"""


def _names(database: Database) -> dict[int, tuple[str, str]]:
    rows = database.connection().execute("SELECT id, name, kind FROM _player").fetchall()
    return {number: (name, kind) for number, name, kind in rows}
