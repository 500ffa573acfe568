"""Nodes: sums over the continuations of positions that many games reached.

The table has nothing but sums, so parts can be added up: a row for each full position (key, side, pool, captures, rule set), move and
ending. Rarer positions have no nodes: a query sums their few rows, which costs no more than the look-up.
"""

from __future__ import annotations

from itertools import pairwise

import duckdb

from zertz_db.store.schema import meta

FLOOR = 64
"""Minimum number of occurrences of a position with nodes."""

_SUMMED = "summed_positions"
"""The fact with the number of positions, from the first on, that the nodes sum up."""
_BELOW = "summed_below"
"""The fact with the first row after them: in a lake removed rows leave gaps in the numbers."""
_UNCOMMITTED = 36_028_797_018_960_000
"""The first row number of rows that their transaction has not committed: they get others then, after all that are committed."""
_MAX_ADDITION = 1 / 8
"""Maximum share of new positions to add to the nodes; for more, all nodes are rebuilt."""
_AT_ONCE = 4_000_000
"""Positions to count by key at once, so that memory does not grow with the database."""
_KEYS = 1 << 64

_GRAIN = "key, side, counts, rule_set, move, ending, winning_sets"
"""The columns that identify a row."""

_SAME = " AND ".join(f"node.{name} IS NOT DISTINCT FROM added.{name}" for name in _GRAIN.split(", "))

_ROWS = "key, side, counts, next_move AS move, score, game"
_GAMES = "(SELECT id, rule_set, ending, winning_sets, plies, date_from FROM _game) ON id = game"
_EARLIEST_DATE = "DATE '0001-01-01'"
_SUMS = f"""
    count(*) AS games,
    count(*) FILTER (score = 1) AS wins,
    count(*) FILTER (score = 0) AS draws,
    count(*) FILTER (score = -1) AS losses,
    sum(plies)::BIGINT AS sum_plies,
    max(date_from) AS last_date,
    max_by(game, (coalesce(date_from, {_EARLIEST_DATE}), game)) AS last_game
"""


def refresh(connection: duckdb.DuckDBPyConnection, next_row: int = 0) -> None:
    """Bring the nodes up to date with the positions: add new ones, or rebuild all nodes if there are many.

    next_row: the number that the next position to be committed gets, if that is known: the last ones may have been removed. Callers that
    remove positions or change games must call `forget`.
    """
    positions = _one(connection, "SELECT count(*) FROM _position")
    facts = meta.read(connection)
    summed, below = (int(facts.get(name, 0)) for name in (_SUMMED, _BELOW))
    still_there = _one(connection, f"SELECT count(*) FROM _position WHERE rowid < {below}")
    is_sound = below < _UNCOMMITTED and still_there == summed
    if not summed or not is_sound or positions - summed > _MAX_ADDITION * positions:
        _build(connection, positions)
    elif positions > summed:
        _add(connection, below)
    end = _find_end(connection, below if is_sound else 0, next_row)
    meta.write(connection, {_SUMMED: positions, _BELOW: end})


def _find_end(connection: duckdb.DuckDBPyConnection, first: int, next_row: int) -> int:
    """Return the number after the last position, once its transaction is committed. first: a number up to which nothing is removed."""
    committed = f"FILTER (rowid < {_UNCOMMITTED})"
    last = f"greatest(coalesce(max(rowid) {committed} + 1, {first}), {next_row})"
    return _one(connection, f"SELECT {last} + count(*) - count(*) {committed} FROM _position WHERE rowid >= {first}")


def forget(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the next `refresh` rebuild all nodes, after positions were removed or games changed."""
    meta.write(connection, {_SUMMED: 0})


def _build(connection: duckdb.DuckDBPyConnection, positions: int) -> None:
    connection.execute("DELETE FROM _node")
    parts = 1 + positions // _AT_ONCE
    edges = [part * _KEYS // parts - _KEYS // 2 for part in range(parts + 1)]
    for first, end in pairwise(edges):
        connection.execute(f"""
            INSERT INTO _node BY NAME
            WITH part AS (SELECT {_ROWS} FROM _position WHERE key BETWEEN {first} AND {end - 1}),
            busy AS (SELECT key FROM part GROUP BY key HAVING count(*) >= {FLOOR})
            SELECT {_GRAIN}, {_SUMS} FROM part SEMI JOIN busy USING (key) JOIN {_GAMES} GROUP BY {_GRAIN} ORDER BY {_GRAIN}
        """)


def _add(connection: duckdb.DuckDBPyConnection, below: int) -> None:
    """Add the positions from that row on to the nodes of their keys; give nodes to keys that now have enough positions.

    Rewrite only rows that change: the first positions of games have many thousands.
    """
    connection.execute(f"""
        CREATE OR REPLACE TEMP TABLE fresh AS SELECT {_ROWS} FROM _position WHERE rowid >= {below};
        CREATE OR REPLACE TEMP TABLE rare AS SELECT DISTINCT key FROM (FROM fresh ANTI JOIN _node USING (key));
        CREATE OR REPLACE TEMP TABLE busy AS
            SELECT key FROM _position WHERE key IN (FROM rare) GROUP BY key HAVING count(*) >= {FLOOR};
    """)
    newly_busy = f"UNION ALL SELECT {_ROWS} FROM _position WHERE key IN (FROM busy)"
    if not _one(connection, "SELECT count(*) FROM busy"):
        newly_busy = ""  # it would read all positions
    connection.execute(f"""
        CREATE OR REPLACE TEMP TABLE added AS
            WITH rows AS (FROM fresh SEMI JOIN _node USING (key) {newly_busy})
            SELECT {_GRAIN}, {_SUMS} FROM rows JOIN {_GAMES} GROUP BY {_GRAIN};
        CREATE OR REPLACE TEMP TABLE outdated AS
            SELECT node.rowid AS row FROM _node AS node SEMI JOIN added ON {_SAME};
        CREATE OR REPLACE TEMP TABLE changed AS
            WITH parts AS (
                SELECT * FROM _node WHERE rowid IN (SELECT row FROM outdated) UNION ALL BY NAME FROM added
            )
            SELECT {_GRAIN}, sum(games) AS games, sum(wins) AS wins, sum(draws) AS draws, sum(losses) AS losses,
                sum(sum_plies) AS sum_plies, max(last_date) AS last_date,
                max_by(last_game, (coalesce(last_date, {_EARLIEST_DATE}), last_game)) AS last_game
            FROM parts GROUP BY {_GRAIN};
        DELETE FROM _node WHERE rowid IN (SELECT row FROM outdated);
        INSERT INTO _node BY NAME FROM changed ORDER BY {_GRAIN};
        DROP TABLE fresh;
        DROP TABLE rare;
        DROP TABLE busy;
        DROP TABLE added;
        DROP TABLE outdated;
        DROP TABLE changed;
    """)


def _one(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    return int(connection.execute(query).fetchall()[0][0])
