"""Errors about a database as a whole. Every message names the cause and the remedy.

DuckDB takes 90 ms to import, and this module is imported where it is absent: only what handles DuckDB's errors imports it.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from zertz_db.errors import BrokenEnvironment, UserMistake

if TYPE_CHECKING:
    import duckdb

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Error numbers of a full disk, an exhausted quota and the limit on a file's size."""
_NO_ROOM_TO_OFFLOAD = "failed to offload data block"
"""DuckDB's phrase where its memory is used up, and the disk has no space for temporary files; it counts as an error about memory."""


class StoreError(BrokenEnvironment):
    """The base class of this room's errors."""


class NoDatabase(StoreError):
    """There is no database at the path."""


class NoFolder(NoDatabase):
    """A file is in the place of a database's folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder} is a file, or is below one; a database is a folder. Name another one.")


class UnreadableDatabase(StoreError):
    """A database can't be opened: it is damaged, or another program has it open for writing. cause: the message without the remedy."""

    def __init__(self, cause: str, remedy: str = "") -> None:
        self.cause = cause
        super().__init__(f"{cause} {remedy}".rstrip())


class UnreadableFile(UnreadableDatabase):
    """A file of a database's folder can't be read. why: part of a sentence."""

    def __init__(self, path: Path, why: str, remedy: str = "Put a file there that you can read.") -> None:
        self.why = why
        super().__init__(f"{path} can't be read: {why}.", remedy)


class ImpossibleName(StoreError):
    """DuckDB can't work with files in a folder of this name."""

    def __init__(self, path: Path, cause: str) -> None:
        shown = os.fsencode(path).decode("utf-8", "backslashreplace")
        super().__init__(f"DuckDB can't open {shown}: {cause}. Rename the folder, or name another one.")


class SchemaMismatch(StoreError):
    """The database was written by a version of zertz-db that uses another schema."""


class DiskFull(StoreError):
    """There is no space for the next generation of a database, or for a line in one of its files; nothing was changed."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"No space left on the disk of {path}; nothing was changed. Free some space and try again.")


class NotInLakes(UserMistake):
    """The request makes or changes a database in a way that only a folder allows."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} is a lake; only a folder can do that. Do it in a folder, then copy the folder into the lake: "
            "zertz merge FOLDER --into LAKE"
        )


class LockHeld(StoreError):
    """Another process is importing into the database.

    pid, host: the process that holds the lock; None and "" if its note can't be read. since: its start (UTC, as text).
    """

    def __init__(self, folder: Path, pid: int | None = None, host: str = "", since: str = "") -> None:
        self.pid, self.host, self.since = pid, host, since
        self.holder = f"process {pid} on {host}, since {since} UTC" if pid else "another process"
        super().__init__(
            f"{folder} is being changed by {self.holder}. Wait until it is done, or end that process: "
            "the database then stays unchanged. Readers are not affected."
        )


_DAMAGE = ("corrupt", "checksum", "could not read enough bytes", "not a valid duckdb database", "deserializ")
"""Phrases of DuckDB's messages about a damaged file; its errors about files have only one class."""


def is_from_duckdb(error: BaseException) -> bool:
    """Return whether an error is DuckDB's."""
    duckdb = sys.modules.get("duckdb")
    return duckdb is not None and isinstance(error, duckdb.Error)


def explain(error: duckdb.Error) -> StoreError | None:
    """Return DuckDB's error as one with cause and remedy, or None if neither a file nor the memory is the cause."""
    import duckdb

    first_line = str(error).partition("\n")[0]
    if _is_broken(error) or (isinstance(error, duckdb.IOException) and is_damage(error)):
        return UnreadableDatabase(
            f"A file of the database is damaged. DuckDB reports: {first_line}",
            "To see the damage: zertz doctor. To go back to the newest undamaged state: zertz doctor --repair. Or restore a backup.",
        )
    if isinstance(error, duckdb.IOException):
        return StoreError(f"DuckDB can't read or write a file: {first_line}")
    if is_disk_full(error):
        return StoreError(
            f"There is no space on the disk for temporary files. Free some space, or request less. DuckDB reports: {first_line}"
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        return StoreError(
            f"There is not enough memory for this. Close other programs, or request less. DuckDB reports: {first_line}"
        )
    return None


def is_damage(error: duckdb.Error) -> bool:
    """Return whether DuckDB reports a damaged file."""
    return _is_broken(error) or any(phrase in str(error).lower() for phrase in _DAMAGE)


def _is_broken(error: duckdb.Error) -> bool:
    """Return whether a file passes its checksums but can't be interpreted."""
    import duckdb

    return isinstance(error, duckdb.FatalException | duckdb.InternalException | duckdb.SerializationException)


def is_disk_full(error: BaseException) -> bool:
    """Return whether an error of the system or of DuckDB means a full disk; DuckDB repeats the system's text without its number."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    phrases = (_NO_ROOM_TO_OFFLOAD, *map(os.strerror, _FULL))
    return is_from_duckdb(error) and any(phrase in str(error) for phrase in phrases)


def is_interruption(error: duckdb.Error) -> bool:
    """Return whether Ctrl-C may be behind DuckDB's error.

    DuckDB calls Python for rows of Arrow and for variables that name tables. Ctrl-C during such a call comes out as an error that quotes
    it, or as a missing table.
    """
    import duckdb

    return isinstance(error, duckdb.InterruptException | duckdb.CatalogException) or "KeyboardInterrupt" in str(error)
