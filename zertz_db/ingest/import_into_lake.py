"""Imports into a lake: what files hold is made a database of its own first, and then put in, in one transaction.

So nothing but that transaction has to be done anew when another machine was faster, and readers see all of an import or nothing. An
import that was stopped goes on with that database, which lies in the temporary folder.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from zertz_db.ingest.copy_records import import_stored_records
from zertz_db.ingest.importer import Importer, import_files
from zertz_db.ingest.lake_importer import open_importer
from zertz_db.ingest.records.reader_version import format_reader_version
from zertz_db.ingest.redaction.redact_batches import RedactedNames
from zertz_db.ingest.sources.place import FileList, ReadRequest, SourceError
from zertz_db.ingest.stored.delete_records import delete_sources
from zertz_db.ingest.stored.file_versions import find_missing_records
from zertz_db.ingest.stored.known_sources import (
    KnownFiles,
    LettersByPath,
    VersionsByPath,
    count_known_records,
    find_known_files,
    look_up_known_files,
)
from zertz_db.ingest.tally import Tally, TallyCallback
from zertz_db.store.annotations import people_file
from zertz_db.store.backend import change_database
from zertz_db.store.errors import NoDatabase, StoreError
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.ids import id_of, to_text
from zertz_db.store.open_database import open_database


def import_to_lake(
    files: FileList,
    sources: VersionsByPath,
    said: LettersByPath,
    asked: ReadRequest,
    folder: Path,
    watch: TallyCallback,
    wait: Wait = NO_WAIT,
    cluster: str | None = None,
    replace: bool = False,
) -> Tally:
    """Import files into a lake (see `importing.import_paths`), which is made if it is not there. `said`: of their letters."""
    known = find_known_files(folder, sources, said)
    fresh = [(path, named) for path, named in files if path not in known.read]
    balance = _import_new_files(fresh, known, asked, folder, watch, wait, cluster, replace) if fresh else None
    if balance is None:
        balance = _tally_known_files(folder, known)
        if replace and balance.missing:
            balance = change_database(folder, lambda build: _withdraw(build, asked, known))
    if not balance.read and not balance.missing:
        raise SourceError(f"no records found in {', '.join(asked.names)}")
    return balance


def _tally_known_files(folder: Path, known: KnownFiles) -> Tally:
    """The balance of an import that finds nothing new."""
    balance = Tally()
    try:
        with open_database(folder) as database:
            count_known_records(database.connection(), balance, _ids(known))
            balance.missing = find_missing_records(database.connection(), known.sources.values())
    except NoDatabase:
        pass
    return balance


def _ids(known: KnownFiles) -> list[int]:
    """The ids of the files that were read before."""
    return [known.sources[path].id for path in known.read]


def _withdraw(build: Build, asked: ReadRequest, known: KnownFiles) -> Tally:
    with open_importer(build, asked) as importer:
        balance = _finish(importer, build, known, replace=True)
    if not balance.withdrawn:  # another has done so meanwhile
        build.discard()
    return balance


def _finish(importer: Importer, build: Build, known: KnownFiles, replace: bool) -> Tally:
    """Count the files that were read before, and withdraw what the files no longer hold, if asked to."""
    importer.revisit(_ids(known))
    importer.compare(known.sources)
    if replace and importer.balance.missing:
        importer.withdraw(build.annotations_dir)
    elif importer.balance.run is not None:
        importer.finish()
    return importer.balance


def _import_new_files(
    fresh: FileList,
    known: KnownFiles,
    asked: ReadRequest,
    folder: Path,
    watch: TallyCallback,
    wait: Wait,
    cluster: str | None,
    replace: bool,
) -> Tally | None:
    """The balance of an import of which some files are not known yet; None if there are no records in those."""
    beside = _get_staging_folder(folder, asked)
    sources, letters = {path: known.sources[path] for path, _ in fresh}, known.letters
    _require_same_files(
        beside, {(version.id, format_reader_version(letters.get(path))) for path, version in sources.items()}
    )
    try:
        passed = import_files(fresh, sources, letters, asked, beside, watch, wait, cluster).skipped
    except SourceError:  # there are no records in them
        shutil.rmtree(beside.parent)
        return None
    with open_database(beside) as database:
        balance = change_database(folder, lambda build: _copy_to_lake(database, build, asked, known, replace))
    shutil.rmtree(beside.parent)
    balance.skipped = passed
    return balance


def _get_staging_folder(folder: Path, asked: ReadRequest) -> Path:
    """Where the database of such an import lies: only for this user, and the same when it is asked for again."""
    name = to_text(id_of(repr((str(folder), str(Path.cwd()), asked.paths)).encode()))
    beside = Path(tempfile.gettempdir()) / f"zertz-import-{name}"
    beside.mkdir(parents=True, exist_ok=True)
    beside.chmod(0o700)  # which the system refuses if it is somebody else's
    return beside / "games.zertz"


def _require_same_files(beside: Path, wanted: set[tuple[int, str]]) -> None:
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


def _copy_to_lake(database: Database, build: Build, asked: ReadRequest, known: KnownFiles, replace: bool) -> Tally:
    """Put everything that a database holds into a lake, as an import of these files; those that the lake has by now count as known."""
    known = look_up_known_files(build.connection, known.sources, known.letters)
    brought = {source for (source,) in database.connection().execute("SELECT id FROM _source").fetchall()}
    before = {*_ids(known)}
    delete_sources(build.connection, [*brought - before])
    with open_importer(build, asked, RedactedNames(people_file.read_redacted(build.annotations_dir))) as importer:
        import_stored_records(database, importer)
    balance = _finish(importer, build, known, replace)
    if brought <= before and not balance.withdrawn:  # another has brought all of them meanwhile
        balance.run = None
        build.discard()
    return balance
