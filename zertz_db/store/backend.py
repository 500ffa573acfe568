"""Choose where a database is stored, in a folder or in a lake, by its address."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from zertz_db.store.address import is_lake
from zertz_db.store.folder.backend import FolderBackend
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.lake.backend import LakeBackend

if TYPE_CHECKING:
    from zertz_db.store.folder.build import Build

Result = TypeVar("Result")


class Backend(Protocol):
    """A database at an address, which may not exist yet."""

    def is_taken(self) -> bool:
        """Return whether something is at the address, as far as that is known without a connection; see `Build.before`."""

    def open(self) -> Database:
        """Open the database for reading. Raise NoDatabase, UnreadableDatabase or SchemaMismatch, each with a remedy."""

    def change(self, change: Callable[[Build], Result], wait: Wait) -> Result:
        """Change or create the database: see `change_database`."""

    def annotate(self, write: Callable[[Path], Result]) -> Result:
        """Write annotations: see `annotate`."""

    def migrate(self, wait: Wait) -> bool:
        """Migrate the database to today's schema; return whether it had another. Raise NoDatabase, SchemaMismatch or LockHeld."""

    def remove_earlier(self, wait: Wait) -> None:
        """Remove earlier states, so that no reader opens them; current readers finish. Raise LockHeld."""


def find_backend(folder: str | Path) -> Backend:
    """Return the backend of an address: of a folder, or of a lake."""
    return LakeBackend(Path(folder)) if is_lake(Path(folder)) else FolderBackend(Path(folder))


def change_database(folder: str | Path, change: Callable[[Build], Result], wait: Wait = NO_WAIT) -> Result:
    """Change or create a database; return the result of `change`. All its changes are published at once, or none.

    In a lake `change` runs again whenever another process was faster. In a folder it waits for other importers as long as `wait` states.
    Raise LockHeld, or DiskFull for a folder.
    """
    return find_backend(folder).change(change, wait)


def annotate(folder: str | Path, write: Callable[[Path], Result]) -> Result:
    """Call `write` with the folder of the annotations, under their lock; return its result.

    In a folder this costs no generation and does not wait for an import. In a lake it is an ordinary change. Raise LockHeld, or DiskFull
    for a folder.
    """
    return find_backend(folder).annotate(write)


def remove_earlier(folder: str | Path, wait: Wait = NO_WAIT) -> None:
    """Remove earlier generations, so that no reader opens them; current readers finish. A lake removes its own snapshots."""
    find_backend(folder).remove_earlier(wait)


def migrate(folder: Path | str, wait: Wait = NO_WAIT) -> bool:
    """Migrate a database to today's schema; return whether it had another. Raise NoDatabase, SchemaMismatch or LockHeld.

    A lake with another schema is not migrated: SchemaMismatch states the remedy.
    """
    return find_backend(folder).migrate(wait)
