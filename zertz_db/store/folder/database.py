"""Read a database: always the live generation, never an unfinished one. Needs only DuckDB."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import TracebackType

import duckdb

from zertz_db.store.annotations import overlay
from zertz_db.store.duckdb_paths import for_duckdb
from zertz_db.store.errors import NoDatabase, NoFolder, StoreError, UnreadableDatabase
from zertz_db.store.folder import generations, lock
from zertz_db.store.folder.generations import Generation
from zertz_db.store.schema import meta
from zertz_db.store.sql_literals import literal

_ATTEMPTS = 5
"""Maximum number of times an importer may publish between our reading of CURRENT and our opening of its file."""


class Database:
    """A database open for reading; it moves to each new generation.

    annotations_dir: the folder of the files of annotations.
    """

    def __init__(self, folder: Path, annotations_dir: Path | None = None) -> None:
        """Open the live generation."""
        self.folder = folder
        self.annotations_dir = annotations_dir or folder
        self._moving = Lock()
        self.generation, self._connection = self._open_live()
        self._annotations: tuple[object, list[str]] = None, []

    def connection(self) -> duckdb.DuckDBPyConnection:
        """Return a connection to the live generation: a new one for each caller, so safe among threads, and cheap.

        It stays on its generation; call this again to see later imports.
        """
        with self._moving:
            if self._live() != self.generation:
                self.generation, self._connection = self._open_live()  # the old one closes with its last user
            own = self._cursor()
            for statement in self._overlay():
                own.execute(statement)
            return own

    def is_current(self) -> bool:
        """Check if a connection would be to the open generation with the overlay that is known: then it is there at once.

        False too if that takes long to find out, while another thread opens a generation, and for a database that can't be read.
        """
        if self._moving.locked():
            return False
        with suppress(StoreError):
            now = self.generation, overlay.fingerprint(self.annotations_dir)
            return self._live() == self.generation and now == self._annotations[0]
        return False

    def overlay(self, catalog: str) -> list[str]:
        """Return statements that overlay newer annotations in a connection that has attached the live file as `catalog`."""
        facts = meta.read(self._connection)
        return [*overlay.overlay_tables(self._connection, self.annotations_dir, catalog, facts)]

    def _overlay(self) -> list[str]:
        now = self.generation, overlay.fingerprint(self.annotations_dir)
        if now != self._annotations[0]:
            self._annotations = now, self.overlay(self.generation.path.stem)
        return self._annotations[1]

    def _live(self) -> Generation | None:
        return generations.live_generation(self.folder)

    def _open_live(self) -> tuple[Generation, duckdb.DuckDBPyConnection]:
        return _open_live(self.folder)

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        return self._connection.cursor()

    @property
    def location(self) -> str:
        """Return the path of its live state."""
        return str(self.generation.path.resolve())

    @property
    def title(self) -> str:
        """Return the name of an import from it."""
        return f"database {self.folder}"

    def size(self) -> int:
        """Return the size of its live state in bytes."""
        return self.generation.size()

    def confined(self, catalog: str) -> list[str]:
        """Return statements that attach it to another DuckDB as `catalog` and then deny access to files and the network."""
        return [
            f"ATTACH {literal(for_duckdb(self.generation.path))} AS {catalog} (READ_ONLY)",
            "SET enable_external_access = false",
        ]

    def copy_to(self, file: Path) -> None:
        """Copy its live state to a plain DuckDB file with every table and view."""
        self.generation.copy_to(file)
        if self.generation.has_tail:
            duckdb.connect(for_duckdb(file)).close()  # writes the log to the tables

    def facts(self) -> dict[str, str]:
        """Return the facts in the live file: see `meta`."""
        return meta.read(self.connection())

    def close(self) -> None:
        """Close it, and all connections to this generation."""
        self._connection.close()

    def __enter__(self) -> Database:
        """Return it, for `with open_database(folder) as database:`."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()


def _open_live(folder: Path) -> tuple[Generation, duckdb.DuckDBPyConnection]:
    generation = require_live(folder)
    for _ in range(_ATTEMPTS):
        try:
            connection = open_generation(generation)
            break
        except UnreadableDatabase:
            tried, generation = generation, require_live(folder)
            if generation == tried:
                raise
    else:
        raise UnreadableDatabase(f"{folder} changes faster than it can be opened. Try again.")
    try:
        meta.require_schema(connection, generation.path)
    except BaseException as error:
        connection.close()
        if isinstance(error, duckdb.Error):
            raise generations.damaged(generation, f"DuckDB reports: {error}") from error
        raise
    return generation, connection


def open_generation(generation: Generation) -> duckdb.DuckDBPyConnection:
    """Open a generation's file for reading, with any schema. Raise UnreadableDatabase or ImpossibleName."""
    name = for_duckdb(generation.path)
    generations.require_file(generation)
    try:
        connection = duckdb.connect(name, read_only=True)
    except duckdb.Error as error:
        generations.require_file(generation)
        raise generations.damaged(generation, f"DuckDB reports: {error}") from error
    if generation.has_tail and not _has_read_tail(connection, generation):
        connection.close()
        generations.require_file(generation)
        raise generations.damaged(generation, f"Its log {generation.log.name} is missing or incomplete.")
    return connection


def _has_read_tail(connection: duckdb.DuckDBPyConnection, generation: Generation) -> bool:
    """Return whether DuckDB has read the log of a generation to its end. It skips the end of a truncated log without an error."""
    with suppress(duckdb.Error):
        return meta.read(connection).get("generation") == str(generation.number)
    return False


def require_live(folder: Path) -> Generation:
    """Return the live generation. Raise NoDatabase if there is none."""
    if folder.exists() and not folder.is_dir():
        raise NoFolder(folder)
    generation = generations.live_generation(folder)
    if generation is None:
        raise NoDatabase(_explain_missing(folder))
    return generation


def _explain_missing(folder: Path) -> str:
    """Return cause and remedy for a folder without a live generation. A first import may be running, or have been stopped."""
    remedy = f"Make one: zertz import RECORDS --db {folder}"
    if not folder.exists():
        return f"There is no database {folder}. {remedy}"
    importer = lock.holder(folder)
    if importer:
        return f"The folder {folder} has no database yet: {importer.holder} is making it. Wait until it is done."
    begun = generations.working_files(folder)
    if begun:
        return (
            f"The folder {folder} has no database yet: its first import was stopped. {begun[0].name} has the work up to then. "
            f"To resume it, import the same files again: zertz import FILES --db {folder}"
        )
    return f"The folder {folder} has no database (it has no file {generations.CURRENT}). {remedy}"
