"""The backend of folders: a change publishes the next generation, and annotations are files next to the generations.

`build` and `migrations` are imported when a database is changed: they need Arrow, so their import takes 0.4 seconds, and that of the
modules that read takes 0.15.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from zertz_db.store.annotations import noted_tombstones
from zertz_db.store.errors import DiskFull, is_disk_full
from zertz_db.store.folder import generations
from zertz_db.store.folder.database import Database, open_generation, require_live
from zertz_db.store.folder.lock import Wait, annotations_lock, importers_lock
from zertz_db.store.schema import meta

if TYPE_CHECKING:
    from zertz_db.store.folder.build import Build

Result = TypeVar("Result")


class FolderBackend(NamedTuple):
    """A database in a folder: see `Backend`."""

    folder: Path

    def is_taken(self) -> bool:
        """Return whether the folder, or a file in its place, exists."""
        return self.folder.exists()

    def open(self) -> Database:
        """Open the live generation for reading."""
        return Database(self.folder)

    def change(self, change: Callable[[Build], Result], wait: Wait) -> Result:
        """Publish a changed database as the next generation."""
        from zertz_db.store.folder.build import next_generation

        with next_generation(self.folder, wait=wait) as build:
            return change(build)

    def annotate(self, write: Callable[[Path], Result]) -> Result:
        """Write to the files of annotations, under their own lock."""
        try:
            with annotations_lock(self.folder):
                self._require_tombstones()
                return write(self.folder)
        except OSError as error:
            if is_disk_full(error):  # there is no space even for the lock
                raise DiskFull(self.folder) from error
            raise

    def _require_tombstones(self) -> None:
        """Raise MissingTombstones if a written file would hide that it lacks redacted names."""
        live = generations.live_generation(self.folder)
        if live:
            with open_generation(live) as connection:
                noted_tombstones.require_complete(connection, self.folder)

    def migrate(self, wait: Wait) -> bool:
        """Publish the database with today's schema, unless it has that; return whether it had another."""
        from zertz_db.store.folder.build import next_generation

        live = require_live(self.folder)
        with open_generation(live) as connection:
            if meta.schema_version(connection, live.path) == meta.SCHEMA_VERSION:
                return False
        with next_generation(self.folder, wait=wait):  # a new generation begins with the migration
            return True

    def remove_earlier(self, wait: Wait) -> None:
        """Remove all generations except the live one."""
        with importers_lock(self.folder, wait):
            generations.remove_earlier(self.folder)
