"""Parameters for DuckDB that don't cost half a second; and a check of numbers of rows.

DuckDB's package imports pandas for its first Python value, to ask whether it is one of pandas'. So values are written into the query
as literals. DuckDB would plan a prepared query twice, the first time without its values; a short query takes no longer than that.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zertz_db.queries.errors import QueryError
from zertz_db.store.sql_literals import literal

if TYPE_CHECKING:
    import duckdb

Value = str | int | dt.date


def execute(
    connection: duckdb.DuckDBPyConnection, query: str, values: Sequence[Value] = ()
) -> duckdb.DuckDBPyConnection:
    """Run a query with values for its parameters (`?`)."""
    return connection.execute(insert_values(query, values))


def insert_values(query: str, values: Sequence[Value]) -> str:
    """Return a query with literals in place of its parameters (`?`)."""
    literals = map(_typed, values)
    return _PARAMETER.sub(lambda found: next(literals) if found[0] == "?" else found[0], query) if values else query


_PARAMETER = re.compile(r"'[^']*'|\?")
"""A parameter, or a literal in which `?` is not one."""


def _typed(value: Value) -> str:
    """Return a literal. A text stays a text: DuckDB would read a bare one as a date where it is compared with dates."""
    return f"{literal(value)}::VARCHAR" if isinstance(value, str) else literal(value)


_LARGEST = 2**63 - 1
"""Largest number of rows that DuckDB can count."""


def require_row_count(count: int, noun: str) -> None:
    """Raise QueryError for a number of rows that can't be listed: below zero, or beyond 64 bits. noun: the rows, in the plural."""
    if not 0 <= count <= _LARGEST:
        raise QueryError(f"{count} {noun} can't be listed; give a number from 0 to {_LARGEST}")
