"""Import: whatever lies below some paths, checked, into a database, with nothing lost.

Each record read is stored (it brought a game), a duplicate (its game was known) or rejected (it is no game), and its bytes are kept.
A file whose bytes were read before by the same readers is not read again: its records count as what they are known to be.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.ingest import pipeline
from zertz_db.ingest.columns import Rows, add, arrow, new_rows
from zertz_db.ingest.identity import apart
from zertz_db.ingest.lots import Lot, Sources, import_lot, lay_out
from zertz_db.ingest.reading import Passed
from zertz_db.ingest.sources import STANDARD_INPUT, Damage, Place, find_files, places, standard_input
from zertz_db.rules.compiled import sources_hash
from zertz_db.store import meta
from zertz_db.store.building import next_generation
from zertz_db.store.loading import load
from zertz_db.store.players import refresh_players

READER_VERSION = "1"
"""Counts up when a change of the readers or the rules can change what a record is taken for."""

Tick = Callable[[int], None]


@dataclass
class Balance:
    """What became of the records: `read` = stored + duplicate + rejected."""

    stored: int = 0
    duplicate: int = 0
    rejected: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """How many were rejected for which finding."""
    verdicts: Counter[str] = field(default_factory=Counter)
    passed: list[Passed] = field(default_factory=list)
    """Files in folders and archives that are no records."""
    run: int | None = None
    """The number of the import in the database; None if it changed nothing."""

    @property
    def read(self) -> int:
        """All records."""
        return self.stored + self.duplicate + self.rejected


def import_paths(paths: Iterable[str | Path], folder: str | Path, tick: Tick = lambda _: None) -> Balance:
    """Import everything below the paths into the database `folder`, which is made if it is not there.

    `tick` is called with numbers of records as they are done. Raises SourceError for a path that can't be read, LockHeld while
    another import runs; whatever happens, the database is as before or has everything.
    """
    asked = [str(path) for path in paths]
    files = find_files(asked)
    with next_generation(folder) as build:
        importer = Importer(build.connection, asked)
        importer.take_all(files, tick)
        if importer.is_unchanged:
            build.discard()
        else:
            importer.finish()
    return importer.balance


class Importer:
    """One import: what is known in the database, and what this run adds to it."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, asked: list[str]) -> None:
        self.connection = connection
        self.asked = asked
        self.began = datetime.now(UTC).replace(tzinfo=None)
        self.run: int = _one(connection, "SELECT coalesce(max(run), 0) + 1 FROM _import")
        self.balance = Balance()
        self.is_unchanged = True
        self.files = 0
        self.sources: dict[int, str] = dict(_all(connection, "SELECT id, reader_version FROM _source"))
        self.records: set[int] = {known for (known,) in _all(connection, "SELECT DISTINCT id FROM _record")}
        self.games: dict[int, int] = dict(
            _all(connection, "SELECT g.id, max(r.weight) FROM _game g JOIN _record r ON r.id = g.record GROUP BY g.id")
        )

    def take_all(self, files: list[tuple[str, bool]], tick: Tick) -> None:
        """Read every file that is not known yet."""
        ids: Sources = {}
        fresh: list[tuple[str, bool]] = []
        known: list[int] = []
        for path, named in files:
            ids[path] = _source_id(path)
            if self.sources.get(ids[path]) == READER_VERSION:
                known.append(ids[path])
                continue
            self._add_source(path, ids[path])
            fresh.append((path, named))
        found = list(places(fresh))
        damaged = [place for place in found if isinstance(place, Damage)]
        if damaged:
            self.take(lay_out(damaged, ids))
        readable = [place for place in found if isinstance(place, Place)]
        for lot, result in pipeline.run(partial(import_lot, sources=ids), readable):
            self.take(result)
            tick(len(lot))
        for source in known:
            self._count_known(source)

    def _add_source(self, path: str, source: int) -> None:
        if source in self.sources:  # read before, by older readers: read it anew
            self.connection.execute("DELETE FROM _record WHERE source = ?", [source])
            self.connection.execute("DELETE FROM _source WHERE id = ?", [source])
            self.records = {known for (known,) in _all(self.connection, "SELECT DISTINCT id FROM _record")}
        self.is_unchanged = False
        self.files += 1
        self.sources[source] = READER_VERSION
        rows = new_rows()
        size = len(standard_input()) if path == STANDARD_INPUT else Path(path).stat().st_size
        add(rows, id=source, path=path, size=size, read_at=self.began, reader_version=READER_VERSION)
        load(self.connection, "source", arrow("source", rows))

    def take(self, lot: Lot) -> None:
        """Add a lot: new games, sightings of known ones, rejects."""
        lot = apart(self.connection, lot, self.games.keys(), self.records)
        first_seen = set(lot.games["id"].to_pylist()) - self.games.keys()
        self._load_games(lot, first_seen)
        rows = lot.records
        count = len(rows["id"])
        rows["run"], rows["reader_version"] = [self.run] * count, [READER_VERSION] * count
        rows["status"] = [self._settle(rows, number, first_seen) for number in range(count)]
        if count:
            load(self.connection, "record", arrow("record", rows))
        self.balance.passed += lot.passed

    def _settle(self, rows: Rows, number: int, first_seen: set[int]) -> str:
        """What becomes of a record: counted, and its bytes kept once."""
        game, record = rows["game"][number], rows["id"][number]
        if record in self.records:
            rows["bytes"][number] = None
        self.records.add(record)
        self.balance.verdicts[rows["verdict"][number]] += 1
        if game is None:
            self.balance.rejected += 1
            self.balance.reasons[rows["reason"][number]] += 1
            return "rejected"
        if game in first_seen:
            first_seen.discard(game)
            self.balance.stored += 1
            return "stored"
        self.balance.duplicate += 1
        return "duplicate"

    def _load_games(self, lot: Lot, first_seen: set[int]) -> None:
        """Load the games that are new, and those that a weightier record now leads."""
        weights = dict(zip(lot.records["id"], lot.records["weight"], strict=True))
        leads = dict(zip(lot.games["id"].to_pylist(), lot.games["record"].to_pylist(), strict=True))
        better = {game for game, record in leads.items() if weights[record] > self.games.get(game, -1)}
        for game in better:
            self.games[game] = weights[leads[game]]
        replaced = list(better - first_seen)
        for table, key in (("game", "id"), ("ply", "game"), ("position", "game")) if replaced else ():
            self.connection.execute(f"DELETE FROM _{table} WHERE {key} IN (SELECT unnest(?))", [replaced])
        wanted = pa.array(sorted(better), pa.int64())
        load(self.connection, "game", _only(lot.games, "id", wanted))
        load(self.connection, "ply", _only(lot.plies, "game", wanted))
        load(self.connection, "position", _only(lot.positions, "game", wanted))
        fresh = pa.array(sorted(set(lot.records["id"]) - self.records), pa.int64())
        load(self.connection, "tag", _only(lot.tags, "record", fresh))
        load(self.connection, "finding", _only(lot.findings, "record", fresh))

    def _count_known(self, source: int) -> None:
        """The records of an unchanged file."""
        known = _all(
            self.connection,
            "SELECT status, reason, verdict, count(*) FROM _record WHERE source = ? GROUP BY ALL",
            [source],
        )
        for status, reason, verdict, count in known:
            self.balance.verdicts[verdict] += count
            if status == "rejected":
                self.balance.rejected += count
                self.balance.reasons[reason] += count
            else:
                self.balance.duplicate += count

    def finish(self) -> None:
        """Note the run, and the players."""
        refresh_players(self.connection)
        meta.write(self.connection, {"rules_version": sources_hash(), "reader_version": READER_VERSION})
        rows = new_rows()
        add(
            rows,
            run=self.run,
            made_at=self.began,
            what=" ".join(self.asked),
            sources=self.files,
            records=self.balance.read,
            stored=self.balance.stored,
            duplicate=self.balance.duplicate,
            rejected=self.balance.rejected,
            undone=False,
        )
        load(self.connection, "import", arrow("import", rows))
        self.balance.run = self.run


def _source_id(path: str) -> int:
    if path == STANDARD_INPUT:
        digest = hashlib.sha256(standard_input())
    else:
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
    return int.from_bytes(digest.digest()[:8], "big", signed=True)


def _only(table: pa.Table, column: str, wanted: pa.Array) -> pa.Table:
    return table.filter(pc.is_in(table[column], value_set=wanted))


def _all(connection: duckdb.DuckDBPyConnection, query: str, values: list[Any] | None = None) -> list[tuple[Any, ...]]:
    return connection.execute(query, values or []).fetchall()


def _one(connection: duckdb.DuckDBPyConnection, query: str) -> Any:
    return _all(connection, query)[0][0]
