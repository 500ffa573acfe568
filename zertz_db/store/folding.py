"""Folding what people say into a generation under construction."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa

from zertz_db.store import corrected, corrections, marks, meta, people, said
from zertz_db.store.loading import load
from zertz_db.store.schema import arrow_schema

TABLES = ("player", "alias", "mark")
"""Tables that follow whole from the games and the files."""


def materialise_annotations(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Let games be as they are corrected, and the tables of players, aliases and marks follow from them and the files of the folder."""
    corrected.revert(connection)
    corrected.apply(connection, folder)
    state = said.state(folder)  # before the files are read, so that a change meanwhile is noticed
    for table, rows in said.tables(connection, folder).items():
        replace(connection, table, rows)
    meta.write(connection, {said.FACT: state})


def require_readable(folder: Path) -> None:
    """Raise UnreadableDatabase if `fold` would in the end."""
    people.read_aliases(folder)
    marks.read(folder)
    corrections.in_force(folder)


def replace(connection: duckdb.DuckDBPyConnection, table: str, rows: list[said.Row]) -> None:
    """Let a table have these rows, if it has others."""
    if sorted(connection.execute(f"FROM _{table}").fetchall(), key=repr) == sorted(rows, key=repr):
        return
    schema = arrow_schema(table)
    connection.execute(f"DELETE FROM _{table}")
    load(connection, table, pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema))
