"""Settling: writing a generation's tables to a fresh file, each in its order.

Positions sorted by key are found in milliseconds. New ones are appended behind the sorted ones, as a tail; when the
tail has grown to a good part of them, or a good part of the file is free, everything is written anew, in order and
without gaps.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from zertz_db.store import meta, schema

LARGEST_TAIL = 1 / 16
"""Share of all positions; settling takes as long for one new position as for all."""
LARGEST_GAPS = 1 / 4
"""Share of the file."""

_SETTLED = "settled_positions"


def is_due(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether a checkpointed file should be settled."""
    positions = _count_positions(connection)
    settled = int(meta.read(connection).get(_SETTLED, 0))
    if settled < 0:
        return True
    gaps = connection.execute("SELECT free_blocks > ? * total_blocks FROM pragma_database_size()", [LARGEST_GAPS])
    return abs(positions - settled) > LARGEST_TAIL * positions or bool(gaps.fetchall()[0][0])


def demand(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the generation under construction be settled however little has changed: nothing of what it held stays in gaps."""
    meta.write(connection, {_SETTLED: -1})


def settle(old: Path, new: Path) -> None:
    """Write the closed database `old` to the file `new`, which must not exist."""
    with duckdb.connect(new) as connection:
        schema.create(connection)
        connection.execute("DELETE FROM _meta")
        connection.execute(f"ATTACH {_literal(old)} AS old (READ_ONLY)")
        for table in schema.table_names():
            connection.execute(
                f"INSERT INTO _{table} BY NAME SELECT * FROM old._{table} ORDER BY {schema.order_of(table)}"
            )
        connection.execute("DETACH old")
        meta.write(connection, {_SETTLED: _count_positions(connection)})
        connection.execute("CHECKPOINT")


def _count_positions(connection: duckdb.DuckDBPyConnection) -> int:
    return int(connection.execute("SELECT count(*) FROM _position").fetchall()[0][0])


def _literal(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
