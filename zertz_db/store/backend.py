"""Changing a database, whatever it is: the next generation of a folder, or the next snapshot of a lake."""

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
    """Change a database, or make it: all that `change` does is published at once, or nothing; returns what it returned.

    In a lake it may be done several times: anew, whenever another was faster. In a folder it waits for others who change it, for as
    long as `wait` says. LockHeld, DiskFull of a folder.
    """
    if is_lake(Path(folder)):
        from zertz_db.store.lake import transaction

        return transaction.change_lake(Path(folder), change)
    with next_generation(folder, wait=wait) as build:
        return change(build)


def annotate(folder: str | Path, say: Callable[[Path], Result]) -> Result:
    """Let somebody say something: `say` writes to the text files in the folder that it is given, and nobody else meanwhile.

    That costs a folder no new generation and does not wait for an import; in a lake it is a change like any other. LockHeld, DiskFull of
    a folder.
    """
    if is_lake(Path(folder)):
        return change_database(folder, lambda build: say(build.annotations_dir))
    try:
        with annotations_lock(Path(folder)):
            return say(Path(folder))
    except OSError as error:
        if is_disk_full(error):  # there is not even room for the lock
            raise DiskFull(Path(folder)) from error
        raise


def remove_earlier(folder: str | Path, wait: Wait = NO_WAIT) -> None:
    """Let nobody begin to read an earlier state; who reads one at this moment reads it to the end. A lake has seen to that itself."""
    if not is_lake(Path(folder)):
        with importers_lock(Path(folder), wait):
            generations.remove_earlier(Path(folder))
