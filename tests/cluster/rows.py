"""The contents of a database, for comparison with another that should be equal."""

import duckdb

from zertz_db.store.schema import table_columns

_TIMES = {"source": "read_at", "import": "made_at"}
"""Columns with times."""


def rows(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of all tables except the facts about the file, and all plies, sorted, without times."""
    return {
        table: connection.execute(
            f"SELECT * {f'EXCLUDE {_TIMES[table]}' if table in _TIMES else ''} FROM _{table} ORDER BY ALL"
        ).fetchall()
        for table in (*table_columns.table_names(), "ply")
        if table != "meta"
    }
