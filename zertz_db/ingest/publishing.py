"""Imports into a lake: what files hold is made a database of its own first, and then put in, in one transaction.

So nothing but that transaction has to be done anew when another machine was faster, and readers see all of an import or nothing. An
import that was stopped goes on with that database, which lies in the temporary folder.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Collection
from pathlib import Path

import duckdb

from zertz_db.ingest.balance import Balance, Watch
from zertz_db.ingest.importer import import_files
from zertz_db.ingest.known import READER_VERSION, Sources, add_known
from zertz_db.ingest.lake_importer import importing
from zertz_db.ingest.merging import copy
from zertz_db.ingest.sources import Asked, Files, SourceError
from zertz_db.ingest.withholding import Withheld
from zertz_db.store import people
from zertz_db.store.building import Build
from zertz_db.store.changing import changed
from zertz_db.store.errors import NoDatabase, StoreError
from zertz_db.store.ids import id_of, to_text
from zertz_db.store.lock import NO_WAIT, Wait
from zertz_db.store.opening import Database, open_database


def import_into(
    files: Files,
    sources: Sources,
    asked: Asked,
    folder: Path,
    watch: Watch,
    wait: Wait = NO_WAIT,
    cluster: str | None = None,
) -> Balance:
    """Import files into a lake (see `importing.import_paths`), which is made if it is not there."""
    known = _known(folder, sources.values())
    fresh = [(path, named) for path, named in files if sources[path] not in known]
    balance = _import_fresh(fresh, sources, asked, folder, watch, wait, cluster) if fresh else None
    if balance is None and known:
        balance = Balance()
        with open_database(folder) as database:
            add_known(database.connection(), balance, known)
    if balance is None:
        raise SourceError(f"no records found in {', '.join(asked.names)}")
    return balance


def _import_fresh(
    fresh: Files, sources: Sources, asked: Asked, folder: Path, watch: Watch, wait: Wait, cluster: str | None
) -> Balance | None:
    """The balance of an import of which some files are not known yet; None if there are no records in those."""
    beside = _beside(folder, asked)
    _require_no_others(beside, {sources[path] for path, _ in fresh})
    try:
        passed = import_files(fresh, sources, asked, beside, watch, wait, cluster).passed
    except SourceError:  # there are no records in them
        shutil.rmtree(beside.parent)
        return None
    with open_database(beside) as database:
        balance = changed(folder, lambda build: _put(database, build, asked, {*sources.values()}))
    shutil.rmtree(beside.parent)
    balance.passed = passed
    return balance


def _beside(folder: Path, asked: Asked) -> Path:
    """Where the database of such an import lies: only for this user, and the same when it is asked for again."""
    name = to_text(id_of(repr((str(folder), str(Path.cwd()), asked.paths)).encode()))
    beside = Path(tempfile.gettempdir()) / f"zertz-import-{name}"
    beside.mkdir(parents=True, exist_ok=True)
    beside.chmod(0o700)  # which the system refuses if it is somebody else's
    return beside / "games.zertz"


def _require_no_others(beside: Path, wanted: set[int]) -> None:
    """An import that was stopped when it was nearly done may have read files that are others by now."""
    try:
        with open_database(beside) as database:
            is_part = _sources(database.connection()) <= wanted
    except NoDatabase:
        return
    except StoreError:
        is_part = False
    if not is_part:
        shutil.rmtree(beside)


def _put(database: Database, build: Build, asked: Asked, sources: set[int]) -> Balance:
    """Put everything that a database holds into a lake, as an import of these files; those that the lake has by now count as known."""
    known = _sources(build.connection) & sources
    with importing(build, asked, Withheld(people.withheld(build.words))) as importer:
        if known:
            add_known(build.connection, importer.balance, known)
        copy(database, importer)
    if _sources(database.connection()) <= known:  # another has brought all of them meanwhile
        importer.balance.run = None
        build.discard()
    return importer.balance


def _known(folder: Path, sources: Collection[int]) -> set[int]:
    try:
        with open_database(folder) as database:
            return _sources(database.connection()) & {*sources}
    except NoDatabase:
        return set()


def _sources(connection: duckdb.DuckDBPyConnection) -> set[int]:
    """The files that today's readers have read."""
    query = "SELECT id FROM _source WHERE reader_version = ?"
    return {number for (number,) in connection.execute(query, [READER_VERSION]).fetchall()}
