"""Imports into a lake: what files hold is made a database of its own first, and then put in, in one transaction.

So nothing but that transaction has to be done anew when another machine was faster, and readers see all of an import or nothing. An
import that was stopped goes on with that database, which lies in the temporary folder.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from zertz_db.ingest.balance import Balance, Watch
from zertz_db.ingest.file_versions import missing_records
from zertz_db.ingest.forgetting import forget_sources
from zertz_db.ingest.importer import Importer, import_files
from zertz_db.ingest.known import Known, Letters, Sources, add_known, known_in, known_of
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
    replace: bool = False,
) -> Balance:
    """Import files into a lake (see `importing.import_paths`), which is made if it is not there. `said`: of their letters."""
    known = known_in(folder, sources, said)
    fresh = [(path, named) for path, named in files if path not in known.read]
    balance = _import_fresh(fresh, known, asked, folder, watch, wait, cluster, replace) if fresh else None
    if balance is None:
        balance = _look_up(folder, known)
        if replace and balance.missing:
            balance = changed(folder, lambda build: _withdraw(build, asked, known))
    if not balance.read and not balance.missing:
        raise SourceError(f"no records found in {', '.join(asked.names)}")
    return balance


def _look_up(folder: Path, known: Known) -> Balance:
    """The balance of an import that finds nothing new."""
    balance = Balance()
    try:
        with open_database(folder) as database:
            add_known(database.connection(), balance, _ids(known))
            balance.missing = missing_records(database.connection(), known.sources.values())
    except NoDatabase:
        pass
    return balance


def _ids(known: Known) -> list[int]:
    """The ids of the files that were read before."""
    return [known.sources[path].id for path in known.read]


def _withdraw(build: Build, asked: Asked, known: Known) -> Balance:
    with importing(build, asked) as importer:
        balance = _finish(importer, build, known, replace=True)
    if not balance.withdrawn:  # another has done so meanwhile
        build.discard()
    return balance


def _finish(importer: Importer, build: Build, known: Known, replace: bool) -> Balance:
    """Count the files that were read before, and withdraw what the files no longer hold, if asked to."""
    importer.revisit(_ids(known))
    importer.compare(known.sources)
    if replace and importer.balance.missing:
        importer.withdraw(build.words)
    elif importer.balance.run is not None:
        importer.finish()
    return importer.balance


def _import_fresh(
    fresh: Files,
    known: Known,
    asked: Asked,
    folder: Path,
    watch: Watch,
    wait: Wait,
    cluster: str | None,
    replace: bool,
) -> Balance | None:
    """The balance of an import of which some files are not known yet; None if there are no records in those."""
    beside = _beside(folder, asked)
    sources, letters = {path: known.sources[path] for path, _ in fresh}, known.letters
    _require_no_others(beside, {(version.id, read_by(letters.get(path))) for path, version in sources.items()})
    try:
        passed = import_files(fresh, sources, letters, asked, beside, watch, wait, cluster).passed
    except SourceError:  # there are no records in them
        shutil.rmtree(beside.parent)
        return None
    with open_database(beside) as database:
        balance = changed(folder, lambda build: _put(database, build, asked, known, replace))
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


def _put(database: Database, build: Build, asked: Asked, known: Known, replace: bool) -> Balance:
    """Put everything that a database holds into a lake, as an import of these files; those that the lake has by now count as known."""
    known = known_of(build.connection, known.sources, known.letters)
    brought = {source for (source,) in database.connection().execute("SELECT id FROM _source").fetchall()}
    before = {*_ids(known)}
    forget_sources(build.connection, [*brought - before])
    with importing(build, asked, Withheld(people.withheld(build.words))) as importer:
        copy(database, importer)
    balance = _finish(importer, build, known, replace)
    if brought <= before and not balance.withdrawn:  # another has brought all of them meanwhile
        balance.run = None
        build.discard()
    return balance
