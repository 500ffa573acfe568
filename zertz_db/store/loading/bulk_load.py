"""Writing to a file under construction: opening it, within bounds, and bulk load of whole columns by name."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import suppress
from pathlib import Path

import duckdb
import pyarrow as pa

from zertz_db.store.folder.generations import for_duckdb_to_write

MEMORY = 380_000_000
"""Bytes for DuckDB's work; what does not fit, it keeps for a while in a folder beside the file, whose name begins with the file's."""
TO_APPEND = 60_000_000
"""Bytes: who only appends has little use for what else DuckDB would keep."""
_RECORD_INDEXED = 70
"""Bytes: indexes are the only thing that stays in memory whole."""
MAX_LOG_SIZE = "64MB"
"""Then DuckDB writes what is new to the tables, and begins the log anew: each time it writes the last rows of each table once more."""
_MAX_THREADS = 4
"""Each needs its share of that memory."""

_ROWS = "rows_to_load"


def open_to_write(file: Path) -> duckdb.DuckDBPyConnection:
    """Open a file under construction, or make it, so that memory does not grow with it."""
    connection = duckdb.connect(for_duckdb_to_write(file), config={**_bounds(), "checkpoint_threshold": MAX_LOG_SIZE})
    connection.execute("SET enable_progress_bar = false")  # DuckDB's own, in notebooks and programs without a file
    return connection


def set_limits(connection: duckdb.DuckDBPyConnection, memory: int, coming: int = 0) -> None:
    """Let DuckDB have so many bytes for its work, beside the indexes of the records that there are and of those that are coming."""
    records = coming + int(connection.execute("SELECT count(*) FROM _record").fetchall()[0][0])
    with suppress(duckdb.OutOfMemoryException):  # it has more in use just now
        connection.execute(f"SET memory_limit = '{memory + _RECORD_INDEXED * records}B'")


def release_memory() -> None:
    """Give the system the memory that is free but in pieces: after many lots that is a tenth of a gigabyte."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # not every C library has it
        if trim:
            trim(0)


def _bounds() -> dict[str, str | int]:
    return {"memory_limit": f"{MEMORY}B", "threads": min(os.cpu_count() or 1, _MAX_THREADS)}


def load(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> int:
    """Append rows to a table ("game", "ply", …) and return how many there were.

    Columns are matched by name; one that is missing is NULL. An unknown column, or a NULL where none may be, is an
    error of DuckDB's. `schema.arrow_schema(table)` has the types.
    """
    if not rows.num_rows:
        return 0
    connection.register(_ROWS, rows)
    try:
        connection.execute(f"INSERT INTO _{table} BY NAME SELECT * FROM {_ROWS}")
    finally:
        connection.unregister(_ROWS)
    return int(rows.num_rows)
