"""Ratings: estimates of players' strength from their games.

The model is Bradley and Terry's with a normal belief about each player's strength, moved by each game (Weng and Lin, "A Bayesian
approximation method for online ranking", Journal of Machine Learning Research 12, 2011, algorithm 1). Its scale is set so that between
players who are known well 400 points are odds of ten to one. The package `openskill` has it too, for teams of any size; for two players
it takes ten times as long, which a million games can't bear, and the tests hold ours to it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.players.player_list import find_player
from zertz_db.queries.result import Column, Result
from zertz_db.queries.sql_params import execute
from zertz_db.store.annotations import overlay
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text

if TYPE_CHECKING:
    import pyarrow as pa

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
_AT_ONCE = 10_000
"""Number of games per fetch."""

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


class Belief(NamedTuple):
    """Estimate of a player's strength, and its standard deviation."""

    strength: float
    deviation: float


class _Played(NamedTuple):
    game: int
    date: dt.date
    players: tuple[int, int]
    winner: int


class _Step(NamedTuple):
    """Rated game with the estimates of both players before and after it."""

    played: _Played
    before: tuple[Belief, Belief]
    after: tuple[Belief, Belief]


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
        for side, player in enumerate(step.played.players):
            last[player] = step.after[side]
            counts.setdefault(player, [0, 0, 0])[_outcome(step.played.winner, side)] += 1
            dates[player] = step.played.date
    names = _names(database)
    for player, (strength, deviation) in last.items():
        name, own = names[player]
        if kind in (None, own):
            values = round(strength), round(deviation), round(strength - 2 * deviation)
            rows.append((name, own, *values, sum(counts[player]), *counts[player], dates[player]))
    rows.sort(key=lambda row: (RATED_KINDS.index(row[1]), -row[4], row[0].lower()))
    return Result(RATINGS, rows)


def rank(database: Database, name: str, kind: str | None = None) -> Result:
    """Return the row of one player in the ratings by all games, with the rank in the class.

    Columns: rank, of (players rated in the class), and RATINGS. QueryError for an unknown player, and for an unrated one.
    """
    player = find_player(database.connection(), name)
    found = rate_players(database, kind=kind)
    rows = [row for row in found.rows if row[1] == player.kind]
    for number, row in enumerate(rows, 1):
        if row[0] == player.name:
            return Result((*_RANK, *RATINGS), [(number, len(rows), *row)])
    raise QueryError(f"{player.name} has no rating: no rated games, or another kind ({player.kind})")


_RANK = (
    Column("rank", "the rank among players of this kind, by `at_least`"),
    Column("of", "number of rated players of this kind"),
)


def rating_history(database: Database, filters: str = "", players: Sequence[str] = ()) -> Result:
    """List the ratings of some players (default: all) after each of their rated games, in order.

    Columns: HISTORY. QueryError for an unknown name.
    """
    wanted = {find_player(database.connection(), name).id for name in players}
    names = _names(database)
    counts: dict[int, int] = {}
    rows = []
    for played, before, after in _steps(database, filters):
        for side, player in enumerate(played.players):
            if wanted and player not in wanted:
                continue
            counts[player] = counts.get(player, 0) + 1
            opponent = played.players[1 - side]
            score = (1.0, 0.5, 0.0)[_outcome(played.winner, side)]
            moved = round(after[side][0]), round(after[side][1]), round(before[1 - side][0])
            rows.append(
                (*names[player], counts[player], played.date, to_text(played.game), names[opponent][0], score, *moved)
            )
    return Result(HISTORY, rows)


def ratings_before(database: Database) -> pa.Table:
    """Return the ratings of players before each of their rated games, by all games, once they are known (KNOWN).

    Columns: game (its id as a number), mover (1 or 2), rating. The ratings of a generation are computed once.
    """
    state = database.folder, database.generation, overlay.fingerprint(database.annotations_dir)
    found = _last.get(state)
    if found is None:
        rows = [
            (step.played.game, side + 1, round(belief.strength))
            for step in _steps(database, "")
            for side, belief in enumerate(step.before)
            if belief.deviation <= KNOWN
        ]
        found = _to_arrow(rows)
        _last.clear()
        _last[state] = found
    return found


_last: dict[object, pa.Table] = {}
"""Cached table of the last queried generation."""


def _to_arrow(rows: list[tuple[int, int, int]]) -> pa.Table:
    import pyarrow as pa

    types = (("game", pa.int64()), ("mover", pa.uint8()), ("rating", pa.int32()))
    columns = zip(*rows, strict=True) if rows else [()] * len(types)
    return pa.table({name: pa.array(values, kind) for (name, kind), values in zip(types, columns, strict=True)})


def _outcome(winner: int, side: int) -> int:
    """Return 0 for won, 1 for tied, 2 for lost, for the player of a side (0 or 1)."""
    return 1 if winner == 0 else 0 if winner == side + 1 else 2


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
        _believed(one.strength, variances[0], scale, surprise, uncertainty),
        _believed(other.strength, variances[1], scale, -surprise, uncertainty),
    )


_SCORES = (0.5, 1.0, 0.0)
"""Score of player 1, by winner."""


def _believed(strength: float, variance: float, scale: float, surprise: float, uncertainty: float) -> Belief:
    relative = sqrt(variance) / scale
    left = max(1 - relative**3 * uncertainty, _MIN_REMAINING)
    return Belief(strength + variance / scale * surprise, sqrt(variance * left))


def _steps(database: Database, filters: str) -> Iterator[_Step]:
    known: dict[int, Belief] = {}
    unknown = Belief(START, UNKNOWN)
    for played in _rated(database, filters):
        one, other = played.players
        before = known.get(one, unknown), known.get(other, unknown)
        after = update_beliefs(before, played.winner)
        known[one], known[other] = after
        yield _Step(played, before, after)


def _rated(database: Database, filters: str) -> Iterator[_Played]:
    where, values = condition(filters)
    games = execute(database.connection(), _RATED.format(where), values)
    while rows := games.fetchmany(_AT_ONCE):
        for game, date, one, other, winner in rows:
            if one != other:
                yield _Played(game, date, (one, other), winner)


_RATED = """
    WITH rated AS (SELECT a.name, p.id FROM _alias a JOIN _player p ON p.id = a.player WHERE kind <> 'guest')
    SELECT g.id, date_from, one.id, other.id, winner
    FROM (SELECT * FROM _game WHERE ({}) AND winner IS NOT NULL AND date_from = date_to) g
    JOIN rated one ON one.name = player1 JOIN rated other ON other.name = player2
    ORDER BY date_from, time NULLS LAST, g.id
"""
"""Includes games of a player against themselves: to exclude them, DuckDB would first pair all names."""


def _names(database: Database) -> dict[int, tuple[str, str]]:
    rows = database.connection().execute("SELECT id, name, kind FROM _player").fetchall()
    return {number: (name, kind) for number, name, kind in rows}
