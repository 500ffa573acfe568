"""Undo an import: delete everything that only it added; its files count as never read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb

from zertz_db.errors import UserMistake
from zertz_db.ingest.stored.delete_records import delete_empty_sources, delete_matching, update_tallies
from zertz_db.store.backend import change_database
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.open_database import open_database


class NothingToUndo(UserMistake):
    """The import does not exist, or was undone before."""


@dataclass(frozen=True, slots=True)
class UndoResult:
    """Numbers of deleted records, games and files; other imports that had found some of those files unchanged, with their paths.

    withdrawn: records that the import had withdrawn, which do not return.
    """

    records: int
    games: int
    files: int
    dependent_imports: tuple[tuple[int, str], ...]
    withdrawn: int = 0


def undo(folder: str | Path, run: int, wait: Wait = NO_WAIT) -> UndoResult:
    """Undo import number `run`. A game with other records stays, represented by the best of them.

    Raise NothingToUndo, NoDatabase or LockHeld.
    """
    open_database(folder).close()  # so that a missing database is not created
    return change_database(folder, lambda build: _undo(build, folder, run), wait)


def _undo(build: Build, folder: str | Path, run: int) -> UndoResult:
    connection = build.connection
    _require_import(connection, folder, run)
    before = _count_rows(connection)
    dependent = connection.execute(_DEPENDENT_IMPORTS, [run]).fetchall()
    withdrawn = connection.execute("SELECT withdrawn FROM _import WHERE run = ?", [run]).fetchall()[0][0]
    connection.execute("UPDATE _import SET undone = true WHERE run = ?", [run])
    own = "id IN (SELECT source FROM _record WHERE run = ?) OR read_at = (SELECT made_at FROM _import WHERE run = ?)"
    sources = [source for (source,) in connection.execute(f"SELECT id FROM _source WHERE {own}", [run, run]).fetchall()]
    with update_tallies(connection):
        delete_matching(connection, "run = ?", run)
    connection.execute("DELETE FROM _revisit WHERE run = ?", [run])
    delete_empty_sources(connection, sources)
    after = _count_rows(connection)
    records, games, files = (old - new for old, new in zip(before, after, strict=True))
    return UndoResult(records, games, files, tuple(dependent), withdrawn)


_DEPENDENT_IMPORTS = """
    SELECT run, what FROM _import WHERE NOT undone AND run IN (
        SELECT run FROM _revisit WHERE source IN (SELECT source FROM _record WHERE run = ?)
    ) ORDER BY run
"""
"""Imports that found files of this one unchanged."""


def _require_import(connection: duckdb.DuckDBPyConnection, folder: str | Path, run: int) -> None:
    undone = dict(connection.execute("SELECT run, undone FROM _import ORDER BY run").fetchall())
    if run not in undone:
        known = ", ".join(str(number) for number, is_undone in undone.items() if not is_undone) or "none"
        raise NothingToUndo(f"{folder} has no import {run}. Imports that can be undone: {known}.")
    if undone[run]:
        raise NothingToUndo(f"Import {run} was undone before. To restore it, import its files again.")


def _count_rows(connection: duckdb.DuckDBPyConnection) -> tuple[int, int, int]:
    query = "SELECT (SELECT count(*) FROM _record), (SELECT count(*) FROM _game), (SELECT count(*) FROM _source)"
    records, games, files = connection.execute(query).fetchall()[0]
    return int(records), int(games), int(files)
