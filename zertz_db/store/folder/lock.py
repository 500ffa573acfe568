"""Locks: one process at a time builds a database's next generation, and one at a time writes to the files of annotations.

Writing a mark or an alias needs only the second lock, for a moment, so it never waits for an import. A lock is one of the operating
system's on a file, so it ends with its process. The note inside (process, host, start) is for people only.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from zertz_db.store import regular_files
from zertz_db.store.address import require_folder
from zertz_db.store.errors import LockHeld, NoFolder, UnreadableDatabase, UnreadableFile, is_disk_full

FILE = "importer.lock"
ANNOTATIONS_FILE = "annotations.lock"

_PAUSE = 0.05
"""Seconds between two attempts, each of which takes microseconds."""
_NOTE_TRIES = 3
_MAX_NOTE_LENGTH = 4096


class Wait(NamedTuple):
    """Seconds to wait for another importer, and a callback that reports once which one it is."""

    seconds: float = 0.0
    tell: Callable[[LockHeld], None] = lambda _: None


NO_WAIT = Wait()
_BRIEF_WAIT = Wait(30.0)
"""Annotations are written in milliseconds; only a folder on a slow remote disk takes longer."""

_held: set[int] = set()


def _close_in_child() -> None:
    """Close locks in a forked worker: they must end with the importer, even if it is killed."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> None:
        os.lseek(descriptor, 1 << 30, os.SEEK_SET)  # far after the note, which stays readable
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    os.register_at_fork(after_in_child=_close_in_child)


@contextmanager
def importers_lock(folder: Path, wait: Wait = NO_WAIT) -> Iterator[None]:
    """Hold the lock of a database folder, created if missing.

    Raise LockHeld if another process (or thread) still has the lock after the wait; NoFolder, NotInLakes.
    """
    with _lock(require_folder(folder), FILE, wait):
        yield


@contextmanager
def annotations_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of the files of annotations while they change: for a moment, not for the time of an import.

    Importers that change those files hold it, too. Raise LockHeld if another process still has it after some seconds.
    """
    with _lock(folder, ANNOTATIONS_FILE, _BRIEF_WAIT):
        yield


@contextmanager
def _lock(folder: Path, name: str, wait: Wait) -> Iterator[None]:
    path = folder / name
    descriptor = _acquire(folder, path, wait)
    _held.add(descriptor)
    try:
        note = {"pid": os.getpid(), "host": socket.gethostname(), "since": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"}
        os.ftruncate(descriptor, 0)
        os.write(descriptor, json.dumps(note).encode())
        yield
    finally:
        with suppress(OSError):  # Windows does not remove an open file; a note without a lock means nothing
            path.unlink()
        _held.discard(descriptor)
        os.close(descriptor)


def _acquire(folder: Path, path: Path, wait: Wait) -> int:
    deadline = time.monotonic() + wait.seconds
    is_reported = False
    while True:
        descriptor = _try(folder, path)
        if descriptor is not None:
            return descriptor
        held = _held_by(folder, path)
        if time.monotonic() > deadline:
            raise held
        if not is_reported:
            wait.tell(held)
            is_reported = True
        time.sleep(_PAUSE)


def _try(folder: Path, path: Path) -> int | None:
    """Return the locked file, or None while another process has it."""
    while True:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise NoFolder(folder) from error
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o644)
        except FileNotFoundError:  # the last holder removed the folder, which was empty
            continue
        except OSError as error:
            if is_disk_full(error):
                raise
            raise _no_lock(path, error.strerror or str(error)) from error
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise _no_lock(path, "it is not a regular file")
        try:
            _try_lock(descriptor)
        except (BlockingIOError, PermissionError):  # on POSIX, and on Windows
            os.close(descriptor)
            return None
        if _is_still_there(descriptor, path):
            return descriptor
        os.close(descriptor)


def _no_lock(path: Path, why: str) -> UnreadableDatabase:
    return UnreadableDatabase(
        f"{path}, which serialises changes, can't be locked: {why}.", "Remove it if it is in the way."
    )


def _is_still_there(descriptor: int, path: Path) -> bool:
    """Return whether the path still names the locked file: its last holder may have removed it after we opened it."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _held_by(folder: Path, path: Path) -> LockHeld:
    for _ in range(_NOTE_TRIES):
        try:
            note = json.loads(regular_files.read(path, _MAX_NOTE_LENGTH))
            return LockHeld(folder, note["pid"], note["host"], note["since"])
        except (OSError, UnreadableFile, ValueError, KeyError, TypeError):
            time.sleep(_PAUSE)  # the note is just being written
    return LockHeld(folder)


def holder(folder: Path) -> LockHeld | None:
    """Return the process that is changing the database, from its note, or None. Take no lock."""
    path = folder / FILE
    try:
        note = json.loads(regular_files.read(path, _MAX_NOTE_LENGTH))
        held = LockHeld(folder, int(note["pid"]), str(note["host"]), str(note["since"]))
    except (OSError, UnreadableFile, ValueError, KeyError, TypeError, OverflowError):
        return None
    return None if held.host == socket.gethostname() and not _is_running(held.pid) else held


def _is_running(pid: int | None) -> bool:
    """Return whether a process exists; a killed importer leaves its note."""
    if sys.platform == "win32" or pid is None:
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # the process belongs to another user
        pass
    return True
