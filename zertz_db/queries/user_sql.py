"""Run the user's SQL: it can read the database, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from sys import getsizeof
from threading import Timer
from typing import Any

import duckdb

from zertz_db.queries.errors import QueryError
from zertz_db.queries.result import Column, Result
from zertz_db.store.errors import is_damage
from zertz_db.store.folder.database import Database

SECONDS = 60
MEMORY = "1GB"
_UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_PART = 5000
"""Number of rows per fetch."""


def run_sql(database: Database, text: str, *, seconds: float = SECONDS, memory: str = MEMORY) -> Result:
    """Run one SELECT (or WITH, FROM, DESCRIBE …) over the public views.

    It runs in a DuckDB of its own that can't touch files, the network or its own settings. seconds: after which it is interrupted; 0 for
    no limit. memory: that DuckDB may use for the work, and the answer as Python's objects, such as 500MB; nothing goes to the disk.
    QueryError for anything else than one such statement, for what DuckDB refuses, and beyond the limits; for an unknown name it
    lists the views or columns. DuckDB does not look for an interrupt inside a row: who needs a certain end must end the process.
    """
    statement = _only_select(text)
    most = _bytes(memory)
    with _confined(database, most) as connection, _interrupted_after(connection, seconds):
        try:
            connection.execute(statement)
            columns = tuple(Column(column[0]) for column in connection.description or ())
            return Result(columns, list(_rows(connection, most, memory)))
        except duckdb.InterruptException as error:
            raise QueryError(f"stopped after {seconds:g} s; select less, or allow more time") from error
        except duckdb.OutOfMemoryException as error:
            raise QueryError(_too_large(memory)) from error
        except duckdb.Error as error:
            if is_damage(error):
                raise
            raise QueryError(_explained(connection, error)) from error


def _rows(connection: duckdb.DuckDBPyConnection, most: int, memory: str) -> Iterator[tuple[Any, ...]]:
    """Return the rows if they fit into a number of bytes: in Python they need several times the memory of DuckDB."""
    size = 0
    while part := connection.fetchmany(_PART):
        size += sum(map(getsizeof, part)) + sum(map(getsizeof, chain.from_iterable(part)))
        if size > most:
            raise QueryError(_too_large(memory))
        yield from part


def _too_large(memory: str) -> str:
    return (
        f"stopped: the query needs more memory than {memory}; select less (LIMIT, fewer columns), or allow more memory"
    )


@contextmanager
def _interrupted_after(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    timer = Timer(seconds, connection.interrupt)
    timer.daemon = True
    if seconds:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if seconds:
            timer.join()  # its thread must not outlast the query


def _bytes(memory: str) -> int:
    """Return a size such as 1.5GB in bytes. QueryError."""
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?([KMGT]B)", memory.strip().upper())
    size = int(float(found[1]) * _UNITS[found[2]]) if found else 0
    if not size:
        raise QueryError(f"{memory!r} is not a size of memory; write 500MB or 4GB")
    return size


def _only_select(text: str) -> duckdb.Statement:
    try:
        statements = duckdb.extract_statements(text)
    except duckdb.Error as error:
        raise QueryError(str(error)) from error
    if len(statements) != 1:
        raise QueryError(f"run one statement at a time; these are {len(statements)}")
    if statements[0].type != duckdb.StatementType.SELECT:
        kind = statements[0].type.name
        raise QueryError(f"only SELECT … and WITH … SELECT … can run, not {kind}")
    return statements[0]


def _confined(database: Database, memory: int) -> duckdb.DuckDBPyConnection:
    database.connection()  # switches to the live generation
    limit = f"{memory}B"
    connection = duckdb.connect(
        config={"python_enable_replacements": False, "temp_directory": "", "memory_limit": limit}
    )
    for command in (
        *database.confined("live"),
        "USE live",
        *database.overlay("live"),
        "SET lock_configuration = true",
    ):
        connection.execute(command)
    return connection


def _explained(connection: duckdb.DuckDBPyConnection, error: duckdb.Error) -> str:
    if isinstance(error, duckdb.CatalogException) and "Table with name" in str(error):
        return f"{_first_line(error)}\nThere are: {', '.join(views(connection))}"
    if isinstance(error, duckdb.BinderException) and "column" in str(error):
        columns = "\n".join(f"  {view}: {', '.join(names)}" for view, names in views(connection).items())
        return f"{error}\n\nThe views and their columns:\n{columns}"
    if isinstance(error, duckdb.PermissionException):
        return f"SQL can read the database only, not files:  {_first_line(error)}"
    return str(error)


def _first_line(error: duckdb.Error) -> str:
    return str(error).partition("\n")[0]


def views(connection: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Return the public views with their columns."""
    rows = connection.execute("""
        SELECT view_name, list(column_name ORDER BY column_index)
        FROM duckdb_views() JOIN duckdb_columns() ON table_oid = view_oid AND duckdb_columns.database_oid = duckdb_views.database_oid
        WHERE NOT duckdb_views.internal GROUP BY view_name ORDER BY view_name
    """)
    return dict(rows.fetchall())
