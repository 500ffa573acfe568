"""Bring a database's schema up to date, without any other change."""

from __future__ import annotations

from pathlib import Path

from zertz_db.store.address import is_lake
from zertz_db.store.folder.build import next_generation
from zertz_db.store.folder.database import open_generation, require_live
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import meta


def migrate(folder: Path | str, wait: Wait = NO_WAIT) -> bool:
    """Migrate a database to today's schema; return whether it had another. Raise NoDatabase, SchemaMismatch or LockHeld.

    A lake with another schema is not migrated: SchemaMismatch states the remedy.
    """
    if is_lake(Path(folder)):
        with open_database(folder):
            return False
    live = require_live(Path(folder))
    with open_generation(live) as connection:
        if meta.schema_version(connection, live.path) == meta.SCHEMA_VERSION:
            return False
    with next_generation(folder, wait=wait):  # a new generation begins with the migration
        return True
