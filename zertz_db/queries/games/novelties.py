"""Places where games leave all earlier ones, kept in memory for each generation of a database that is asked again and again."""

from __future__ import annotations

from typing import Any, NamedTuple

from zertz_db.queries.memory.generation_cache import GenerationCache
from zertz_db.store.folder.database import Database
from zertz_db.store.ratings.dated_games import PLAYED_ORDER

_MAX_POSITIONS = 10_000_000
"""Maximum number of positions of a database whose places are kept. They take 40 bytes a game, and 0.4 µs a position to find."""
_DIRECT = 10
"""Number of questions to a generation without kept places: finding those of all games takes as long as ten single answers."""


class Known(NamedTuple):
    """The last position of a game that earlier games reached.

    ply: of the game. games: number of earlier games that reached it. first: the number of the first of these; there: the ply there.
    """

    ply: int
    games: int
    first: int
    there: int


class Novelties:
    """Last known positions of all games of a generation: `known` has one row a game, sorted by the number of the game."""

    def __init__(self, known: Any) -> None:
        self._games = known["game"]
        self._known = [known[name] for name in Known._fields]

    def find(self, game: int) -> Known | None:
        """Return the last known position of the game with this number; None if its start is new already."""
        place = self._games.searchsorted(game)
        if place == len(self._games) or self._games[place] != game:
            return None
        return Known(*(int(column[place]) for column in self._known))


def keep_novelties(database: Database) -> Novelties | None:
    """Return the places of all games of the live generation.

    None for the first questions to a generation, for a very large database, and while another thread finds the places: one game's place
    is found faster alone.
    """
    return _cached.get(database, _DIRECT)


def _find_all(database: Database) -> Novelties | None:
    connection = database.connection()
    if connection.execute("SELECT count(*) FROM _position").fetchall()[0][0] > _MAX_POSITIONS:
        return None
    return Novelties(connection.execute(_NOVELTIES).fetchnumpy())


_cached = GenerationCache(_find_all)
_STATE = "key, side, counts"
"""Columns of a position that make it another position, besides the board and the rule set of its game."""
_NOVELTIES = f"""
    WITH shared AS (SELECT key FROM _position GROUP BY key HAVING min(game) <> max(game)),
    played AS (
        SELECT id, board, rule_set, row_number() OVER (ORDER BY {PLAYED_ORDER}) AS place FROM _game
    ),
    reached AS (
        SELECT {_STATE}, board, rule_set, game, place, min(ply) AS there, max(ply) AS ply
        FROM (SELECT {_STATE}, game, ply FROM _position SEMI JOIN shared USING (key)) JOIN played ON id = game GROUP BY ALL
    ),
    ranked AS (
        SELECT game, ply, row_number() OVER alike - 1 AS games, first_value(game) OVER alike AS first,
            first_value(there) OVER alike AS there
        FROM reached WINDOW alike AS (PARTITION BY {_STATE}, board, rule_set ORDER BY place)
    )
    SELECT game, max(ply) AS ply, arg_max(games, ply) AS games, arg_max(first, ply) AS first, arg_max(there, ply) AS there
    FROM ranked WHERE games > 0 GROUP BY game ORDER BY game
"""
