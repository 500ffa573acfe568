"""Parameters for DuckDB that don't cost half a second.

Handed its first Python value, DuckDB's package imports pandas to ask whether it is one of pandas'. So values travel in
the query, as literals that hold no text: a string is written in hexadecimal digits. A query that was prepared would be planned
twice, without its values the first time; short ones take no longer than that.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

Value = str | int | dt.date


def execute(
    connection: duckdb.DuckDBPyConnection, query: str, values: Sequence[Value] = ()
) -> duckdb.DuckDBPyConnection:
    """Run a query with values for its parameters (`?`)."""
    if not values:
        return connection.execute(query)
    literals = map(_literal, values)
    return connection.execute(_PARAMETER.sub(lambda found: next(literals) if found[0] == "?" else found[0], query))


_PARAMETER = re.compile(r"'[^']*'|\?")
"""A parameter, or a literal in which `?` is not one."""


def _literal(value: Value) -> str:
    if isinstance(value, str):
        return f"decode(from_hex('{value.encode().hex()}'))"
    return f"DATE '{value.isoformat()}'" if isinstance(value, dt.date) else f"({value:d})"
