"""Sums over what followed a position, kept for positions that many games reached.

The table holds nothing but sums, so parts can be added up. A position that fewer games reached is not in it: its few
rows are summed when they are asked for, which costs no more than the look-up.
"""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

import duckdb

FLOOR = 64
"""From so many occurrences on a position has nodes."""

_SUMS = """
    count(*) AS games,
    count(*) FILTER (score = 1) AS wins,
    count(*) FILTER (score = 0) AS draws,
    count(*) FILTER (score = -1) AS losses,
    sum(plies)::BIGINT AS sum_plies,
    max(date_from) AS last_date
"""


class Node(NamedTuple):
    """A move from a position (None: the game ended here) and its sums; wins and losses are the mover's."""

    move: int | None
    games: int
    wins: int
    draws: int
    losses: int
    sum_plies: int
    last_date: dt.date | None


def refresh(connection: duckdb.DuckDBPyConnection) -> None:
    """Build all nodes anew from the positions and games."""
    connection.execute("DELETE FROM _node")
    connection.execute(f"""
        INSERT INTO _node BY NAME
        WITH busy AS (SELECT key FROM _position GROUP BY key HAVING count(*) >= {FLOOR})
        SELECT key, next_move AS move, {_SUMS}
        FROM _position SEMI JOIN busy USING (key) JOIN _game ON _game.id = game
        GROUP BY key, next_move ORDER BY key, next_move
    """)


def after(connection: duckdb.DuckDBPyConnection, key: int) -> list[Node]:
    """What followed the position with this key, most played first."""
    rows = connection.execute(
        "SELECT * EXCLUDE key FROM _node WHERE key = ? ORDER BY games DESC, move", [key]
    ).fetchall()
    if not rows:
        rows = connection.execute(
            f"""SELECT next_move AS move, {_SUMS} FROM _position JOIN _game ON _game.id = game
            WHERE key = ? GROUP BY next_move ORDER BY games DESC, move""",
            [key],
        ).fetchall()
    return [Node(*row) for row in rows]
