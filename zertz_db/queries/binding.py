"""Parameters for DuckDB that don't cost half a second.

Handed its first Python value, DuckDB's package imports pandas to ask whether it is one of pandas'. So queries are
prepared in SQL, and values travel as literals that hold no text: a string is written in hexadecimal digits.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

Value = str | int | dt.date


def run(connection: duckdb.DuckDBPyConnection, query: str, values: Sequence[Value] = ()) -> duckdb.DuckDBPyConnection:
    """Run a query, its parameters (`?`) being these values."""
    if not values:
        return connection.execute(query)
    connection.execute(f"PREPARE asked AS {query}")
    return connection.execute(f"EXECUTE asked({', '.join(map(_literal, values))})")


def _literal(value: Value) -> str:
    if isinstance(value, str):
        return f"decode(from_hex('{value.encode().hex()}'))"
    return f"DATE '{value.isoformat()}'" if isinstance(value, dt.date) else f"{value:d}"
