"""The importer: read and check files on all cores, batch by batch, into a database under construction.

A stopped import is resumed: each batch is a transaction, and the stored records show which places are done.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from datetime import UTC, datetime
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import pyarrow as pa

from zertz_db.extras import replace_hidden_pandas
from zertz_db.ingest import worker_pool
from zertz_db.ingest.dask_workers import run_on_cluster
from zertz_db.ingest.records.batch import BATCH_TABLES, ImportBatch, import_batch, select_games, select_rows
from zertz_db.ingest.records.id_collisions import rank_games, resolve_id_collisions
from zertz_db.ingest.records.known_ids import KnownIds
from zertz_db.ingest.records.reader_version import READER_VERSION, format_reader_version
from zertz_db.ingest.records.rows import Rows, to_arrow_table
from zertz_db.ingest.redaction.redact_batches import NO_REDACTIONS, RedactedNames
from zertz_db.ingest.sources.archives import has_archive_name
from zertz_db.ingest.sources.discover import BATCH_BYTES, get_weight, list_places
from zertz_db.ingest.sources.place import Damage, FileList, Place, ReadRequest, SourceItem
from zertz_db.ingest.stored.archive_copies import ArchiveCopy, copy_records
from zertz_db.ingest.stored.delete_records import COUNTED_RECORDS, delete_sources
from zertz_db.ingest.stored.file_versions import FileVersion, find_missing_records
from zertz_db.ingest.stored.known_sources import (
    ImportRequest,
    LettersByPath,
    VersionsByPath,
    count_known_records,
    find_known_files,
    get_size,
    use_known_ids,
)
from zertz_db.ingest.stored.withdraw_records import withdraw
from zertz_db.ingest.tally import Tally, TallyCallback
from zertz_db.rules.compiled import sources_hash
from zertz_db.store.annotations import game_merges, people_file
from zertz_db.store.folder.build import next_generation, transaction
from zertz_db.store.loading import large_records, opening_nodes, staging
from zertz_db.store.loading.bulk_load import MEMORY, TO_APPEND, limit_memory, load, one_thread, without_merging
from zertz_db.store.loading.large_records import Neighbours
from zertz_db.store.loading.packed_batches import Packed
from zertz_db.store.schema import meta
from zertz_db.store.schema.table_columns import arrow_schema, arrow_schemas

BatchRunner: TypeAlias = Callable[
    [Iterable[SourceItem], int], Generator[tuple[list[SourceItem], ImportBatch], None, None]
]
"""A function that reads and checks items in batches and yields the results in order; the number is the size of the files in bytes."""

RunnerFactory: TypeAlias = Callable[[str | None], BatchRunner]
"""A function that returns a BatchRunner for the stated language of the colour letters, or None."""


def import_files(request: ImportRequest) -> Tally:
    """Import the files of a request into a folder."""
    _, sources, stated, reading, folder, *_ = request
    replace_hidden_pandas()
    with next_generation(
        folder, partial(_is_resumable, folder, sources, stated, request.replace), request.wait
    ) as build:
        if build.before == 0:
            game_merges.apply_merges(build.connection, game_merges.targets(game_merges.read(folder)))
        importer = Importer(
            build.connection, reading, build.is_resumed, redacted=RedactedNames(people_file.read_redacted(folder))
        )
        sources, letters = use_known_ids(build.connection, sources), find_known_files(folder, sources, stated).letters
        importer.take_all(request.files, sources, letters, request.watch, partial(_make_runner, request.cluster))
        importer.compare(sources)
        is_withdrawing = request.replace and bool(importer.tally.missing)
        if is_withdrawing:
            importer.withdraw(folder)
        elif importer.is_unchanged or importer.tally.read == 0:
            build.discard()
        else:
            importer.finish()
    return request.require_records(importer.tally)


def _make_runner(cluster: str | None, letters: str | None) -> BatchRunner:
    if cluster is None:
        return partial(worker_pool.run_batches, partial(import_batch, arrow_schemas(*BATCH_TABLES), letters))
    return lambda items, _: run_on_cluster(cluster, items, letters)


class Importer:
    """One import into a database under construction: `take` every batch, then `finish`.

    tally: counts of the records so far. run: the number of the import. is_resumed: continue a stopped import.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        request: ReadRequest,
        is_resumed: bool = False,
        *,
        redacted: RedactedNames = NO_REDACTIONS,
    ) -> None:
        self.connection = connection
        self.redacted = redacted
        self.request = request
        self.tally = Tally()
        self.files = 0
        self.revisited: list[int] = []
        self._memory = MEMORY
        self._neighbours = Neighbours()
        self.known_ids = KnownIds(connection)
        if is_resumed:
            self.run, self.began = _find_interrupted_import(connection)
            self.tally.add(_fetch_all(connection, f"{_RECORD_COUNTS} WHERE run = ? GROUP BY ALL", [self.run]))
            self.tally.resumed = self.tally.read
        else:
            self.run = _fetch_all(connection, "SELECT coalesce(max(run), 0) + 1 FROM _import")[0][0]
            self.began = datetime.now(UTC).replace(tzinfo=None)

    @property
    def is_unchanged(self) -> bool:
        """Return whether the import has no new files."""
        return self.files == 0

    def take_all(
        self, files: FileList, sources: VersionsByPath, letters: LettersByPath, watch: TallyCallback, run: RunnerFactory
    ) -> None:
        """Read every new file, in batches by `run`. sources: each file's version by its path."""
        fresh, known = self._split(files, sources, letters)
        self.files = len(fresh)
        if fresh:
            self._begin(fresh, sources, letters)
        first, copies = self._split_copies(fresh, sources, letters)
        self._read_by_letters(first, sources, letters, watch, run)
        others = [file for file in copies if not self._copy_archive(sources[file[0]], letters.get(file[0]))]
        self._read_by_letters(others, sources, letters, watch, run)
        self.revisit(known)

    def _split(self, files: FileList, sources: VersionsByPath, letters: LettersByPath) -> tuple[FileList, list[int]]:
        """Return the files to read, and the ids of those that were read before."""
        fresh: FileList = []
        known = []
        query = "SELECT id, reader_version FROM _source WHERE read_at <> ?"
        noted = dict(_fetch_all(self.connection, query, [self.began]))
        for path, named in files:
            source = sources[path].id
            if noted.get(source) == format_reader_version(letters.get(path)):
                known.append(source)
            else:
                fresh.append((path, named))
        return fresh, known

    def _split_copies(
        self, fresh: FileList, sources: VersionsByPath, letters: LettersByPath
    ) -> tuple[FileList, FileList]:
        """Return the files to read, and archives with the bytes of one of those, or of one that was read before."""
        query = "SELECT content, reader_version FROM _source WHERE read_at <> ?"
        seen = {*_fetch_all(self.connection, query, [self.began])} if fresh else set()
        first: FileList = []
        copies: FileList = []
        for path, named in fresh:
            key = sources[path].content, format_reader_version(letters.get(path))
            (copies if key in seen and has_archive_name(path) else first).append((path, named))
            seen.add(key)
        return first, copies

    def _copy_archive(self, version: FileVersion, letters: str | None) -> bool:
        """Copy the records of an archive with the same bytes; return whether there was one. Commits."""
        with self._transaction():
            count = copy_records(
                self.connection, ArchiveCopy(version.id, version.content, format_reader_version(letters)), self.run
            )
        if count:
            self.tally.add(_fetch_all(self.connection, f"{_RECORD_COUNTS} WHERE source = ? GROUP BY ALL", [version.id]))
        return count is not None

    def _read_by_letters(
        self, files: FileList, sources: VersionsByPath, letters: LettersByPath, watch: TallyCallback, run: RunnerFactory
    ) -> None:
        """Read files, in one group for each language of letters."""
        own: dict[str | None, FileList] = defaultdict(list)
        for file in files:
            own[letters.get(file[0])].append(file)
        for language, some in own.items():
            self._read(some, sources, watch, run(language))

    def revisit(self, known: list[int]) -> None:
        """Count the records of unchanged files (by ids) that were read before."""
        self.revisited = known
        if known:
            count_known_records(self.connection, self.tally, known)

    def compare(self, sources: VersionsByPath) -> None:
        """Find the records of earlier versions of the files that are missing now. Call it after all files were read."""
        self.tally.missing = find_missing_records(self.connection, sources.values())

    def withdraw(self, annotations_dir: Path) -> None:
        """Withdraw the missing records, and finish. annotations_dir: the folder of the annotations. Commits."""
        with self._transaction():
            self._note_run()
            self.tally.withdrawn = withdraw(self.connection, self.tally.missing, annotations_dir)
            # A record that was a duplicate may be the first of its game now.
            self.tally.recount(_fetch_all(self.connection, _IMPORT_COUNTS, [self.run]))
            self._note_run()
        self.tally.run = self.run

    def _begin(self, fresh: FileList, sources: VersionsByPath, letters: LettersByPath) -> None:
        """Note the run and its sources, unless a stopped import has noted them; delete records that were read differently."""
        noted = {source for source, _ in _fetch_all(self.connection, _OWN_SOURCES, [self.began])}
        new = [(sources[path], path) for path, _ in fresh if sources[path].id not in noted]
        rows = [
            {
                "id": version.id,
                "path": self.redacted.text_or_note(self.request.get_display_name(path)),
                "content": version.content,
                "place": version.place,
                "size": get_size(path),
                "read_at": self.began,
                "reader_version": format_reader_version(letters.get(path)),
            }
            for version, path in new
        ]
        with transaction(self.connection):
            self._note_run()
            delete_sources(self.connection, [version.id for version, _ in new])
            load(self.connection, "source", to_arrow_table(arrow_schema("source"), rows))

    def _read(self, fresh: FileList, sources: VersionsByPath, watch: TallyCallback, run: BatchRunner) -> None:
        size = sum(get_size(path) for path, _ in fresh)
        is_large = size > _MAX_SMALL_BYTES
        items = self._items(fresh, sources, watch, is_large)
        # More threads would wait for each other in small statements, and take a core from the workers.
        with one_thread(self.connection), closing(run(items, size)) as batches:
            for batch, result in batches:
                with without_merging(self.connection):
                    self._add_result(result, sources, len(batch), watch)
        if is_large:
            self._limit_memory(MEMORY)

    def _items(
        self, fresh: FileList, sources: VersionsByPath, watch: TallyCallback, is_large: bool
    ) -> Iterator[SourceItem]:
        """Yield the remaining items, after counting all of them. The first items come before that, for workers that wait for them.

        is_large: limit the memory of DuckDB to what appending needs.
        """
        counts = dict(_fetch_all(self.connection, _MEMBER_COUNTS, [self.run]))
        if is_large:
            self._limit_memory(TO_APPEND)
        first_bytes = 0 if counts or worker_pool.count_cores() == 1 else _FIRST_BYTES
        given = size = 0
        places: list[SourceItem] = []
        for count, left in self._left(fresh, sources, counts):
            self.tally.places += count
            self.tally.done += count - len(left)
            if size < first_bytes:
                size += sum(map(get_weight, left))
                given += len(left)
                yield from left
            elif self.tally.places <= _MAX_PLACES_IN_MEMORY:
                places += left
        watch(self.tally)
        if self.tally.places <= _MAX_PLACES_IN_MEMORY:
            yield from places
            return
        places.clear()  # a million places would fill the memory, so list the archives again
        again = (item for _, left in self._left(fresh, sources, counts) for item in left)
        yield from islice(again, given, None)

    def _left(
        self, files: FileList, sources: VersionsByPath, counts: Mapping[int, int]
    ) -> Iterator[tuple[int, list[SourceItem]]]:
        """Yield the number of places of each file, and the remaining ones. counts: of the places that are done, by source.

        A place is done if it has a record. Places without records leave no trace and are read again.
        """
        for path, places_there in groupby(list_places(files), lambda it: it.path):
            places = [*places_there]
            done = counts.get(sources[path].id, 0)
            if not done:
                yield len(places), places
            elif done == len(places):
                yield len(places), []
            else:
                members = {member for (member,) in _fetch_all(self.connection, _MEMBERS, [sources[path].id, self.run])}
                yield len(places), [it for it in places if _place(it).shown[1] not in members]

    def _add_result(self, batch: ImportBatch, sources: VersionsByPath, count: int, watch: TallyCallback) -> None:
        batch.records["source"] = [sources[path].id for path in batch.records["source"]]
        self.take(batch)
        self.tally.done += count
        watch(self.tally)

    def take(self, batch: ImportBatch) -> None:
        """Add a batch in one transaction: new games, sightings of known ones, rejected records. Commits."""
        self._make_room(batch)
        self.known_ids.begin_batch()
        with self._transaction():
            batch = resolve_id_collisions(self.connection, self.known_ids, self.redacted.redact(batch))
            counts = self._add(batch)
        self.tally.add((*key, count) for key, count in counts.items())
        self.tally.skipped += batch.skipped

    def _make_room(self, batch: ImportBatch) -> None:
        """Let DuckDB have the memory that it needs for large records."""
        if large_records.note(self.connection, self._neighbours.add(batch.records["bytes"])):
            self._limit_memory(self._memory)

    def _limit_memory(self, memory: int) -> None:
        self._memory = memory
        limit_memory(self.connection, memory)

    def _add(self, batch: ImportBatch) -> Counter[tuple[str, str | None, str]]:
        rows = batch.records
        possible = self.known_ids.select(rows["id"])
        known = {record for (record,) in _fetch_all(self.connection, _KNOWN_RECORDS, [possible])} if possible else set()
        first_seen, positions = self._load_games(batch)
        fresh = pa.array(sorted(set(rows["id"]) - known), pa.int64())
        self._stage(
            position=positions,
            tag=select_rows(batch.tags, "record", fresh),
            finding=select_rows(batch.findings, "record", fresh),
        )
        count = len(rows["id"])
        rows["run"] = [self.run] * count
        rows["status"] = [_status(game, first_seen) for game in rows["game"]]
        rows["bytes"] = _deduplicate_bytes(rows, known)
        if count:
            load(self.connection, "record", pa.table(rows, schema=arrow_schema("record")))
        self.known_ids.add(rows["id"])
        return Counter(zip(rows["status"], rows["reason"], rows["verdict"], strict=True))

    def _load_games(self, batch: ImportBatch) -> tuple[set[int], pa.Table | Packed]:
        """Load new games, and games with a new representative record; return the ids of the new ones, and the positions of both."""
        ranks = rank_games(batch)
        possible = self.known_ids.select(ranks)
        rows = _fetch_all(self.connection, _KNOWN_GAMES, [possible]) if possible else []
        known = {game: (plies, weight) for game, plies, weight in rows}
        replaced = [game for game, rank in ranks.items() if game in known and rank > known[game]]
        if replaced:
            opening_nodes.forget(self.connection)
            self._withdraw(replaced)
            self.connection.execute("DELETE FROM _game WHERE id IN (SELECT unnest(?))", [replaced])
        first_seen = ranks.keys() - known.keys()
        batch = select_games(batch, pa.array(sorted({*first_seen, *replaced}), pa.int64()))
        load(self.connection, "game", batch.games)
        self.known_ids.add(first_seen)
        return first_seen, batch.positions

    def finish(self) -> None:
        """Note the run with its tally. Commits."""
        with self._transaction():
            self._note_run()
        self.tally.run = self.run

    def write(self) -> None:
        """Write rows that wait in this importer: none, because those of a folder wait in the build."""

    def _transaction(self) -> AbstractContextManager[None]:
        return transaction(self.connection)

    def _stage(self, **rows: pa.Table | Packed) -> None:
        staging.stage(self.connection, rows)

    def _withdraw(self, games: list[int]) -> None:
        staging.withdraw(self.connection, games)

    def _note_run(self) -> None:
        versions = {"rules_version": sources_hash(), "reader_version": READER_VERSION}
        withdrawn = self.tally.withdrawn
        meta.write(self.connection, {**versions, meta.WORK: self.run, meta.WITHDRAWN: "yes" if withdrawn else "no"})
        self.connection.execute("DELETE FROM _import WHERE run = ?", [self.run])
        self.connection.execute("DELETE FROM _revisit WHERE run = ?", [self.run])
        revisits = [{"run": self.run, "source": source} for source in self.revisited]
        load(self.connection, "revisit", to_arrow_table(arrow_schema("revisit"), revisits))
        row = {
            "run": self.run,
            "made_at": self.began,
            "what": self.redacted.text_or_note(" ".join(self.request.names)),
            "sources": self.files + len(self.revisited),
            "records": self.tally.read,
            "stored": self.tally.stored,
            "duplicate": self.tally.duplicate,
            "rejected": self.tally.rejected,
            "undone": False,
            "withdrawn": withdrawn.records if withdrawn else 0,
        }
        load(self.connection, "import", to_arrow_table(arrow_schema("import"), [row]))


_MAX_SMALL_BYTES = 1 << 19
"""Maximum size of files to read without a lower limit of memory: a new limit makes DuckDB read again what it has in memory."""
_FIRST_BYTES = 5 * BATCH_BYTES
"""Bytes of the places that come before all are counted: three batches for a worker, which reads them meanwhile, and two in hand."""
_MAX_PLACES_IN_MEMORY = 100_000
"""Maximum number of places in memory, some 30 MB."""

_IMPORT_COUNTS = f"SELECT status, reason, verdict, count(*) FROM ({COUNTED_RECORDS}) WHERE run = ? GROUP BY ALL"
_RECORD_COUNTS = "SELECT status, reason, verdict, count(*) FROM _record"
_OWN_SOURCES = "SELECT id, reader_version FROM _source WHERE read_at = ?"
"""The sources read by the import that began at a time."""
_MEMBER_COUNTS = "SELECT source, count(DISTINCT member) FROM _record WHERE run = ? GROUP BY source"
_MEMBERS = "SELECT DISTINCT member FROM _record WHERE source = ? AND run = ?"
_KNOWN_RECORDS = "SELECT DISTINCT id FROM _record WHERE id IN (SELECT unnest(?))"
_KNOWN_GAMES = """
    SELECT g.id, g.plies, max(r.weight) FROM _game g JOIN _record r ON r.id = g.record
    WHERE g.id IN (SELECT unnest(?)) GROUP BY ALL
"""


def _find_interrupted_import(connection: duckdb.DuckDBPyConnection) -> tuple[int, datetime]:
    """Return the number and the start of the import that was stopped."""
    run = int(meta.read(connection)[meta.WORK])
    return run, _fetch_all(connection, "SELECT made_at FROM _import WHERE run = ?", [run])[0][0]


def _is_resumable(
    folder: Path, sources: VersionsByPath, stated: LettersByPath, replace: bool, connection: duckdb.DuckDBPyConnection
) -> bool:
    """Return whether a stopped import is part of an import of these sources: each source that it read is among them, unchanged and with
    the same letters.

    One that has withdrawn records is part only of one that replaces, too.
    """
    if people_file.read_redacted(folder):  # members' names may be redacted, so done places can't be recognised
        return False
    facts = meta.read(connection)
    if (facts["reader_version"], facts["rules_version"]) != (READER_VERSION, sources_hash()):
        return False
    if facts.get(meta.WITHDRAWN) == "yes" and not replace:
        return False
    sources, (_, began) = use_known_ids(connection, sources), _find_interrupted_import(connection)
    letters = find_known_files(folder, sources, stated).letters
    request = {(version.id, format_reader_version(letters.get(path))) for path, version in sources.items()}
    return {*_fetch_all(connection, _OWN_SOURCES, [began])} <= request


def _status(game: int | None, first_seen: set[int]) -> str:
    """Return the status of a record; the first record of a new game is stored."""
    if game is None:
        return "rejected"
    if game in first_seen:
        first_seen.discard(game)
        return "stored"
    return "duplicate"


def _deduplicate_bytes(rows: Rows, known: set[int]) -> list[bytes | None]:
    """Return the bytes of each new record at the first of its rows, None elsewhere."""
    unique: list[bytes | None] = []
    seen = set(known)
    for record, data in zip(rows["id"], rows["bytes"], strict=True):
        unique.append(None if record in seen else data)
        seen.add(record)
    return unique


def _place(it: SourceItem) -> Place:
    return it.place if isinstance(it, Damage) else it


def _fetch_all(
    connection: duckdb.DuckDBPyConnection, query: str, values: list[Any] | None = None
) -> list[tuple[Any, ...]]:
    return connection.execute(query, values or []).fetchall()
