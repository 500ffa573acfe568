"""Bring a database's schema up to date, whatever else is to be done with it."""

from __future__ import annotations

from pathlib import Path

from zertz_db.store.address import is_lake
from zertz_db.store.folder.build import next_generation
from zertz_db.store.folder.database import open_generation, require_live
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import meta


def migrate(folder: Path | str, wait: Wait = NO_WAIT) -> bool:
    """Let a database have today's schema; whether it had another. Raises NoDatabase, SchemaMismatch, LockHeld.

    A lake that has another is not brought up to date: SchemaMismatch says what to do instead.
    """
    if is_lake(Path(folder)):
        with open_database(folder):
            return False
    live = require_live(Path(folder))
    with open_generation(live) as connection:
        if meta.schema_version(connection, live.path) == meta.SCHEMA_VERSION:
            return False
    with next_generation(folder, wait=wait):  # which begins with the migration
        return True
