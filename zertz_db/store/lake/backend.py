"""The backend of lakes: a change is one transaction, which publishes the next snapshot, annotations included.

The other modules of lakes are imported when a lake is used: most databases are folders, and `transaction` needs Arrow, so its import
takes 0.8 seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import NO_WAIT, Wait

if TYPE_CHECKING:
    from zertz_db.store.folder.build import Build

Result = TypeVar("Result")


class LakeBackend(NamedTuple):
    """A lake, by its name: see `Backend`."""

    folder: Path

    def is_taken(self) -> bool:
        """Return False: only a connection to the catalog can tell."""
        return False

    def open(self) -> Database:
        """Open the latest snapshot for reading."""
        from zertz_db.store.lake.database import Lake

        return Lake(self.folder)

    def change(self, change: Callable[[Build], Result], wait: Wait) -> Result:  # noqa: ARG002 - a lake has no lock
        """Publish a changed lake as the next snapshot; repeat the change if another process was faster."""
        from zertz_db.store.lake.transaction import change_lake

        return change_lake(self.folder, change)

    def annotate(self, write: Callable[[Path], Result]) -> Result:
        """Write to the files of annotations, as an ordinary change."""
        return self.change(lambda build: write(build.annotations_dir), NO_WAIT)

    def migrate(self, wait: Wait) -> bool:  # noqa: ARG002
        """Bring it to today's schema; return whether it was older. Raise SchemaMismatch for a schema that can't be migrated."""
        from zertz_db.store.lake.transaction import migrate_lake

        return migrate_lake(self.folder)

    def remove_earlier(self, wait: Wait) -> None:
        """Do nothing: a lake removes its own snapshots."""
