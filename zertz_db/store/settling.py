"""Settling: writing a generation's tables to a fresh file, each in its order.

Positions of a board, sorted by key, are found in milliseconds. New ones are appended behind the sorted ones, as a tail; when the
tail has grown to a good part of them, or a good part of the file is free, everything is written anew, in order and
without gaps.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from zertz_db.store import meta, nodes, schema, staging
from zertz_db.store.literals import literal
from zertz_db.store.loading import open_unlogged

LARGEST_TAIL = 1 / 16
"""Share of all positions; settling takes as long for one new position as for all."""
LARGEST_GAPS = 1 / 4
"""Share of the file."""

_SETTLED = "settled_positions"
CUSTOM = "custom"
"""The name of all boards that may have more than 63 rings."""


def is_due(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether a checkpointed file should be settled."""
    positions = _count_positions(connection) + staging.count_positions(connection)
    if is_demanded(connection):
        return True
    settled = int(meta.read(connection).get(_SETTLED, 0))
    gaps = connection.execute("SELECT free_blocks > ? * total_blocks FROM pragma_database_size()", [LARGEST_GAPS])
    return abs(positions - settled) > LARGEST_TAIL * positions or bool(gaps.fetchall()[0][0])


def demand(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the generation under construction be settled however little has changed: nothing of what it held stays in gaps."""
    meta.write(connection, {_SETTLED: -1})


def is_demanded(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether that was demanded."""
    return int(meta.read(connection).get(_SETTLED, 0)) < 0


def met(connection: duckdb.DuckDBPyConnection) -> None:
    """Note that there are no gaps any more."""
    meta.write(connection, {_SETTLED: _count_positions(connection)})


def settle(old: Path, new: Path) -> None:
    """Write the closed database `old`, with what waits in it, to the file `new`, which must not exist; sum up what followed positions."""
    with open_unlogged(new) as connection:
        schema.create(connection)
        connection.execute("DELETE FROM _meta")
        connection.execute(f"ATTACH {literal(old)} AS old (READ_ONLY)")
        for table in schema.table_names():
            if table == "position":
                _settle_positions(connection)
            elif table != "node":
                _insert(connection, table)
        connection.execute("DETACH old")
        nodes.forget(connection)
        nodes.refresh(connection)
        met(connection)
        connection.execute("CHECKPOINT")


def _settle_positions(connection: duckdb.DuckDBPyConnection) -> None:
    """Those of each board by themselves: sets of few rings take few bits, but not among others.

    Columns that only large boards have a use for are not sorted along with the others: they would take more room than all of them.
    """
    large = [name for name in schema.arrow_schema("position").names if name.endswith("_high")]
    _insert(connection, "position", f"* EXCLUDE ({', '.join(large)})", f"board <> '{CUSTOM}'", "board, ")
    boards = connection.execute("SELECT board FROM old._position UNION SELECT board FROM old._game").fetchall()
    if (CUSTOM,) in boards:
        _insert(connection, "position", condition=f"board = '{CUSTOM}'")


def _insert(
    connection: duckdb.DuckDBPyConnection, table: str, columns: str = "*", condition: str = "true", order: str = ""
) -> None:
    """Copy a table in its order."""
    rows = f"FROM old._{table}"
    if table in staging.TABLES:
        connection.register("staged", staging.reader(connection, table, "old"))
        rows = f"FROM ({rows} UNION ALL BY NAME FROM staged)"
    connection.execute(
        f"INSERT INTO _{table} BY NAME SELECT {columns} {rows} WHERE {condition} ORDER BY {order}{schema.order_of(table)}"
    )


def _count_positions(connection: duckdb.DuckDBPyConnection) -> int:
    return int(connection.execute("SELECT count(*) FROM _position").fetchall()[0][0])
