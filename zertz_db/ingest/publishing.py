"""Imports into a lake: what files hold is made a database of its own first, and then put in, in one transaction.

So nothing but that transaction has to be done anew when another machine was faster, and readers see all of an import or nothing. An
import that was stopped goes on with that database, which lies in the temporary folder.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from zertz_db.ingest.balance import Balance, Watch
from zertz_db.ingest.forgetting import forget_sources
from zertz_db.ingest.importer import import_files
from zertz_db.ingest.known import Letters, Sources, add_known, known_in, known_of
from zertz_db.ingest.lake_importer import importing
from zertz_db.ingest.merging import copy
from zertz_db.ingest.readers import read_by
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
    said: Letters,
    asked: Asked,
    folder: Path,
    watch: Watch,
    wait: Wait = NO_WAIT,
    cluster: str | None = None,
) -> Balance:
    """Import files into a lake (see `importing.import_paths`), which is made if it is not there. `said`: of their letters."""
    letters, known = known_in(folder, {*sources.values()}, said)
    fresh = [(path, named) for path, named in files if sources[path] not in known]
    balance = _import_fresh(fresh, sources, letters, asked, folder, watch, wait, cluster) if fresh else None
    if balance is None and known:
        balance = Balance()
        with open_database(folder) as database:
            add_known(database.connection(), balance, known)
    if balance is None:
        raise SourceError(f"no records found in {', '.join(asked.names)}")
    return balance


def _import_fresh(
    fresh: Files,
    sources: Sources,
    letters: Letters,
    asked: Asked,
    folder: Path,
    watch: Watch,
    wait: Wait,
    cluster: str | None,
) -> Balance | None:
    """The balance of an import of which some files are not known yet; None if there are no records in those."""
    beside = _beside(folder, asked)
    _require_no_others(
        beside, {(source, read_by(letters.get(source))) for source in (sources[path] for path, _ in fresh)}
    )
    try:
        passed = import_files(fresh, sources, letters, asked, beside, watch, wait, cluster).passed
    except SourceError:  # there are no records in them
        shutil.rmtree(beside.parent)
        return None
    with open_database(beside) as database:
        balance = changed(folder, lambda build: _put(database, build, asked, {*sources.values()}, letters))
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


def _require_no_others(beside: Path, wanted: set[tuple[int, str]]) -> None:
    """An import that was stopped when it was nearly done may have read files that are others by now, or are to be read otherwise."""
    try:
        with open_database(beside) as database:
            query = "SELECT id, reader_version FROM _source"
            is_part = {*database.connection().execute(query).fetchall()} <= wanted
    except NoDatabase:
        return
    except StoreError:
        is_part = False
    if not is_part:
        shutil.rmtree(beside)


def _put(database: Database, build: Build, asked: Asked, sources: set[int], letters: Letters) -> Balance:
    """Put everything that a database holds into a lake, as an import of these files; those that the lake has by now count as known."""
    known = known_of(build.connection, sources, letters).read
    brought = {source for (source,) in database.connection().execute("SELECT id FROM _source").fetchall()}
    forget_sources(build.connection, [*brought - known])
    with importing(build, asked, Withheld(people.withheld(build.words))) as importer:
        if known:
            add_known(build.connection, importer.balance, known)
        copy(database, importer)
    if brought <= known:  # another has brought all of them meanwhile
        importer.balance.run = None
        build.discard()
    return importer.balance
