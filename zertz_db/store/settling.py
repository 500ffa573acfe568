"""Settling: writing a generation's tables to a fresh file, each in its order.

Positions of a board, sorted by key, are found in milliseconds. New ones are appended behind the sorted ones, as a tail; when the
tail has grown to a good part of them, or a good part of the file is free, everything is written anew, in order and
without gaps.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb

from zertz_db.store import meta, schema
from zertz_db.store.loading import open_to_write

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
    with open_to_write(new) as connection:
        schema.create(connection)
        connection.execute("DELETE FROM _meta")
        connection.execute(f"ATTACH {_literal(old)} AS old (READ_ONLY)")
        for table in schema.table_names():
            for rows in _positions(connection) if table == "position" else [f"SELECT * FROM old._{table}"]:
                connection.execute(f"INSERT INTO _{table} BY NAME {rows} ORDER BY {schema.order_of(table)}")
        connection.execute("DETACH old")
        meta.write(connection, {_SETTLED: _count_positions(connection)})
        connection.execute("CHECKPOINT")


def _positions(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Those of each board by themselves: sets of few rings take few bits, but not among others.

    Columns that a board has no use for are not sorted along: they would take more room than all others together.
    """
    unused = [name for name in schema.arrow_schema("position").names if name.endswith("_high")]
    boards = "SELECT board, count(rings_high) FROM old._position GROUP BY board ORDER BY board"
    for board, large in connection.execute(boards).fetchall():
        left_out = ", ".join(["board", *(unused if not large else ())])
        yield (
            f"SELECT * EXCLUDE ({left_out}), {_literal(board)} AS board "
            f"FROM old._position WHERE board = {_literal(board)}"
        )


def _count_positions(connection: duckdb.DuckDBPyConnection) -> int:
    return int(connection.execute("SELECT count(*) FROM _position").fetchall()[0][0])


def _literal(text: Path | str) -> str:
    return "'" + str(text).replace("'", "''") + "'"
