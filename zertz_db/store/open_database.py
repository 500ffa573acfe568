"""Open a database for reading, a folder or a lake."""

from __future__ import annotations

from pathlib import Path

from zertz_db.store.backend import find_backend
from zertz_db.store.folder.database import Database


def open_database(folder: Path | str) -> Database:
    """Open a database for reading, a folder or a lake. Raise NoDatabase, UnreadableDatabase or SchemaMismatch, each with a remedy."""
    return find_backend(folder).open()
