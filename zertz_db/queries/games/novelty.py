"""Find where a game leaves all games that were played before it.

Games are ordered by date, time and id; a game with an incomplete date counts as played on the earliest day that the date allows, one
without a date comes last. Positions are compared up to symmetry, with side to move, pool, captures and rule set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import duckdb

from zertz_db.queries.games.novelties import Known, keep_novelties
from zertz_db.queries.games.one_game import Game, course, find_id
from zertz_db.queries.memory.cached_games import cache_games
from zertz_db.queries.sql_params import execute
from zertz_db.rules.canonical import find_key
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.ratings.dated_games import PLAYED_ORDER
from zertz_db.store.schema.position_columns import pack_counts

_COMMON = 2
"""Number of plies whose positions most games share: they are compared only if no later position is known."""


class EarlierGame(NamedTuple):
    """Game that reached a position: its id in letters, the ply, and its players and date as stated."""

    id: str
    ply: int
    date: str | None
    player1: str | None
    player2: str | None

    def __str__(self) -> str:
        """Return the players and the date, such as `Ada against Ben, 2010.05.01`."""
        players = " against ".join(name or "an unknown player" for name in (self.player1, self.player2))
        return f"{players}, {self.date or 'without a date'}"


class Novelty(NamedTuple):
    """Place of a game among those before it.

    ply: after this number of plies earlier games reached the position for the last time, and every later position is new; None if the
    start is new already. move: the first new move, in official notation; None if nothing is new. games: number of earlier games that
    reached the last known position. first: the first of these.
    """

    ply: int | None
    move: str | None
    games: int
    first: EarlierGame | None = None

    def __str__(self) -> str:
        """Return a sentence."""
        if self.ply is None:
            return "No earlier game began with this position."
        reached = f"{self.games:,} earlier {'game' if self.games == 1 else 'games'} reached the position"
        first = f" First: {self.first}, game {self.first.id}, ply {self.first.ply}." if self.first else ""
        if self.move is None:
            return f"Nothing new: {reached} after the last ply.{first}"
        return f"New after ply {self.ply}, with {self.move}: {reached} before it.{first}"

    def as_json(self) -> dict[str, Any]:
        """Return an object for JSON."""
        return {**self._asdict(), "first": self.first and self.first._asdict()}


def find_novelty(database: Database, game: Game | str, moves: Sequence[str] | None = None) -> Novelty:
    """Return where a game, or the one with this id, leaves all games that were played before it. QueryError for an unknown id.

    moves: the plies of the game with this id, if they are known.
    """
    kept = keep_novelties(database)
    if kept is None:
        return _find_alone(database, game)
    if isinstance(game, Game):
        number, played = from_text(game.id), game.moves
    elif moves is not None:
        number, played = from_text(game), [*moves]
    else:
        number, played = find_id(database.connection(), game), course(database, game).moves
    return _as_novelty(database, played, kept.find(number))


def _as_novelty(database: Database, moves: Sequence[str], known: Known | None) -> Novelty:
    """Return the novelty of a game by its last known position."""
    if known is None:
        return Novelty(None, moves[0] if moves else None, 0)
    move = moves[known.ply] if known.ply < len(moves) else None
    return Novelty(known.ply, move, known.games, _describe(database, known.first, known.there))


def _find_alone(database: Database, game: Game | str) -> Novelty:
    """Find the novelty of one game, without the places of all games."""
    connection = database.connection()
    played = _read_game(database, connection, game)
    shared = _list_shared(connection, played)
    rare, common = [ply for ply in shared if ply >= _COMMON], [ply for ply in shared if ply < _COMMON]
    tries = (_find_earlier(connection, played, plies) for plies in (rare, *([ply] for ply in reversed(common))))
    found = next(filter(None, tries), [])
    return _as_novelty(database, played.moves, max(found, default=None))


class _Replayed(NamedTuple):
    """A game's number, its row of the view `games` or the part of it that rules need, its plies and its positions."""

    number: int
    row: Mapping[str, Any]
    moves: list[str]
    positions: list[Position]


def _read_game(database: Database, connection: duckdb.DuckDBPyConnection, game: Game | str) -> _Replayed:
    if isinstance(game, Game):
        return _Replayed(from_text(game.id), game.row, game.moves, game.positions)
    played = course(database, game)
    return _Replayed(find_id(connection, game), played.row, played.moves, played.positions())


def _list_shared(connection: duckdb.DuckDBPyConnection, game: _Replayed) -> list[int]:
    """Return the plies before which the board was as in another game, up to symmetry."""
    keys = [find_key(position)[0] for position in game.positions]
    listed = ", ".join(map(str, keys))
    sql = f"SELECT DISTINCT key FROM _position WHERE key IN ({listed}) AND game <> {game.number:d}"
    shared = {key for (key,) in connection.execute(sql).fetchall()}
    return [ply for ply, key in enumerate(keys) if key in shared]


def _find_earlier(connection: duckdb.DuckDBPyConnection, game: _Replayed, plies: Sequence[int]) -> list[Known]:
    """Return those positions after these plies of the game that earlier games reached."""
    if not plies:
        return []
    reached = " UNION ALL ".join(
        f"SELECT {ply} AS own_ply, game, ply FROM _position WHERE {_is_position(game.positions[ply])}" for ply in plies
    )
    found = execute(
        connection,
        f"""
        WITH reached AS MATERIALIZED ({reached}),
        earlier AS (
            SELECT id, {PLAYED_ORDER} AS place FROM _game
            WHERE id IN (SELECT game FROM reached) AND board = ? AND rule_set = ?
                AND {PLAYED_ORDER} < (SELECT {PLAYED_ORDER} FROM _game WHERE id = {game.number:d})
        )
        SELECT own_ply, count(DISTINCT game), arg_min(game, place), arg_min(ply, (place, ply))
        FROM reached JOIN earlier ON id = game GROUP BY own_ply
        """,
        [game.row["board"], game.row["rule_set"]],
    ).fetchall()
    return [Known(*row) for row in found]


def _is_position(position: Position) -> str:
    """Return the condition on rows of `_position` for the same board up to symmetry, side to move, pool and captures."""
    held = [number for counts in (position.pool, *position.captured) for number in counts]
    values = {"key": find_key(position)[0], "side": position.side, "counts": pack_counts(held)}
    return " AND ".join(f"{name} = {value}" for name, value in values.items())


def _describe(database: Database, game: int, ply: int) -> EarlierGame:
    names, kept = ("date", "player1", "player2"), cache_games(database)
    if kept:
        [row] = kept.rows([game], names)
    else:
        query = f"SELECT {', '.join(names)} FROM _game WHERE id = {game:d}"
        [row] = database.connection().execute(query).fetchall()
    return EarlierGame(to_text(game), ply, *row)
