"""Sums over what followed a position, kept for positions that many games reached.

The table holds nothing but sums, so parts can be added up. A position that fewer games reached is not in it: its few
rows are summed when they are asked for, which costs no more than the look-up.
"""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from typing import NamedTuple

import duckdb

from zertz_db.store import meta

FLOOR = 64
"""From so many occurrences on a position has nodes."""

_SUMMED = "summed_positions"
"""The fact that says how many positions, from the first on, the nodes sum up."""
_LARGEST_ADDITION = 1 / 8
"""Share of new positions up to which they are added to the nodes; for more, all are built anew."""
_AT_ONCE = 4_000_000
"""Positions that are counted by key at once: the memory for it does not grow with the database."""
_KEYS = 1 << 64

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
    """Bring the nodes up to date with the positions: add what is new, or where much is, build them anew.

    Whoever has removed positions, or changed games, tells by `forget`.
    """
    positions = _one(connection, "SELECT count(*) FROM _position")
    summed = int(meta.read(connection).get(_SUMMED, 0))
    still_there = _one(connection, f"SELECT count(*) FROM _position WHERE rowid < {summed}")
    if not summed or still_there < summed or positions - summed > _LARGEST_ADDITION * positions:
        _build(connection, positions)
    elif positions > summed:
        _add(connection, summed)
    meta.write(connection, {_SUMMED: positions})


def forget(connection: duckdb.DuckDBPyConnection) -> None:
    """Have the next `refresh` build all nodes anew: positions are removed or games changed."""
    meta.write(connection, {_SUMMED: 0})


def _build(connection: duckdb.DuckDBPyConnection, positions: int) -> None:
    connection.execute("DELETE FROM _node")
    parts = 1 + positions // _AT_ONCE
    edges = [part * _KEYS // parts - _KEYS // 2 for part in range(parts + 1)]
    for first, behind in pairwise(edges):
        connection.execute(f"""
            INSERT INTO _node BY NAME
            WITH part AS (SELECT key, next_move, score, game FROM _position WHERE key BETWEEN {first} AND {behind - 1}),
            busy AS (SELECT key FROM part GROUP BY key HAVING count(*) >= {FLOOR})
            SELECT key, next_move AS move, {_SUMS}
            FROM part SEMI JOIN busy USING (key) JOIN _game ON _game.id = game
            GROUP BY key, next_move ORDER BY key, next_move
        """)


def _add(connection: duckdb.DuckDBPyConnection, summed: int) -> None:
    """Add the positions behind the first so many to the nodes of their keys; keys that have enough by now get nodes."""
    connection.execute(f"""
        CREATE OR REPLACE TEMP TABLE fresh AS
            SELECT key, next_move, score, game FROM _position WHERE rowid >= {summed};
        CREATE OR REPLACE TEMP TABLE changed AS
            WITH busy AS (
                SELECT key FROM _position SEMI JOIN (FROM fresh ANTI JOIN _node USING (key)) USING (key)
                GROUP BY key HAVING count(*) >= {FLOOR}
            ), added AS (
                SELECT key, next_move, score, game FROM fresh SEMI JOIN _node USING (key)
                UNION ALL
                SELECT key, next_move, score, game FROM _position SEMI JOIN busy USING (key)
            ), parts AS (
                FROM _node SEMI JOIN fresh USING (key)
                UNION ALL BY NAME
                SELECT key, next_move AS move, {_SUMS} FROM added JOIN _game ON _game.id = game GROUP BY key, next_move
            )
            SELECT key, move, sum(games) AS games, sum(wins) AS wins, sum(draws) AS draws, sum(losses) AS losses,
                sum(sum_plies) AS sum_plies, max(last_date) AS last_date
            FROM parts GROUP BY key, move;
        DELETE FROM _node WHERE key IN (SELECT key FROM changed);
        INSERT INTO _node BY NAME FROM changed ORDER BY key, move;
        DROP TABLE fresh;
        DROP TABLE changed;
    """)


def _one(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    return int(connection.execute(query).fetchall()[0][0])


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
