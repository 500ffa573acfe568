"""Import into a lake: import the files into a staging database first, then copy it into the lake in one transaction.

So only that transaction is repeated if another machine was faster, and readers see all of an import or nothing. The staging database is
in the temporary folder; an import that was stopped resumes with it.
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
    ImportRequest,
    KnownFiles,
    count_known_records,
    find_known_files,
    look_up_known_files,
)
from zertz_db.ingest.tally import Tally
from zertz_db.store.annotations import people_file
from zertz_db.store.backend import change_database
from zertz_db.store.errors import NoDatabase, StoreError
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import id_of, to_text
from zertz_db.store.open_database import open_database


def import_to_lake(request: ImportRequest) -> Tally:
    """Import the files of a request into a lake, created if missing."""
    known = find_known_files(request.folder, request.sources, request.stated)
    fresh = [(path, named) for path, named in request.files if path not in known.read]
    tally = _import_new_files(fresh, known, request) if fresh else None
    if tally is None:
        tally = _tally_known_files(request.folder, known)
        if request.replace and tally.missing:
            tally = change_database(request.folder, lambda build: _withdraw(build, request.reading, known))
    return request.require_records(tally)


def _tally_known_files(folder: Path, known: KnownFiles) -> Tally:
    """Return the tally of an import without new files."""
    tally = Tally()
    try:
        with open_database(folder) as database:
            count_known_records(database.connection(), tally, _ids(known))
            tally.missing = find_missing_records(database.connection(), known.sources.values())
    except NoDatabase:
        pass
    return tally


def _ids(known: KnownFiles) -> list[int]:
    """Return the ids of the files that were read before."""
    return [known.sources[path].id for path in known.read]


def _withdraw(build: Build, request: ReadRequest, known: KnownFiles) -> Tally:
    with open_importer(build, request) as importer:
        tally = _finish(importer, build, known, replace=True)
    if not tally.withdrawn:  # another process has withdrawn them
        build.discard()
    return tally


def _finish(importer: Importer, build: Build, known: KnownFiles, replace: bool) -> Tally:
    """Count the files that were read before; with `replace`, withdraw the records that are missing from the files."""
    importer.revisit(_ids(known))
    importer.compare(known.sources)
    if replace and importer.tally.missing:
        importer.withdraw(build.annotations_dir)
    elif importer.tally.run is not None:
        importer.finish()
    return importer.tally


def _import_new_files(fresh: FileList, known: KnownFiles, request: ImportRequest) -> Tally | None:
    """Import new files; return the tally, or None if they have no records."""
    staging_folder = _get_staging_folder(request.folder, request.reading)
    sources, letters = {path: known.sources[path] for path, _ in fresh}, known.letters
    _require_same_files(
        staging_folder, {(version.id, format_reader_version(letters.get(path))) for path, version in sources.items()}
    )
    staged = request._replace(files=fresh, sources=sources, stated=letters, folder=staging_folder, replace=False)
    try:
        skipped = import_files(staged).skipped
    except SourceError:  # they have no records
        shutil.rmtree(staging_folder.parent)
        return None
    with open_database(staging_folder) as database:
        tally = change_database(request.folder, lambda build: _copy_to_lake(database, build, request, known))
    shutil.rmtree(staging_folder.parent)
    tally.skipped = skipped
    return tally


def _get_staging_folder(folder: Path, request: ReadRequest) -> Path:
    """Return the folder of the staging database: private to this user, and the same for a repeated import."""
    name = to_text(id_of(repr((str(folder), str(Path.cwd()), request.paths)).encode()))
    parent = Path(tempfile.gettempdir()) / f"zertz-import-{name}"
    parent.mkdir(parents=True, exist_ok=True)
    parent.chmod(0o700)  # fails if it belongs to another user
    return parent / "games.zertz"


def _require_same_files(staging_folder: Path, wanted: set[tuple[int, str]]) -> None:
    """Remove the staging database of a stopped import if its files have changed since, or must be read differently."""
    try:
        with open_database(staging_folder) as database:
            query = "SELECT id, reader_version FROM _source"
            is_part = {*database.connection().execute(query).fetchall()} <= wanted
    except NoDatabase:
        return
    except StoreError:
        is_part = False
    if not is_part:
        shutil.rmtree(staging_folder)


def _copy_to_lake(database: Database, build: Build, request: ImportRequest, known: KnownFiles) -> Tally:
    """Copy a staging database into a lake, as an import of these files; files that the lake has by now count as known."""
    known = look_up_known_files(build.connection, known.sources, known.letters)
    copied = {source for (source,) in database.connection().execute("SELECT id FROM _source").fetchall()}
    before = {*_ids(known)}
    delete_sources(build.connection, [*copied - before])
    with open_importer(
        build, request.reading, RedactedNames(people_file.read_redacted(build.annotations_dir))
    ) as importer:
        import_stored_records(database, importer)
    tally = _finish(importer, build, known, request.replace)
    if copied <= before and not tally.withdrawn:  # another process has imported all of them
        tally.run = None
        build.discard()
    return tally
