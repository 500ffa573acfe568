"""What is in a database, for comparison with another that should hold the same."""

import duckdb

from zertz_db.store.schema import ddl

_TIMES = {"source": "read_at", "import": "made_at"}
"""Columns that say when something was done."""


def rows(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[object, ...]]]:
    """All rows of all tables but the facts about the file, in an order of their own, without times."""
    return {
        table: connection.execute(
            f"SELECT * {f'EXCLUDE {_TIMES[table]}' if table in _TIMES else ''} FROM _{table} ORDER BY ALL"
        ).fetchall()
        for table in ddl.table_names()
        if table != "meta"
    }
