"""Bulk load: whole columns, by name."""

from __future__ import annotations

import duckdb
import pyarrow as pa

_ROWS = "rows_to_load"


def load(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> int:
    """Append rows to a table ("game", "ply", …) and return how many there were.

    Columns are matched by name; one that is missing is NULL. An unknown column, or a NULL where none may be, is an
    error of DuckDB's. `schema.arrow_schema(table)` has the types.
    """
    connection.register(_ROWS, rows)
    try:
        connection.execute(f"INSERT INTO _{table} BY NAME SELECT * FROM {_ROWS}")
    finally:
        connection.unregister(_ROWS)
    return int(rows.num_rows)
