"""Compact a generation: write its tables to a new file, each in its order and without gaps.

A position is found in milliseconds if positions of a board are sorted by key. Large tables are sorted slice by slice (`external_sort`).
New positions are appended after the sorted ones. Rewrite the file once the unsorted ones exceed 1/16 of all positions or free space
exceeds 1/3 of the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import chain, takewhile
from pathlib import Path
from threading import Event
from typing import NamedTuple

import duckdb
import pyarrow as pa

from zertz_db.store.duckdb_paths import for_duckdb_to_write
from zertz_db.store.loading import external_sort, opening_nodes, staging
from zertz_db.store.loading.bulk_load import (
    STORAGE_VERSION,
    limit_memory,
    release_memory,
    stream_directly,
    write_log,
)
from zertz_db.store.loading.external_sort import Slices
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
_FOR_SLICES = 250_000_000
"""Bytes of memory to sort a slice; part of it is sorted on the disk, since other rows are in memory too."""
_BATCH = 50_000
"""Rows to read at once; games are the largest, with half a kilobyte to one."""
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


class _Part(NamedTuple):
    """Rows of a table that are sorted together. order: by these columns; not sorted without any."""

    table: str
    columns: Sequence[str]
    order: Sequence[str]
    condition: str = "true"

    @property
    def insert(self) -> str:
        """Return the statement that copies the rows from `{}`."""
        names = ", ".join(f'"{name}"' for name in self.columns)
        sorting = f"ORDER BY {', '.join(self.order)}" if self.order else ""
        return f"INSERT INTO settled._{self.table} BY NAME SELECT {names} FROM {{}} WHERE {self.condition} {sorting}"


def _list_parts(connection: duckdb.DuckDBPyConnection, table: str) -> list[_Part]:
    """Return the parts of a table, in order.

    Positions are sorted by board: sets of few rings compress to few bits, but not among others. Columns for large boards are sorted only
    with those boards: they would take more space than all the others.
    """
    columns, order = table_columns.arrow_schema(table).names, table_columns.order_of(table).split(", ")
    if table != "position":
        return [_Part(table, columns, () if table == _UNSORTED else order)]
    usual = [name for name in columns if not name.endswith("_high")]
    parts = [_Part(table, usual, ("board", *order), f"board <> '{CUSTOM}'")]
    boards = connection.execute("SELECT board FROM _position UNION SELECT board FROM _game").fetchall()
    return [*parts, _Part(table, columns, order, f"board = '{CUSTOM}'")] if (CUSTOM,) in boards else parts


def _fill(connection: duckdb.DuckDBPyConnection, new: Path, without: Collection[str]) -> None:
    """Copy every table except the nodes, to the file `new`."""
    tables = [table for table in table_columns.table_names() if table not in (*_LARGEST_FIRST, *without, "node")]
    if needs_all_memory(connection):
        _fill_large(connection, new, [*tables, *reversed(_LARGEST_FIRST)])  # positions have to be distributed first
        return
    with ThreadPoolExecutor(2) as threads:
        for done in [threads.submit(_copy, connection, table) for table in (*_LARGEST_FIRST, *tables)]:
            done.result()


def _fill_large(connection: duckdb.DuckDBPyConnection, new: Path, tables: Sequence[str]) -> None:
    """Copy one table after the other by all threads; meanwhile another thread distributes the large ones to slices."""
    stop = Event()
    parts = [part for table in tables for part in _list_parts(connection, table)]
    with ThreadPoolExecutor(1) as thread:
        slices = [
            (part, thread.submit(_write_slices, connection, part, new.with_suffix(f".{number}"), stop))
            if part.order and _count(connection, part.table) > _FIT_TOGETHER
            else (part, None)
            for number, part in enumerate(parts)
        ]
        try:
            for part, files in slices:
                with connection.cursor() as own:
                    if files:
                        _copy_slices(own, part, files.result())
                    else:
                        _copy_at_once(own, part)
        finally:
            stop.set()


def _copy(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    with connection.cursor() as own:
        for part in _list_parts(own, table):
            _copy_at_once(own, part)
        if table == _UNSORTED:
            own.execute("CHECKPOINT settled")  # one thread packs the bytes of records, while others sort positions


def _copy_at_once(connection: duckdb.DuckDBPyConnection, part: _Part) -> None:
    source = f"_{part.table}"
    if part.table in staging.TABLES:
        connection.register("staged", stream_directly(staging.reader(connection, part.table, part.columns)))
        source = f"(FROM {source} UNION ALL BY NAME FROM staged)"
    connection.execute(part.insert.format(source))


def _write_slices(connection: duckdb.DuckDBPyConnection, part: _Part, folder: Path, stop: Event) -> Slices:
    with connection.cursor() as own:
        rows = partial(_batches, own, part.table, part.columns, stop)
        return external_sort.write_slices(rows, _count(own, part.table), part.order, part.condition, folder)


def _copy_slices(connection: duckdb.DuckDBPyConnection, part: _Part, slices: Slices) -> None:
    for rows in external_sort.read_slices(slices):
        connection.register("slice", stream_directly(rows))
        connection.execute(part.insert.format("slice"))
        connection.unregister("slice")


def _batches(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str], stop: Event, share: int
) -> pa.RecordBatchReader:
    """Return columns of a table's rows, then of its staged rows, until the event. share: with n, one of n rows or batches."""
    of_table = table_columns.arrow_schema(table)
    staged = staging.reader(connection, table, share=share) if table in staging.TABLES else ()
    batches = takewhile(
        lambda _: not stop.is_set(), chain(_stored(connection.cursor(), table, of_table, share), staged)
    )
    selected = (batch.select(columns) for batch in batches)
    return pa.RecordBatchReader.from_batches(pa.schema([of_table.field(name) for name in columns]), selected)


def _stored(
    connection: duckdb.DuckDBPyConnection, table: str, of_table: pa.Schema, share: int
) -> Iterator[pa.RecordBatch]:
    rows = int(connection.execute(f"SELECT coalesce(max(rowid), -1) + 1 FROM _{table}").fetchall()[0][0])
    for first in range(0, rows, _BATCH):
        some = connection.execute(
            f"FROM _{table} WHERE rowid >= ? AND rowid < ? AND rowid % ? = 0", [first, first + _BATCH, share]
        )
        yield from some.to_arrow_table().cast(of_table).to_batches()


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    stored = int(connection.execute(f"SELECT count(*) FROM _{table}").fetchall()[0][0])
    return stored + staging.count(connection, table)
