"""What can be wrong with a database as a whole. Every message names the cause and the remedy."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import duckdb

from zertz_db.errors import BrokenEnvironment, UserMistake

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The disk, the user's share of it, or what a process may write to a file."""


class StoreError(BrokenEnvironment):
    """The base of this room's errors."""


class NoDatabase(StoreError):
    """There is no database where one was looked for."""


class NoFolder(NoDatabase):
    """A file is where the folder of a database was looked for, or is to be made."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder} is a file, or lies below one; a database is a folder. Name another one.")


class UnreadableDatabase(StoreError):
    """A database is there and can't be opened: damaged, or held open for writing by another program. cause: the message without remedy."""

    def __init__(self, cause: str, remedy: str = "") -> None:
        self.cause = cause
        super().__init__(f"{cause} {remedy}".rstrip())


class UnreadableFile(UnreadableDatabase):
    """A file of a database's folder can't be read at all. why: part of a sentence."""

    def __init__(self, path: Path, why: str, remedy: str = "Put a file there that you can read.") -> None:
        self.why = why
        super().__init__(f"{path} can't be read: {why}.", remedy)


class ImpossibleName(StoreError):
    """DuckDB can't work with files in a folder of this name."""

    def __init__(self, path: Path, cause: str) -> None:
        shown = os.fsencode(path).decode("utf-8", "backslashreplace")
        super().__init__(f"DuckDB can't open {shown}: {cause}. Rename the folder, or name another one.")


class SchemaMismatch(StoreError):
    """The database was written by a version of zertz-db that keeps its tables otherwise."""


class DiskFull(StoreError):
    """There is no room for the next generation of a database, or for a line in one of its files; it is as it was."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"There is no room left on the disk of {path}, which stays as it was. Make room and try again."
        )


class NotInLakes(UserMistake):
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


_DAMAGE = ("corrupt", "checksum", "could not read enough bytes", "not a valid duckdb database", "deserializ")
"""Words by which DuckDB means a damaged file; it has one class of errors for everything about files."""
_BROKEN = (duckdb.FatalException, duckdb.InternalException, duckdb.SerializationException)
"""DuckDB's errors where a file passes its checksums and still makes no sense."""


def explain(error: duckdb.Error) -> StoreError | None:
    """Return DuckDB's error as one that names cause and remedy, or None if neither a file nor the memory is to blame."""
    first_line = str(error).partition("\n")[0]
    if isinstance(error, _BROKEN) or (isinstance(error, duckdb.IOException) and is_damage(error)):
        return UnreadableDatabase(
            f"A file of the database is damaged. DuckDB says: {first_line}",
            "To see what is damaged: zertz doctor. To go back to the newest whole state: zertz doctor --repair. Else restore a backup.",
        )
    if isinstance(error, duckdb.IOException):
        return StoreError(f"DuckDB can't read or write a file: {first_line}")
    if isinstance(error, duckdb.OutOfMemoryException):
        return StoreError(
            f"There is not enough memory for this. Close other programs, or ask for less. DuckDB says: {first_line}"
        )
    return None


def is_damage(error: duckdb.Error) -> bool:
    """Whether DuckDB found a file damaged."""
    return isinstance(error, _BROKEN) or any(words in str(error).lower() for words in _DAMAGE)


def is_disk_full(error: BaseException) -> bool:
    """Whether that is what the operating system or DuckDB (which has no number for it, but the system's words) means."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    return isinstance(error, duckdb.Error) and any(os.strerror(number) in str(error) for number in _FULL)
