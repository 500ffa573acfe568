"""Open a file under construction, with limits on memory, and load whole columns by name."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from zertz_db.store.duckdb_paths import for_duckdb_to_write
from zertz_db.store.loading import large_records

MEMORY = 380_000_000
"""Bytes for DuckDB's work; it spills the rest to a temporary folder next to the file, whose name begins with the file's."""
TO_APPEND = 130_000_000
"""Bytes for a connection that only appends, since it profits little from DuckDB's cache."""
STORAGE_VERSION = "v1.4.0"
"""The oldest DuckDB that can read new files: earlier ones can't compress records by zstd, which halves them."""
MAX_LOG_SIZE = "256MB"
"""Size at which DuckDB writes its log to the tables; each time it also rewrites the last rows of each table."""
_MAX_THREADS = 4
"""Maximum number of DuckDB's threads; each needs its share of that memory."""

_ROWS = "rows_to_load"


def open_to_write(file: Path) -> duckdb.DuckDBPyConnection:
    """Open a file under construction, created if missing, with memory that does not grow with the file."""
    options: dict[str, Any] = {
        **_bounds(),
        "checkpoint_threshold": MAX_LOG_SIZE,
        "storage_compatibility_version": STORAGE_VERSION,
    }
    connection = duckdb.connect(for_duckdb_to_write(file), config=options)
    connection.execute("SET enable_progress_bar = false")  # DuckDB's own bar, in notebooks and programs without a file
    return connection


def limit_memory(connection: duckdb.DuckDBPyConnection, memory: int) -> None:
    """Limit DuckDB's memory to this number of bytes, besides what large records need."""
    more = large_records.count_extra_memory(connection)
    with suppress(duckdb.OutOfMemoryException):  # it uses more at the moment
        connection.execute(f"SET memory_limit = '{memory + more}B'")


def release_memory() -> None:
    """Return free but fragmented memory to the system: a tenth of a gigabyte after many batches."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # not every C library has it
        if trim:
            trim(0)


def write_log(connection: duckdb.DuckDBPyConnection) -> None:
    """Write DuckDB's log of a small change to the tables."""
    with one_thread(connection):
        connection.execute("CHECKPOINT")


@contextmanager
def one_thread(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let DuckDB do each statement of the block on its caller's thread: more would wait for each other, at twice the processor time."""
    connection.execute("SET threads = 1")
    try:
        yield
    finally:
        with suppress(duckdb.Error):  # after a fatal error
            connection.execute(f"SET threads = {_count_threads()}")


@contextmanager
def without_merging(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let DuckDB write its log to the tables in this block without merging small groups of rows, if a commit of the block comes before.

    DuckDB merges them only while nobody else reads. It would read and write most rows of a large import again, for seconds, in one thread.
    """
    with connection.cursor() as reader:
        reader.begin()
        reader.execute("SELECT count(*) FROM _meta").fetchall()  # only now has it begun
        try:
            yield
        finally:
            with suppress(duckdb.Error):  # after a fatal error
                reader.rollback()


def stream_directly(rows: pa.RecordBatchReader) -> object:
    """Return the rows of a reader, for one query: DuckDB takes them in its own thread.

    From the reader, or another object with Arrow's protocol for streams, Arrow would read ahead in other threads, and filter a copy.
    """
    return rows.__arrow_c_stream__()


def _bounds() -> dict[str, str | int]:
    return {"memory_limit": f"{MEMORY}B", "threads": _count_threads()}


def _count_threads() -> int:
    return min(os.cpu_count() or 1, _MAX_THREADS)


def load(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> int:
    """Append rows to a table ("game", "position", …) and return how many there were.

    Match columns by name; a missing column is NULL. DuckDB raises an error for an unknown column, or a NULL in a column without.
    `schema.arrow_schema(table)` has the types.
    """
    if rows.num_rows:
        execute_with(connection, f"INSERT INTO _{table} BY NAME SELECT * FROM {_ROWS}", _ROWS, rows)
    return int(rows.num_rows)


def execute_with(connection: duckdb.DuckDBPyConnection, statement: str, name: str, rows: pa.Table) -> None:
    """Execute a statement that reads rows once, under a name.

    DuckDB gets them as a stream, with its own protocol: for a table it would import `pyarrow.dataset`, which takes 45 ms.
    """
    connection.register(name, rows.__arrow_c_stream__())
    try:
        connection.execute(statement)
    finally:
        connection.unregister(name)
