"""Open a database for reading, a folder or a lake."""

from __future__ import annotations

from pathlib import Path

from zertz_db.store import address
from zertz_db.store.folder.database import Database


def open_database(folder: Path | str) -> Database:
    """Open a database for reading, a folder or a lake. Raise NoDatabase, UnreadableDatabase or SchemaMismatch, each with a remedy."""
    if address.is_lake(Path(folder)):
        from zertz_db.store.lake.database import Lake

        return Lake(Path(folder))
    return Database(Path(folder))
