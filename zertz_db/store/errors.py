"""What can be wrong with a database as a whole. Every message names the cause and the remedy."""

from __future__ import annotations

from pathlib import Path


class StoreError(Exception):
    """The base of this room's errors."""


class NoDatabase(StoreError):
    """There is no database where one was looked for."""


class UnreadableDatabase(StoreError):
    """A database is there and can't be opened: damaged, or held open for writing by another program."""


class SchemaMismatch(StoreError):
    """The database was written by a version of zertz-db that keeps its tables otherwise."""


class LockHeld(StoreError):
    """Another process is importing into the database.

    pid, host: who holds the lock; None and "" where its note can't be read. since: when it began (UTC, as text).
    """

    def __init__(self, folder: Path, pid: int | None = None, host: str = "", since: str = "") -> None:
        self.pid, self.host, self.since = pid, host, since
        holder = f"process {pid} on {host}, since {since} UTC" if pid else "another process"
        super().__init__(
            f"{folder} is being changed by {holder}. Wait until it is done, or end that process: "
            "the database then stays as it was. Reading is possible all the while."
        )
