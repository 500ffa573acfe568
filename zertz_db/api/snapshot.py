"""One request's view of the database."""

from __future__ import annotations

from threading import Lock
from weakref import WeakKeyDictionary

import duckdb

from zertz_db.store.folder.database import Database
from zertz_db.store.folder.generations import Generation


class QueryStopped(Exception):
    """The question was stopped: it took too long, or nobody waits for the answer any more."""


class Snapshot(Database):
    """The database as one answer sees it: the generation that is live when it begins, however often a connection is asked for.

    `stop` interrupts what runs on its connections. headers: of the response.
    """

    def __init__(self, database: Database, memory_parts: int = 1) -> None:
        """Open the live state. memory_parts: DuckDB may use 1 / memory_parts of its default memory."""
        self.folder, self.annotations_dir = database.folder, database.annotations_dir
        while True:
            self.generation = database.generation
            self._connection = database.connection()
            if database.generation == self.generation:  # else it has just moved on: to which, is not clear
                break
        self._another = type(database)._cursor
        self.headers: dict[str, str] = {}
        with _preparing:
            if _prepared.get(database) != self.generation:
                _prepare(self._connection, memory_parts)
                _prepared[database] = self.generation
        self._annotations = database._annotations  # what was found out already; it counts only for the same generation
        self._handing = Lock()
        self._handed: list[duckdb.DuckDBPyConnection] = []
        self.is_stopped = False

    def connection(self) -> duckdb.DuckDBPyConnection:
        """A connection to this generation; Stopped after `stop`."""
        with self._handing:
            if self.is_stopped:
                raise QueryStopped
            own = self._another(self)
            self._handed.append(own)
        for statement in self._overlay():
            own.execute(statement)
        return own

    def stop(self) -> None:
        """Interrupt whatever is asked of it, from any thread."""
        with self._handing:
            self.is_stopped = True
            for connection in self._handed:
                connection.interrupt()

    def close(self) -> None:
        """Give its connections back."""
        with self._handing:
            self.is_stopped = True
            for connection in (*self._handed, self._connection):
                connection.close()


_preparing = Lock()
_prepared: WeakKeyDictionary[Database, Generation] = WeakKeyDictionary()
"""The generation of each database whose DuckDB has its settings."""


def _prepare(connection: duckdb.DuckDBPyConnection, memory_parts: int) -> None:
    """Set the threads and the memory of the DuckDB of a connection.

    Questions that share the cores among them need no threads of their own: these would cost twice the time of the processor.
    """
    connection.execute("SET threads = 1")
    if memory_parts > 1:
        [(limit,)] = connection.execute("SELECT current_setting('memory_limit')").fetchall()
        size, unit = limit.split()
        connection.execute(f"SET memory_limit = '{float(size) / memory_parts:.2f} {unit}'")
