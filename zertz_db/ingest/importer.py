"""The work of an import: files read and checked by all cores, lot after lot, into a database that is being built.

An import that was stopped, however that came, is gone on with: every lot is a transaction, and what is done can be told from the
records that are there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import pyarrow as pa

from zertz_db.ingest import pipeline
from zertz_db.ingest.balance import Balance, Watch
from zertz_db.ingest.columns import Rows, arrow
from zertz_db.ingest.containers import may_be_container
from zertz_db.ingest.copies import Copy, copy_records
from zertz_db.ingest.file_versions import Version, missing_records
from zertz_db.ingest.forgetting import COUNTED, forget_sources
from zertz_db.ingest.identity import apart
from zertz_db.ingest.known import Letters, Sources, add_known, as_known, known_in, size_of
from zertz_db.ingest.lots import TABLES, Lot, import_lot, of_games, only
from zertz_db.ingest.readers import READER_VERSION, read_by
from zertz_db.ingest.sources import Asked, Damage, Files, Found, Place, SourceError, places
from zertz_db.ingest.withdrawal import withdraw
from zertz_db.ingest.withholding import NOBODY, Withheld
from zertz_db.rules.compiled import sources_hash
from zertz_db.store import meta, nodes, people, staging, unions
from zertz_db.store.building import next_generation, transaction
from zertz_db.store.loading import MEMORY, TO_APPEND, limit, load
from zertz_db.store.lock import NO_WAIT, Wait
from zertz_db.store.packed import Packed
from zertz_db.store.schema import arrow_schema, arrow_schemas

Run: TypeAlias = Callable[[Iterable[Found], int], Generator[tuple[list[Found], Lot], None, None]]
"""Lots of places, in files of so many bytes, read and checked, in order, by whomever."""

RunWith: TypeAlias = Callable[[str | None], Run]
"""The same for files with colour letters of this language, None where nobody has said anything of them."""


def import_files(
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
    """Import files (see `importing.import_paths`) that somebody asked for. `sources`: their versions; `said`: of letters, now."""
    with next_generation(folder, partial(_is_part, folder, sources, said, replace), wait) as build:
        if build.before == 0:
            unions.follow(build.connection, unions.targets(unions.read(folder)))
        importer = Importer(build.connection, asked, build.is_resumed, withheld=Withheld(people.withheld(folder)))
        sources, letters = as_known(build.connection, sources), known_in(folder, sources, said).letters
        importer.take_all(files, sources, letters, watch, partial(_shared_out, cluster))
        importer.compare(sources)
        is_withdrawing = replace and bool(importer.balance.missing)
        if is_withdrawing:
            importer.withdraw(folder)
        elif importer.is_unchanged or importer.balance.read == 0:
            build.discard()
        else:
            importer.finish()
    if importer.balance.read == 0 and not importer.balance.missing:
        raise SourceError(f"no records found in {', '.join(asked.names)}")
    return importer.balance


def _shared_out(cluster: str | None, letters: str | None) -> Run:
    if cluster is None:
        return partial(pipeline.run, partial(import_lot, arrow_schemas(*TABLES), letters))
    from zertz_db.ingest.cluster import run

    return lambda found, _: run(cluster, found, letters)


class Importer:
    """One import into a database that is being built: `take` every lot, then `finish`.

    balance: what became of the records so far. run: the number of the import. What an import that was stopped had done is gone on
    with if `is_resumed`.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        asked: Asked,
        is_resumed: bool = False,
        *,
        withheld: Withheld = NOBODY,
    ) -> None:
        self.connection = connection
        self.withheld = withheld
        self.asked = asked
        self.balance = Balance()
        self.files = 0
        self.revisited: list[int] = []
        if is_resumed:
            self.run, self.began = _begun(connection)
            self.balance.add(_all(connection, f"{_COUNTS} WHERE run = ? GROUP BY ALL", [self.run]))
        else:
            self.run = _all(connection, "SELECT coalesce(max(run), 0) + 1 FROM _import")[0][0]
            self.began = datetime.now(UTC).replace(tzinfo=None)

    @property
    def is_unchanged(self) -> bool:
        """Whether there was nothing to read that the database does not know."""
        return self.files == 0

    def take_all(self, files: Files, sources: Sources, letters: Letters, watch: Watch, run: RunWith) -> None:
        """Read every file that is not known yet, lots by `run`. `sources`: each file's version by its path."""
        fresh, known = self._split(files, sources, letters)
        self.files = len(fresh)
        if fresh:
            self._begin(fresh, sources, letters)
        first, copies = self._split_copies(fresh, sources, letters)
        self._read_all(first, sources, letters, watch, run)
        others = [file for file in copies if not self._copy(sources[file[0]], letters.get(file[0]))]
        self._read_all(others, sources, letters, watch, run)
        self.revisit(known)

    def _split(self, files: Files, sources: Sources, letters: Letters) -> tuple[Files, list[int]]:
        """The files that this import reads, and the ids of those that were read before."""
        fresh: Files = []
        known = []
        query = "SELECT id, reader_version FROM _source WHERE read_at <> ?"
        noted = dict(_all(self.connection, query, [self.began]))
        for path, named in files:
            source = sources[path].id
            if noted.get(source) == read_by(letters.get(path)):
                known.append(source)
            else:
                fresh.append((path, named))
        return fresh, known

    def _split_copies(self, fresh: Files, sources: Sources, letters: Letters) -> tuple[Files, Files]:
        """The files to be read, and archives with the bytes of one of those, or of one that was read before."""
        query = "SELECT content, reader_version FROM _source WHERE read_at <> ?"
        seen = {*_all(self.connection, query, [self.began])} if fresh else set()
        first: Files = []
        copies: Files = []
        for path, named in fresh:
            key = sources[path].content, read_by(letters.get(path))
            (copies if key in seen and may_be_container(path) else first).append((path, named))
            seen.add(key)
        return first, copies

    def _copy(self, version: Version, letters: str | None) -> bool:
        """Give a copy of an archive the records of that; whether it could be done. Commits."""
        with self._transaction():
            count = copy_records(self.connection, Copy(version.id, version.content, read_by(letters)), self.run)
        if count:
            self.balance.add(_all(self.connection, f"{_COUNTS} WHERE source = ? GROUP BY ALL", [version.id]))
        return count is not None

    def _read_all(self, files: Files, sources: Sources, letters: Letters, watch: Watch, run: RunWith) -> None:
        """Read files, those of each language of letters by themselves."""
        own: dict[str | None, Files] = defaultdict(list)
        for file in files:
            own[letters.get(file[0])].append(file)
        for language, some in own.items():
            self._read(some, sources, watch, run(language))

    def revisit(self, known: list[int]) -> None:
        """Count the records of files (their ids) that were read before and are unchanged."""
        self.revisited = known
        if known:
            add_known(self.connection, self.balance, known)

    def compare(self, sources: Sources) -> None:
        """Find the records of earlier versions of the files that these no longer hold. Call it when all files are read."""
        self.balance.missing = missing_records(self.connection, sources.values())

    def withdraw(self, words: Path) -> None:
        """Withdraw the records that the files no longer hold, and finish; `words`: the folder with annotations. Commits."""
        with self._transaction():
            self._note_run()
            self.balance.withdrawn = withdraw(self.connection, self.balance.missing, words)
            # A record that was a duplicate may be the first of its game now.
            self.balance.recount(_all(self.connection, _COUNTED, [self.run]))
            self._note_run()
        self.balance.run = self.run

    def _begin(self, fresh: Files, sources: Sources, letters: Letters) -> None:
        """Note the run and its sources, those before that it has noted already; records that were read otherwise make way."""
        begun = {source for source, _ in _all(self.connection, _OWN_SOURCES, [self.began])}
        new = [(sources[path], path) for path, _ in fresh if sources[path].id not in begun]
        rows = [
            {
                "id": version.id,
                "path": self.withheld.text(self.asked.name_of(path)),
                "content": version.content,
                "place": version.place,
                "size": size_of(path),
                "read_at": self.began,
                "reader_version": read_by(letters.get(path)),
            }
            for version, path in new
        ]
        with transaction(self.connection):
            self._note_run()
            forget_sources(self.connection, [version.id for version, _ in new])
            load(self.connection, "source", arrow(arrow_schema("source"), rows))

    def _read(self, fresh: Files, sources: Sources, watch: Watch, run: Run) -> None:
        size = sum(size_of(path) for path, _ in fresh)
        with closing(run(self._found(fresh, sources, watch), size)) as lots:
            for lot, result in lots:
                self._took(result, sources, len(lot), watch)
        limit(self.connection, MEMORY)

    def _found(self, fresh: Files, sources: Sources, watch: Watch) -> Iterator[Found]:
        """What is left to read, counted before the first of it is read."""
        found: list[Found] = []
        for count, left in self._left(fresh, sources):
            self.balance.places += count
            self.balance.done += count - len(left)
            if self.balance.places <= _KEPT_IN_MIND:
                found += left
        watch(self.balance)
        limit(self.connection, TO_APPEND, coming=self.balance.places)
        if self.balance.places <= _KEPT_IN_MIND:
            yield from found
            return
        found.clear()  # the places of a million records would fill the memory: archives are looked into once more
        yield from (it for _, left in self._left(fresh, sources) for it in left)

    def _left(self, files: Files, sources: Sources) -> Iterator[tuple[int, list[Found]]]:
        """How many places each file has, and those of them that are not done.

        A place is done if it has a record: of what was no record nothing is kept, it is looked at again.
        """
        counts = dict(_all(self.connection, _BEGUN, [self.run]))
        for path, places_there in groupby(places(files), lambda it: it.path):
            found = [*places_there]
            done = counts.get(sources[path].id, 0)
            if not done:
                yield len(found), found
            elif done == len(found):
                yield len(found), []
            else:
                members = {member for (member,) in _all(self.connection, _MEMBERS, [sources[path].id, self.run])}
                yield len(found), [it for it in found if _place(it).shown[1] not in members]

    def _took(self, lot: Lot, sources: Sources, count: int, watch: Watch) -> None:
        lot.records["source"] = [sources[path].id for path in lot.records["source"]]
        self.take(lot)
        self.balance.done += count
        watch(self.balance)

    def take(self, lot: Lot) -> None:
        """Add a lot, all of it or nothing: new games, sightings of known ones, rejects. Commits."""
        with self._transaction():
            lot = apart(self.connection, self.withheld.veil(lot))
            counts = self._add(lot)
        self.balance.add((*what, count) for what, count in counts.items())
        self.balance.passed += lot.passed

    def _add(self, lot: Lot) -> Counter[tuple[str, str | None, str]]:
        rows = lot.records
        known = {record for (record,) in _all(self.connection, _KNOWN_RECORDS, [rows["id"]])}
        first_seen = self._load_games(lot)
        self._stage_notes(lot, known)
        count = len(rows["id"])
        rows["run"] = [self.run] * count
        rows["status"] = [_status(game, first_seen) for game in rows["game"]]
        rows["bytes"] = _kept_once(rows, known)
        if count:
            load(self.connection, "record", pa.table(rows, schema=arrow_schema("record")))
        return Counter(zip(rows["status"], rows["reason"], rows["verdict"], strict=True))

    def _load_games(self, lot: Lot) -> set[int]:
        """Load the games that are new, whose ids are returned, and those that a weightier record now leads."""
        leads = dict(zip(lot.games["id"].to_pylist(), lot.games["record"].to_pylist(), strict=True))
        known = dict(_all(self.connection, _KNOWN_GAMES, [list(leads)]))
        weights = dict(zip(lot.records["id"], lot.records["weight"], strict=True))
        replaced = [game for game, record in leads.items() if game in known and weights[record] > known[game]]
        if replaced:
            nodes.forget(self.connection)
            self._withdraw(replaced)
            self.connection.execute("DELETE FROM _game WHERE id IN (SELECT unnest(?))", [replaced])
        first_seen = leads.keys() - known.keys()
        lot = of_games(lot, pa.array(sorted({*first_seen, *replaced}), pa.int64()))
        load(self.connection, "game", lot.games)
        self._stage(ply=lot.plies, position=lot.positions)
        return first_seen

    def _stage_notes(self, lot: Lot, known: set[int]) -> None:
        fresh = pa.array(sorted(set(lot.records["id"]) - known), pa.int64())
        self._stage(tag=only(lot.tags, "record", fresh), finding=only(lot.findings, "record", fresh))

    def finish(self) -> None:
        """Note the run with its balance. Commits."""
        with self._transaction():
            self._note_run()
        self.balance.run = self.run

    def _transaction(self) -> AbstractContextManager[None]:
        return transaction(self.connection)

    def _stage(self, **rows: pa.Table | Packed) -> None:
        staging.stage(self.connection, rows)

    def _withdraw(self, games: list[int]) -> None:
        staging.withdraw(self.connection, games)

    def _note_run(self) -> None:
        versions = {"rules_version": sources_hash(), "reader_version": READER_VERSION}
        withdrawn = self.balance.withdrawn
        meta.write(self.connection, {**versions, meta.WORK: self.run, meta.WITHDRAWN: "yes" if withdrawn else "no"})
        self.connection.execute("DELETE FROM _import WHERE run = ?", [self.run])
        self.connection.execute("DELETE FROM _revisit WHERE run = ?", [self.run])
        revisits = [{"run": self.run, "source": source} for source in self.revisited]
        load(self.connection, "revisit", arrow(arrow_schema("revisit"), revisits))
        row = {
            "run": self.run,
            "made_at": self.began,
            "what": self.withheld.text(" ".join(self.asked.names)),
            "sources": self.files + len(self.revisited),
            "records": self.balance.read,
            "stored": self.balance.stored,
            "duplicate": self.balance.duplicate,
            "rejected": self.balance.rejected,
            "undone": False,
            "withdrawn": withdrawn.records if withdrawn else 0,
        }
        load(self.connection, "import", arrow(arrow_schema("import"), [row]))


_KEPT_IN_MIND = 100_000
"""Places: some 30 MB."""

_COUNTED = f"SELECT status, reason, verdict, count(*) FROM ({COUNTED}) WHERE run = ? GROUP BY ALL"
_COUNTS = "SELECT status, reason, verdict, count(*) FROM _record"
_OWN_SOURCES = "SELECT id, reader_version FROM _source WHERE read_at = ?"
"""The sources that were read by the import that began then."""
_BEGUN = "SELECT source, count(DISTINCT member) FROM _record WHERE run = ? GROUP BY source"
_MEMBERS = "SELECT DISTINCT member FROM _record WHERE source = ? AND run = ?"
_KNOWN_RECORDS = "SELECT DISTINCT id FROM _record WHERE id IN (SELECT unnest(?))"
_KNOWN_GAMES = """
    SELECT g.id, max(r.weight) FROM _game g JOIN _record r ON r.id = g.record
    WHERE g.id IN (SELECT unnest(?)) GROUP BY g.id
"""


def _begun(connection: duckdb.DuckDBPyConnection) -> tuple[int, datetime]:
    """The number and the beginning of the import that was stopped."""
    run = int(meta.read(connection)[meta.WORK])
    return run, _all(connection, "SELECT made_at FROM _import WHERE run = ?", [run])[0][0]


def _is_part(
    folder: Path, sources: Sources, said: Letters, replace: bool, connection: duckdb.DuckDBPyConnection
) -> bool:
    """Whether an import that was stopped is part of an import of these sources: all that it read is asked for, as it is now, read so.

    One that had withdrawn records already is part only of one that replaces, too.
    """
    if people.withheld(folder):  # members' names may have been changed: nobody can tell which of them are done
        return False
    facts = meta.read(connection)
    if (facts["reader_version"], facts["rules_version"]) != (READER_VERSION, sources_hash()):
        return False
    if facts.get(meta.WITHDRAWN) == "yes" and not replace:
        return False
    sources, (_, began) = as_known(connection, sources), _begun(connection)
    letters = known_in(folder, sources, said).letters
    asked = {(version.id, read_by(letters.get(path))) for path, version in sources.items()}
    return {*_all(connection, _OWN_SOURCES, [began])} <= asked


def _status(game: int | None, first_seen: set[int]) -> str:
    """What becomes of a record; of those of a new game the first is stored."""
    if game is None:
        return "rejected"
    if game in first_seen:
        first_seen.discard(game)
        return "stored"
    return "duplicate"


def _kept_once(rows: Rows, known: set[int]) -> list[bytes | None]:
    """The bytes of each record at the first of its rows, where they are not in the database already."""
    kept: list[bytes | None] = []
    met = set(known)
    for record, data in zip(rows["id"], rows["bytes"], strict=True):
        kept.append(None if record in met else data)
        met.add(record)
    return kept


def _place(it: Found) -> Place:
    return it.place if isinstance(it, Damage) else it


def _all(connection: duckdb.DuckDBPyConnection, query: str, values: list[Any] | None = None) -> list[tuple[Any, ...]]:
    return connection.execute(query, values or []).fetchall()
