"""Materialise annotations in a generation under construction."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import duckdb
import pyarrow as pa

from zertz_db.store.annotations import apply_corrections, corrections, marks, noted_tombstones, overlay
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.schema import meta
from zertz_db.store.schema.table_columns import arrow_schema

TABLES = ("player", "alias", "mark")
"""Tables that derive from the games and the files."""


def materialise_annotations(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Apply corrections to the games; fill the tables of players, aliases and marks from them and the files of the folder."""
    apply_corrections.revert(connection)
    apply_corrections.apply(connection, folder)
    state = overlay.state(folder)  # before the files are read, so that a later change is noticed
    for table, rows in overlay.tables(connection, folder).items():
        replace(connection, table, rows)
    meta.write(connection, {overlay.FACT: state})
    noted_tombstones.note(connection, folder)


def require_readable(folder: Path) -> None:
    """Raise UnreadableDatabase if `materialise_annotations` would."""
    marks.read(folder)
    corrections.in_force(folder)  # reads the tombstones too


def replace(connection: duckdb.DuckDBPyConnection, table: str, rows: list[overlay.Row]) -> None:
    """Give a table these rows. Write only rows with a first column that belongs to a changed row, unless it may be NULL."""
    now, wanted = Counter(connection.execute(f"FROM _{table}").fetchall()), Counter(rows)
    changed = {row[0] for row in ((now - wanted) + (wanted - now))}
    if not changed:
        return
    schema = arrow_schema(table)
    if None in changed:
        connection.execute(f"DELETE FROM _{table}")
    else:
        rows = [row for row in rows if row[0] in changed]
        connection.execute(f"DELETE FROM _{table} WHERE {schema.names[0]} IN (SELECT unnest(?))", [[*changed]])
    load(connection, table, pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema))
