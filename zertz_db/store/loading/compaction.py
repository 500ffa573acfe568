"""Compact a generation: write its tables to a new file, each in its order and without gaps.

A position is found in milliseconds if positions of a board are sorted by key. Large tables are sorted slice by slice (`external_sort`).
New positions are appended after the sorted ones. Rewrite the file once the unsorted ones exceed 1/16 of all positions or free space
exceeds 1/3 of the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from itertools import chain
from pathlib import Path

import duckdb
import pyarrow as pa

from zertz_db.store.duckdb_paths import for_duckdb_to_write
from zertz_db.store.loading import external_sort, opening_nodes, staging
from zertz_db.store.loading.bulk_load import (
    STORAGE_VERSION,
    limit_memory,
    one_thread,
    release_memory,
    stream_directly,
    write_log,
)
from zertz_db.store.schema import ddl, meta, table_columns
from zertz_db.store.sql_literals import literal

MAX_UNSORTED = 1 / 16
"""Maximum share of unsorted positions; a compaction takes as long for one new position as for all."""
MAX_GAPS = 1 / 3
"""Maximum share of free space in the file; one new game makes a quarter free, because DuckDB rewrites the last rows of each table."""

_COMPACTED = "settled_positions"
_LARGEST_FIRST = ("position", "game")
_UNSORTED = "record"
"""The table whose rows stay in the order in which they were added: sorting the bytes of records would take too much memory."""
_FIT_TOGETHER = 1_750_000
"""Maximum number of rows of a table that can be sorted at the same time as another; more rows need all the memory."""
_MOST_GAMES = 150_000
"""Maximum number of games to sort in memory: with moves and clocks a game takes as much as ten positions."""
_FOR_SLICES = 250_000_000
"""Bytes of memory to sort a slice; part of it is sorted on the disk, since other rows are in memory too."""
_BATCH = 20_000
"""Rows to read at once; games are the largest, with about a kilobyte."""
CUSTOM = "custom"
"""The name of all boards that may have more than 63 rings."""


def is_due(connection: duckdb.DuckDBPyConnection, *, ignore_gaps: bool = False) -> bool:
    """Return whether a file under construction should be compacted.

    Write DuckDB's log to the tables if only gaps could be a reason. ignore_gaps: gaps are not a reason, because the file does not change.
    """
    if is_demanded(connection):
        return True
    positions = _count(connection, "position")
    settled = int(meta.read(connection).get(_COMPACTED, 0))
    return abs(positions - settled) > MAX_UNSORTED * positions or (not ignore_gaps and _has_gaps(connection))


def _has_gaps(connection: duckdb.DuckDBPyConnection) -> bool:
    write_log(connection)
    gaps = connection.execute("SELECT free_blocks > ? * total_blocks FROM pragma_database_size()", [MAX_GAPS])
    return bool(gaps.fetchall()[0][0])


def demand(connection: duckdb.DuckDBPyConnection) -> None:
    """Demand a compaction however little has changed, so that no deleted rows stay in gaps."""
    meta.write(connection, {_COMPACTED: -1})


def is_demanded(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a compaction is demanded."""
    return int(meta.read(connection).get(_COMPACTED, 0)) < 0


def clear_demand(connection: duckdb.DuckDBPyConnection) -> None:
    """Note that there are no gaps left."""
    meta.write(connection, {_COMPACTED: _count(connection, "position")})


def needs_all_memory(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether there are so many positions that a compaction needs all the memory."""
    return _count(connection, "position") > _FIT_TOGETHER


@contextmanager
def compact(
    connection: duckdb.DuckDBPyConnection, new: Path, without: Collection[str] = ()
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Write the connection's database, with its staged rows, to the file `new`, which must not exist: `with compact(…) as copy`.

    copy: a connection to the new file, for further changes. without: tables to leave empty, because they are replaced in full; the file
    has none of their old rows. After the block the nodes are summed. The file has no log.
    """
    release_memory()
    if needs_all_memory(connection):
        limit_memory(connection, _FOR_SLICES)
    options = f"RECOVERY_MODE no_wal_writes, STORAGE_VERSION '{STORAGE_VERSION}'"
    connection.execute(f"ATTACH {literal(for_duckdb_to_write(new))} AS settled ({options})")
    with connection.cursor() as copy:
        copy.execute("USE settled")
        copy.begin()
        ddl.create(copy)
        copy.execute("DELETE FROM _meta")
        copy.commit()
        _fill(connection, new, without)
        opening_nodes.forget(copy)
        yield copy
        opening_nodes.refresh(copy)
        clear_demand(copy)
        copy.execute("CHECKPOINT")
    connection.execute("DETACH settled")


def _fill(connection: duckdb.DuckDBPyConnection, new: Path, without: Collection[str]) -> None:
    """Copy every table except the nodes: a large one with all threads, two small ones at a time with a thread each."""
    is_large = needs_all_memory(connection)
    tables = [table for table in table_columns.table_names() if table not in (*_LARGEST_FIRST, *without, "node")]
    with ThreadPoolExecutor(1 if is_large else 2) as threads, nullcontext() if is_large else one_thread(connection):
        for done in [
            threads.submit(_copy, connection, table, new.with_suffix(f".{table}") if is_large else None)
            for table in (*_LARGEST_FIRST, *tables)
        ]:
            done.result()


def _copy(connection: duckdb.DuckDBPyConnection, table: str, slices: Path | None) -> None:
    with connection.cursor() as own:
        if table == "position":
            _copy_positions(own, slices)
        else:
            _insert(own, table, slices)


def _copy_positions(connection: duckdb.DuckDBPyConnection, slices: Path | None) -> None:
    """Copy the positions of each board separately: sets of few rings compress to few bits, but not among others.

    Sort columns for large boards only with those boards: they would take more space than all the others.
    """
    columns = [name for name in table_columns.arrow_schema("position").names if not name.endswith("_high")]
    _insert(connection, "position", slices, columns, f"board <> '{CUSTOM}'", "board, ")
    boards = connection.execute("SELECT board FROM _position UNION SELECT board FROM _game").fetchall()
    if (CUSTOM,) in boards:
        _insert(connection, "position", slices, condition=f"board = '{CUSTOM}'")


def _insert(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    slices: Path | None,
    columns: Sequence[str] = (),
    condition: str = "true",
    order: str = "",
) -> None:
    """Copy a table, or some of its columns, in its order; if it has many rows, slice by slice in the folder `slices`."""
    order += table_columns.order_of(table)
    sorting = "" if table == _UNSORTED else f"ORDER BY {order}"
    columns = columns or table_columns.arrow_schema(table).names
    names = ", ".join(f'"{name}"' for name in columns)
    insert = f"INSERT INTO settled._{table} BY NAME SELECT {names} {{}} WHERE {condition} {sorting}"
    if slices and sorting and _count(connection, table) > (_MOST_GAMES if table == "game" else _FIT_TOGETHER):
        for rows in external_sort.sort_in_slices(
            partial(_batches, connection, table, columns), order.split(", "), condition, slices
        ):
            connection.register("slice", rows)
            connection.execute(insert.format("FROM slice"))
            connection.unregister("slice")
    elif table in staging.TABLES:
        connection.register("staged", stream_directly(staging.reader(connection, table, columns)))
        connection.execute(insert.format(f"FROM (FROM _{table} UNION ALL BY NAME FROM staged)"))
    else:
        connection.execute(insert.format(f"FROM _{table}"))


def _batches(connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str]) -> pa.RecordBatchReader:
    """Return columns of a table's rows, then of its staged rows."""
    of_table = table_columns.arrow_schema(table)
    staged = staging.reader(connection, table) if table in staging.TABLES else ()
    selected = (batch.select(columns) for batch in chain(_stored(connection.cursor(), table, of_table), staged))
    return pa.RecordBatchReader.from_batches(pa.schema([of_table.field(name) for name in columns]), selected)


def _stored(connection: duckdb.DuckDBPyConnection, table: str, of_table: pa.Schema) -> Iterator[pa.RecordBatch]:
    rows = int(connection.execute(f"SELECT coalesce(max(rowid), -1) + 1 FROM _{table}").fetchall()[0][0])
    for first in range(0, rows, _BATCH):
        some = connection.execute(f"FROM _{table} WHERE rowid >= ? AND rowid < ?", [first, first + _BATCH])
        yield from some.to_arrow_table().cast(of_table).to_batches()


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    stored = int(connection.execute(f"SELECT count(*) FROM _{table}").fetchall()[0][0])
    return stored + staging.count(connection, table)
