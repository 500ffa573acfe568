"""Known files, by path and bytes: an import of known files costs no more than reading them once.

Each path is a separate sighting: a copy of a known file is read, too. A file is known under its name as given, and under any other
spelling of its absolute path.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import duckdb

from zertz_db.ingest.records.reader_version import format_reader_version, parse_letters
from zertz_db.ingest.sources.discover import GENERIC_NAMES, STANDARD_INPUT, read_standard_input
from zertz_db.ingest.sources.place import FileList, ReadRequest, SourceError, escape_unprintable
from zertz_db.ingest.stored.file_versions import FileVersion, find_missing_records
from zertz_db.ingest.tally import Tally, TallyCallback
from zertz_db.store.backend import migrate
from zertz_db.store.errors import NoDatabase, SchemaMismatch
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.ids import id_of, id_of_path, id_of_source
from zertz_db.store.open_database import open_database
from zertz_db.store.sql_literals import numbers

VersionsByPath = Mapping[str, FileVersion]
"""The file versions of an import by path."""

LettersByPath = Mapping[str, str]
"""The stated language of the colour letters of files, by path."""


class ImportRequest(NamedTuple):
    """An import of files into a database; see `import_paths` for the meanings.

    sources: the versions of the files. stated: the letters that the user states now. reading: the paths, and names for them.
    """

    files: FileList
    sources: VersionsByPath
    stated: LettersByPath
    reading: ReadRequest
    folder: Path
    watch: TallyCallback
    wait: Wait
    cluster: str | None
    replace: bool

    def require_records(self, tally: Tally) -> Tally:
        """Return the tally of the import. Raise SourceError if there are no records in the files, and none are missing."""
        if not tally.read and not tally.missing:
            raise SourceError(f"no records found in {', '.join(self.reading.names)}")
        return tally


class KnownFiles(NamedTuple):
    """Facts that a database has about files.

    sources: the files, with their ids in the database. letters: the language of their colour letters, as stated now or when they were
    read. read: the paths of files that need not be read again.
    """

    sources: VersionsByPath
    letters: LettersByPath
    read: set[str]


def identify_files(files: FileList, request: ReadRequest) -> tuple[FileList, VersionsByPath]:
    """Identify files by their names and bytes; return each once, even if given in two spellings, with its version."""
    once: FileList = []
    sources: dict[str, FileVersion] = {}
    seen: set[object] = set()
    folders: dict[str, str] = {}
    for path, named in files:
        version = _version(path, request, folders)
        keys = {version.id} if version.place is None else {version.id, (version.place, version.content)}
        if seen.isdisjoint(keys):
            once.append((path, named))
            sources[path] = version
        seen |= keys
    return once, sources


def _version(path: str, request: ReadRequest, folders: dict[str, str]) -> FileVersion:
    name, content = request.get_display_name(path), compute_content_id(path)
    is_upload = path in request.called
    return FileVersion(
        id=id_of_source(name, content),
        content=content,
        place=None if path == STANDARD_INPUT else id_of_path(_resolve_path(path, folders)),
        name=None if (is_upload and name in GENERIC_NAMES) or path == STANDARD_INPUT else name,
        is_upload=is_upload,
    )


def _resolve_path(path: str, folders: dict[str, str]) -> str:
    """Return the absolute path of a file, with links of its folder resolved. folders: a cache of those."""
    folder, name = os.path.split(path)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    return os.path.join(folders[folder], name)  # noqa: PTH118 - preserves odd names


def compute_content_id(path: str) -> int:
    """Return the id of a file's bytes."""
    if path == STANDARD_INPUT:
        return id_of(read_standard_input())
    try:
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
    except OSError:  # it will be rejected, with the reason
        return id_of(f"unreadable {escape_unprintable(path)}".encode())
    return int.from_bytes(digest.digest()[:8], "big", signed=True)


def get_size(path: str) -> int:
    """Return the bytes of a file; 0 if it can't be read."""
    if path == STANDARD_INPUT:
        return len(read_standard_input())
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def tally_known_import(folder: Path, sources: VersionsByPath, stated: LettersByPath) -> Tally | None:
    """Return the tally of an import that would change nothing, because all files are known with these letters; None if it would."""
    try:
        with open_database(folder) as database:
            connection = database.connection()
            known = look_up_known_files(connection, sources, stated)
            if known.read < {*sources}:
                return None
            tally = Tally()
            count_known_records(connection, tally, [version.id for version in known.sources.values()])
            tally.missing = find_missing_records(connection, known.sources.values())
    except NoDatabase:
        return None
    return tally if tally.read or tally.missing else None


@contextmanager
def hold_open(folder: Path, wait: Wait) -> Iterator[None]:
    """Hold the live state open, if there is one: an import looks at it several times, and DuckDB reads a log whenever it opens a file."""
    with ExitStack() as held:
        with suppress(NoDatabase):
            held.enter_context(_open_migrated(folder, wait))
        yield


def _open_migrated(folder: Path, wait: Wait = NO_WAIT) -> Database:
    """Open a database; migrate it first if its schema is older."""
    try:
        return open_database(folder)
    except SchemaMismatch:
        migrate(folder, wait)
        return open_database(folder)


def find_known_files(folder: Path, sources: VersionsByPath, stated: LettersByPath) -> KnownFiles:
    """Return the facts that a database, if it exists, has about files. stated: letters that the user states now."""
    try:
        with _open_migrated(folder) as database:
            return look_up_known_files(database.connection(), sources, stated)
    except NoDatabase:
        return KnownFiles(sources, stated, set())


def look_up_known_files(
    connection: duckdb.DuckDBPyConnection, sources: VersionsByPath, stated: LettersByPath
) -> KnownFiles:
    """Return the facts that a database has about files."""
    noted, of_content = {}, {}
    contents = numbers(version.content for version in sources.values())
    query = f"SELECT id, content, reader_version FROM _source WHERE content IN (SELECT {contents}) ORDER BY read_at"
    for source, content, by in connection.execute(query).fetchall():
        noted[source] = by
        of_content[content] = by
    if not all(version.id in noted for version in sources.values()):
        sources = use_known_ids(connection, sources)
    before = {path: parse_letters(noted.get(one.id, of_content.get(one.content, ""))) for path, one in sources.items()}
    letters = {**{path: language for path, language in before.items() if language}, **stated}
    read = {path for path, one in sources.items() if noted.get(one.id) == format_reader_version(letters.get(path))}
    return KnownFiles(sources, letters, read)


def use_known_ids(connection: duckdb.DuckDBPyConnection, sources: VersionsByPath) -> VersionsByPath:
    """Return the files, with the ids of those that the database knows by another spelling of their path."""
    placed = [one for one in sources.values() if one.place is not None]
    rows = connection.execute(f"""
        WITH versions AS (
            SELECT {numbers(one.id for one in placed)} AS id, {numbers(one.content for one in placed)} AS content,
                {numbers(one.place or 0 for one in placed)} AS place
        )
        SELECT versions.id, min(s.id) FROM versions JOIN _source s ON s.content = versions.content AND s.place = versions.place
        WHERE versions.id NOT IN (SELECT id FROM _source) GROUP BY versions.id
    """).fetchall()
    other = dict(rows)
    return {path: one._replace(id=other.get(one.id, one.id)) for path, one in sources.items()} if other else sources


def count_known_records(connection: duckdb.DuckDBPyConnection, tally: Tally, sources: Iterable[int]) -> None:
    """Count the records of files that were read before; this import added none of them."""
    counts = connection.execute(f"""
        SELECT status, reason, verdict, count(*) FROM _record JOIN (SELECT {numbers(sources)} AS source) USING (source) GROUP BY ALL
    """).fetchall()
    tally.add((_get_repeat_status(status), reason, verdict, count) for status, reason, verdict, count in counts)


def _get_repeat_status(status: str) -> str:
    return "rejected" if status == "rejected" else "duplicate"
