"""Bring a database's schema up to date, without any other change."""

from __future__ import annotations

from pathlib import Path

from zertz_db.store.backend import find_backend
from zertz_db.store.folder.lock import NO_WAIT, Wait


def migrate(folder: Path | str, wait: Wait = NO_WAIT) -> bool:
    """Migrate a database to today's schema; return whether it had another. Raise NoDatabase, SchemaMismatch or LockHeld.

    A lake with another schema is not migrated: SchemaMismatch states the remedy.
    """
    return find_backend(folder).migrate(wait)
