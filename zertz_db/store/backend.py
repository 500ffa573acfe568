"""Change a database: publish the next generation of a folder, or the next snapshot of a lake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from zertz_db.store.address import is_lake
from zertz_db.store.errors import DiskFull, is_disk_full
from zertz_db.store.folder import generations
from zertz_db.store.folder.build import Build, next_generation
from zertz_db.store.folder.lock import NO_WAIT, Wait, annotations_lock, importers_lock

Result = TypeVar("Result")


def change_database(folder: str | Path, change: Callable[[Build], Result], wait: Wait = NO_WAIT) -> Result:
    """Change or create a database; return the result of `change`. All its changes are published at once, or none.

    In a lake `change` runs again whenever another process was faster. In a folder it waits for other importers as long as `wait` states.
    Raise LockHeld, or DiskFull for a folder.
    """
    if is_lake(Path(folder)):
        from zertz_db.store.lake import transaction

        return transaction.change_lake(Path(folder), change)
    with next_generation(folder, wait=wait) as build:
        return change(build)


def annotate(folder: str | Path, write: Callable[[Path], Result]) -> Result:
    """Call `write` with the folder of the annotations, under their lock; return its result.

    In a folder this costs no generation and does not wait for an import. In a lake it is an ordinary change. Raise LockHeld, or DiskFull
    for a folder.
    """
    if is_lake(Path(folder)):
        return change_database(folder, lambda build: write(build.annotations_dir))
    try:
        with annotations_lock(Path(folder)):
            return write(Path(folder))
    except OSError as error:
        if is_disk_full(error):  # there is no space even for the lock
            raise DiskFull(Path(folder)) from error
        raise


def remove_earlier(folder: str | Path, wait: Wait = NO_WAIT) -> None:
    """Remove earlier generations, so that no reader opens them; current readers finish. A lake removes its own snapshots."""
    if not is_lake(Path(folder)):
        with importers_lock(Path(folder), wait):
            generations.remove_earlier(Path(folder))
