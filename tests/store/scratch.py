"""Empty tables in memory, for tests with many examples: creating them takes much longer than rolling back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import duckdb

from zertz_db.store.schema import ddl


@contextmanager
def empty_tables() -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection to a database without rows; roll back all changes afterwards."""
    connection = _database()
    connection.begin()
    try:
        yield connection
    finally:
        connection.rollback()


@cache
def _database() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    ddl.create(connection)
    return connection
