"""Find where a game leaves all games that were played before it.

Games are ordered by date, time and id; a game with an incomplete date counts as played on the earliest day that the date allows, one
without a date comes last. Positions are compared up to symmetry, with side to move, pool, captures and rule set.
"""

from __future__ import annotations

from typing import NamedTuple

import duckdb

from zertz_db.queries.games.one_game import Game
from zertz_db.queries.sql_params import execute
from zertz_db.rules.canonical import canonicalise
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text
from zertz_db.store.ratings.dated_games import PLAYED_ORDER

_HANDS = tuple(
    f"{holder}_{colour}" for holder in ("pool", "captured1", "captured2") for colour in ("white", "grey", "black")
)


class Novelty(NamedTuple):
    """Place of a game among those before it.

    ply: after this number of plies earlier games reached the position for the last time, and every later position is new; None if the
    start is new already. move: the first new move, in official notation; None if nothing is new. games: number of earlier games that
    reached the last known position.
    """

    ply: int | None
    move: str | None
    games: int

    def __str__(self) -> str:
        """Return a sentence."""
        if self.ply is None:
            return "No earlier game began with this position."
        reached = f"{self.games:,} earlier {'game' if self.games == 1 else 'games'} reached the position"
        if self.move is None:
            return f"Nothing new: {reached} after the last ply."
        return f"New after ply {self.ply}, with {self.move}: {reached} before it."


def find_novelty(database: Database, game: Game) -> Novelty:
    """Return where a game leaves all games that were played before it."""
    found = _count_earlier(database.connection(), game)
    if not found:
        return Novelty(None, game.moves[0] if game.moves else None, 0)
    last = max(found)
    return Novelty(last, game.moves[last] if last < len(game.moves) else None, found[last])


def _count_earlier(connection: duckdb.DuckDBPyConnection, game: Game) -> dict[int, int]:
    """Return the number of earlier games that reached a position of the game, by its ply; positions without one are left out."""
    own = f"{from_text(game.id):d}"
    rows = ", ".join(_row(ply, position) for ply, position in enumerate(game.positions))
    equal = " AND ".join(f"p.{name} = own.{name}" for name in ("key", "side", *_HANDS))
    return dict(
        execute(
            connection,
            f"""
            WITH own(ply, key, side, {", ".join(_HANDS)}) AS (VALUES {rows}),
            earlier AS (
                SELECT id FROM _game
                WHERE board = ? AND rule_set = ? AND {PLAYED_ORDER} < (SELECT {PLAYED_ORDER} FROM _game WHERE id = {own})
            )
            SELECT own.ply, count(DISTINCT game) FROM own JOIN _position p ON {equal} JOIN earlier ON id = game GROUP BY own.ply
            """,
            [game.row["board"], game.row["rule_set"]],
        ).fetchall()
    )


def _row(ply: int, position: Position) -> str:
    hands = (held for counts in (position.pool, *position.captured) for held in counts)
    return f"({', '.join(map(str, (ply, canonicalise(position).key, position.side, *hands)))})"
