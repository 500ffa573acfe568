"""Facts about a generation's file, as text: the schema's version, the time of creation, notes of the importer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import duckdb

from zertz_db.store.errors import SchemaMismatch, UnreadableDatabase

SCHEMA_VERSION = 8
ADDED_TABLES = ("analysis", "tactic", "puzzle", "rating")
"""The tables that have been added since version 3."""

WORK = "work"
"""The fact that describes, in its builder's words, the work in a file under construction; missing before any work."""
WITHDRAWN = "withdrawn"
"""The fact that the work in a file under construction has withdrawn records that are missing from their files: yes or no."""
BASE = "based_on"
"""The fact that names the generation's file that a file started from; empty for the first one."""


def read(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return all facts by name: schema_version, generation, created, rules_version, …"""
    return dict(connection.execute("SELECT name, value FROM _meta ORDER BY name").fetchall())


def write(connection: duckdb.DuckDBPyConnection, facts: Mapping[str, object]) -> None:
    """Set these facts and leave the others. Write only changed ones: in a lake each row that is written is a file."""
    before = read(connection)
    new = {name: str(value) for name, value in facts.items() if before.get(name) != str(value)}
    if new:
        connection.execute("DELETE FROM _meta WHERE name IN (SELECT unnest(?))", [[*new]])
        connection.execute(
            "INSERT INTO _meta BY NAME SELECT unnest(?) AS name, unnest(?) AS value", [[*new], [*new.values()]]
        )


def schema_version(connection: duckdb.DuckDBPyConnection, path: Path) -> int:
    """Return the version of a file's tables. Raise UnreadableDatabase if it has none."""
    try:
        return int(read(connection)["schema_version"])
    except (duckdb.CatalogException, KeyError, ValueError) as error:
        raise UnreadableDatabase(f"{path} is a DuckDB file, but not one of zertz-db.") from error


def missing_tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the tables of ADDED_TABLES that the current database of a connection lacks."""
    query = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()"
    there = {name for (name,) in connection.execute(query).fetchall()}
    return [name for name in ADDED_TABLES if f"_{name}" not in there]


def require_schema(connection: duckdb.DuckDBPyConnection, path: Path, database: Path | None = None) -> None:
    """Raise SchemaMismatch if a file has the tables of another version. database: its folder, unless that is the file's own."""
    version = schema_version(connection, path)
    if version > SCHEMA_VERSION:
        raise SchemaMismatch(
            f"{path} was written by a newer zertz-db (schema {version}, this one knows {SCHEMA_VERSION}). "
            "Update this one: pip install --upgrade zertz-db"
        )
    if version < SCHEMA_VERSION:
        raise SchemaMismatch(
            f"{path} was written by an older zertz-db (schema {version}, this one needs {SCHEMA_VERSION}). "
            f"Update it: zertz migrate --db {database or path.parent}"
        )
