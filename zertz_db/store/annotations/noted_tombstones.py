"""The tombstones that a database notes in its facts, so that a lost `people.jsonl` can't bring redacted names back."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable
from pathlib import Path

import duckdb

from zertz_db.plurals import format_count
from zertz_db.store.annotations import people_file
from zertz_db.store.annotations.people_file import Tombstone
from zertz_db.store.errors import UnreadableDatabase
from zertz_db.store.schema import meta

FACT = "redacted"
"""The fact with the tombstones, as JSON: hashes, pseudonyms, days."""


class MissingTombstones(UnreadableDatabase):
    """The files of annotations lack redacted names that the database has noted."""

    def __init__(self, folder: Path, count: int) -> None:
        names = format_count(count, "redacted name")
        super().__init__(
            f"{folder / people_file.FILE} lacks {names} that the database has noted: without them the names would return.",
            f"Restore the file from a backup, or restore its redacted names from the database: zertz doctor --repair --db {folder}",
        )


def note(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Add the tombstones of a folder to those that a database under construction has noted.

    Raise UnreadableDatabase as `read_redacted` does.
    """
    noted = {one.name_hash: one for one in (*read(connection), *people_file.read_redacted(folder))}
    if noted:
        rows = [{**one._asdict(), "since": one.since.isoformat()} for one in noted.values()]
        meta.write(connection, {FACT: json.dumps(rows)})


def read(connection: duckdb.DuckDBPyConnection) -> list[Tombstone]:
    """Return the tombstones that a database has noted; none for a file without facts."""
    try:
        rows = json.loads(meta.read(connection).get(FACT, "[]"))
        return [Tombstone(one["name_hash"], one["shown"], dt.date.fromisoformat(one["since"])) for one in rows]
    except (duckdb.CatalogException, ValueError, KeyError, TypeError):
        return []


def find_missing(noted: Iterable[Tombstone], folder: Path) -> list[Tombstone]:
    """Return the noted tombstones that the file lacks. Raise UnreadableDatabase as `read_redacted` does."""
    known = {one.name_hash for one in people_file.read_redacted(folder)}
    return [one for one in noted if one.name_hash not in known]


def require_complete(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Raise MissingTombstones if the file lacks tombstones that the database has noted."""
    if missing := find_missing(read(connection), folder):
        raise MissingTombstones(folder, len(missing))
