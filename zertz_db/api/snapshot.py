"""One request's view of the database."""

from __future__ import annotations

from threading import Lock

import duckdb

from zertz_db.store.folder.database import Database


class QueryStopped(Exception):
    """The question was stopped: it took too long, or nobody waits for the answer any more."""


class Snapshot(Database):
    """The database as one answer sees it: the generation that is live when it begins, however often a connection is asked for.

    `stop` interrupts what runs on its connections. headers: of the response.
    """

    def __init__(self, database: Database) -> None:
        """Look at what is live now."""
        self.folder, self.annotations_dir = database.folder, database.annotations_dir
        while True:
            self.generation = database.generation
            self._connection = database.connection()
            if database.generation == self.generation:  # else it has just moved on: to which, is not clear
                break
        self._another = type(database)._cursor
        self.headers: dict[str, str] = {}
        self._connection.execute(_ONE_THREAD)
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


_ONE_THREAD = "SET threads = 1"
"""Questions that share the cores among them need no threads of their own: these would cost twice the time of the processor."""
