"""Settling: writing a generation's tables to a fresh file, each in its order.

Positions of a board, sorted by key, are found in milliseconds. New ones are appended behind the sorted ones, as a tail; when the
tail has grown to a good part of them, or a good part of the file is free, everything is written anew, in order and
without gaps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import duckdb

from zertz_db.store import meta, nodes, schema, staging
from zertz_db.store.literals import literal

LARGEST_TAIL = 1 / 16
"""Share of all positions; settling takes as long for one new position as for all."""
LARGEST_GAPS = 1 / 4
"""Share of the file."""

_SETTLED = "settled_positions"
_LARGEST_FIRST = ("position", "ply")
_FIT_TOGETHER = 2_000_000
"""So many positions can be sorted while another table is: more need all the memory that there is."""
CUSTOM = "custom"
"""The name of all boards that may have more than 63 rings."""


def is_due(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether a file under construction should be settled. Writes away what its log has, if gaps are all that could be a reason."""
    if is_demanded(connection):
        return True
    positions = _count_positions(connection) + staging.count_positions(connection)
    settled = int(meta.read(connection).get(_SETTLED, 0))
    return abs(positions - settled) > LARGEST_TAIL * positions or _has_gaps(connection)


def _has_gaps(connection: duckdb.DuckDBPyConnection) -> bool:
    connection.execute("CHECKPOINT")
    gaps = connection.execute("SELECT free_blocks > ? * total_blocks FROM pragma_database_size()", [LARGEST_GAPS])
    return bool(gaps.fetchall()[0][0])


def demand(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the generation under construction be settled however little has changed: nothing of what it held stays in gaps."""
    meta.write(connection, {_SETTLED: -1})


def is_demanded(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether that was demanded."""
    return int(meta.read(connection).get(_SETTLED, 0)) < 0


def met(connection: duckdb.DuckDBPyConnection) -> None:
    """Note that there are no gaps any more."""
    meta.write(connection, {_SETTLED: _count_positions(connection)})


def needs_all_memory(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether there are so many positions that settling them leaves no room for anything else."""
    return _count_positions(connection) + staging.count_positions(connection) > _FIT_TOGETHER


@contextmanager
def settled(
    connection: duckdb.DuckDBPyConnection, new: Path, without: Collection[str] = ()
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Write the connection's database, with what waits in it, to the file `new`, which must not exist: `with settled(…) as copy`.

    The copy is a connection to the new file, for what is to be changed there; tables that are replaced whole are best left out: nothing
    of what they held will be in the file. Then what followed positions is summed up. The file has no log.
    """
    connection.execute(f"ATTACH {literal(new)} AS settled (RECOVERY_MODE no_wal_writes)")
    with connection.cursor() as copy:
        copy.execute("USE settled")
        copy.begin()
        schema.create(copy)
        copy.execute("DELETE FROM _meta")
        copy.commit()
        _fill(connection, without)
        nodes.forget(copy)
        yield copy
        nodes.refresh(copy)
        met(copy)
        copy.execute("CHECKPOINT")
    connection.execute("DETACH settled")


def _fill(connection: duckdb.DuckDBPyConnection, without: Collection[str]) -> None:
    """Copy every table but the nodes: small tables side by side, since sorting one is not work for all cores from beginning to end."""
    tables = [table for table in schema.table_names() if table not in (*_LARGEST_FIRST, *without, "node")]
    with ThreadPoolExecutor(1 if needs_all_memory(connection) else 2) as threads:
        for done in [threads.submit(_copy, connection, table) for table in (*_LARGEST_FIRST, *tables)]:
            done.result()


def _copy(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    with connection.cursor() as own:
        if table == "position":
            _copy_positions(own)
        else:
            _insert(own, table)


def _copy_positions(connection: duckdb.DuckDBPyConnection) -> None:
    """Those of each board by themselves: sets of few rings take few bits, but not among others.

    Columns that only large boards have a use for are not sorted along with the others: they would take more room than all of them.
    """
    large = [name for name in schema.arrow_schema("position").names if name.endswith("_high")]
    _insert(connection, "position", f"* EXCLUDE ({', '.join(large)})", f"board <> '{CUSTOM}'", "board, ")
    boards = connection.execute("SELECT board FROM _position UNION SELECT board FROM _game").fetchall()
    if (CUSTOM,) in boards:
        _insert(connection, "position", condition=f"board = '{CUSTOM}'")


def _insert(
    connection: duckdb.DuckDBPyConnection, table: str, columns: str = "*", condition: str = "true", order: str = ""
) -> None:
    """Copy a table in its order."""
    rows = f"FROM _{table}"
    if table in staging.TABLES:
        connection.register("staged", staging.reader(connection, table))
        rows = f"FROM ({rows} UNION ALL BY NAME FROM staged)"
    connection.execute(
        f"INSERT INTO settled._{table} BY NAME SELECT {columns} {rows} WHERE {condition} ORDER BY {order}{schema.order_of(table)}"
    )


def _count_positions(connection: duckdb.DuckDBPyConnection) -> int:
    return int(connection.execute("SELECT count(*) FROM _position").fetchall()[0][0])
