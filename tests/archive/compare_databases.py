"""Compare two databases row for row: `python -m tests.archive.compare_databases BEFORE AFTER`.

Prints each table with its number of rows, and the rows that only one of them has. Times and VOLATILE columns are not compared.
A table with other columns is compared by its public view.
Exits with status 1 if anything else differs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

from zertz_db.store.schema.tables import Row

VOLATILE = {"_record": ("reader_version",)}
IGNORED = {"_meta": "name <> 'created'"}
_SHOWN = 3


def find_file(folder: Path) -> Path:
    """Return the published file of a database."""
    return folder / (folder / "CURRENT").read_text(encoding="utf-8").strip()


def compare(before: Path, after: Path) -> int:
    """Print the differences; return their number."""
    connection = duckdb.connect()
    for name, folder in (("a", before), ("b", after)):
        connection.execute(f"ATTACH '{find_file(folder)}' AS {name} (READ_ONLY)")
    tables = {name: dict(_list_tables(connection, name)) for name in ("a", "b")}
    differences = len(set(tables["a"]) ^ set(tables["b"]))
    for table in sorted(set(tables["a"]) & set(tables["b"])):
        names, rows_of = tables["a"][table], table
        if set(names) != set(tables["b"][table]):
            rows_of = Row.metadata.tables[table].info["view"]
            names = [name for name, *_ in connection.execute(f"DESCRIBE a.{rows_of}").fetchall()]
        columns = ", ".join(f'"{name}"' for name in names if name not in VOLATILE.get(table, ()))
        counts, lines = [], []
        for one, other in (("a", "b"), ("b", "a")):
            rows = f"{rows_of} WHERE {IGNORED.get(table, True)}"
            missing = f"SELECT {columns} FROM {one}.{rows} EXCEPT ALL SELECT {columns} FROM {other}.{rows}"
            counts.append(_count(connection, missing))
            lines += [f"  only in {one}: {row}" for row in connection.execute(f"{missing} LIMIT {_SHOWN}").fetchall()]
        total = _count(connection, f"SELECT 1 FROM a.{table}")
        print(f"{table}: {total:,} rows, {counts[0]:,} only before, {counts[1]:,} only after", *lines, sep="\n")
        differences += sum(counts)
    return differences


def _count(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM ({query})").fetchone() or (0,)
    return int(count)


def _list_tables(connection: duckdb.DuckDBPyConnection, database: str) -> list[tuple[str, list[str]]]:
    return connection.execute(
        "SELECT table_name, list(column_name ORDER BY column_index) FROM duckdb_columns()"
        " WHERE database_name = ? AND NOT internal AND data_type NOT LIKE 'TIMESTAMP%'"
        " AND table_oid IN (SELECT table_oid FROM duckdb_tables() WHERE database_name = ?) GROUP BY table_name",
        [database, database],
    ).fetchall()


if __name__ == "__main__":
    sys.exit(compare(*map(Path, sys.argv[1:3])) > 0)
