"""What can be wrong with a database as a whole. Every message names the cause and the remedy."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import duckdb

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The disk, the user's share of it, or what a process may write to a file."""


class StoreError(Exception):
    """The base of this room's errors."""


class NoDatabase(StoreError):
    """There is no database where one was looked for."""


class NoFolder(NoDatabase):
    """A file is where the folder of a database was looked for, or is to be made."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder} is a file, or lies below one; a database is a folder. Name another one.")


class UnreadableDatabase(StoreError):
    """A database is there and can't be opened: damaged, or held open for writing by another program."""


class SchemaMismatch(StoreError):
    """The database was written by a version of zertz-db that keeps its tables otherwise."""


class DiskFull(StoreError):
    """There is no room for the next generation of a database, or for a line in one of its files; it is as it was."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"There is no room left on the disk of {path}, which stays as it was. Make room and try again."
        )


class NotInLakes(StoreError):
    """What was asked for makes or changes a database in a way that only a folder allows."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} is a lake, and that is done in a folder. Do it there, and put what it holds into the lake: "
            "zertz merge FOLDER --into LAKE"
        )


class LockHeld(StoreError):
    """Another process is importing into the database.

    pid, host: who holds the lock; None and "" where its note can't be read. since: when it began (UTC, as text).
    """

    def __init__(self, folder: Path, pid: int | None = None, host: str = "", since: str = "") -> None:
        self.pid, self.host, self.since = pid, host, since
        self.holder = f"process {pid} on {host}, since {since} UTC" if pid else "another process"
        super().__init__(
            f"{folder} is being changed by {self.holder}. Wait until it is done, or end that process: "
            "the database then stays as it was. Reading is possible all the while."
        )


def is_disk_full(error: BaseException) -> bool:
    """Whether that is what the operating system or DuckDB (which has no number for it, but the system's words) means."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    return isinstance(error, duckdb.Error) and any(os.strerror(number) in str(error) for number in _FULL)
