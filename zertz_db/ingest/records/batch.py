"""A lot of files read, checked and laid out as columns: what workers of an import send back."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from parser import faults
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.ingest.records.position_rows import ReplayRows
from zertz_db.ingest.records.read_records import Skipped, SourceRecord, read_and_check
from zertz_db.ingest.records.rows import (
    FAILURE_VALUES,
    Row,
    Rows,
    Schemas,
    build_bare_row,
    build_failure_finding,
    build_finding_rows,
    build_game_key,
    build_game_row,
    build_record_row,
    build_tag_rows,
    compute_record_id,
    compute_weight,
    get_next_id,
    to_arrow_table,
    to_columns,
)
from zertz_db.ingest.sources.place import Content, Damage, SourceItem
from zertz_db.ingest.sources.read_bytes import read_contents
from zertz_db.store.ids import id_of
from zertz_db.store.loading.packed_batches import Packed, pack, unpack


class ImportBatch(NamedTuple):
    """The rows that a lot of files brings.

    records: the columns of `record`, not yet settled: no status, no run, and `source` is still a path. The tables hold each record and
    each game of the lot once. plies, positions: packed where they come from a worker, see `packed.unpack`.
    """

    records: Rows
    games: pa.Table
    plies: pa.Table | Packed
    positions: pa.Table | Packed
    tags: pa.Table
    findings: pa.Table
    skipped: list[Skipped]


BATCH_TABLES = ("record", "game", "ply", "position", "tag", "finding")
"""The tables to which a lot brings rows."""


def import_batch(schemas: Schemas, letters: str | None, found: list[SourceItem]) -> ImportBatch:
    """Read and check a lot, for another process. `schemas`: those of TABLES; workers have no need of the tables themselves."""
    return pack_batch(read_batch(schemas, letters, read_contents(found)))


def pack_batch(lot: ImportBatch) -> ImportBatch:
    """The lot with what is most of it packed: so it travels, and so several may wait their turn."""
    return lot._replace(plies=pack(lot.plies), positions=pack(lot.positions))


def select_games(lot: ImportBatch, games: pa.Array) -> ImportBatch:
    """The lot with only those of its games; its records and what belongs to them stay."""
    if len(games) == lot.games.num_rows:
        return lot
    return lot._replace(
        games=select_rows(lot.games, "id", games),
        plies=select_rows(unpack(lot.plies), "game", games),
        positions=select_rows(unpack(lot.positions), "game", games),
    )


def select_rows(table: pa.Table, column: str, wanted: pa.Array) -> pa.Table:
    """The rows with one of these ids; the table itself if all have."""
    is_wanted = pc.is_in(table[column], value_set=wanted)
    return table if pc.all(is_wanted).as_py() else table.filter(is_wanted)


def read_batch(schemas: Schemas, letters: str | None, contents: Iterable[Content | Damage]) -> ImportBatch:
    """Read and check contents (of `contents.read`), with colour letters of this language, and lay them out."""
    return build_batch(schemas, read_and_check(contents, language=letters))


def build_batch(schemas: Schemas, sighted: Iterable[SourceRecord | Skipped]) -> ImportBatch:
    """Lay out checked records as columns. Of the sightings of a game the one that says most leads.

    A record that can't be laid out, for an internal error, is laid out as rejected.
    """
    passed: list[Skipped] = []
    games = _Games()
    seen: dict[int, bytes] = {}
    records: list[_RecordRows] = []
    for found in sighted:
        if isinstance(found, Skipped):
            passed.append(found)
            continue
        # Of what could not be read there may be no bytes: then its name has to tell it from others.
        record_id = compute_record_id(found.data or repr(found.place.shown).encode(), found.letters)
        while seen.get(record_id, found.data) != found.data:  # the same hash, other bytes
            record_id = get_next_id(record_id)
        is_new = record_id not in seen
        one = partial(_build_record_rows, found, record_id, games, is_new)
        records.append(faults.guarded(one, partial(_build_rejected_rows, found, record_id, is_new)))
        seen[record_id] = found.data
    return faults.guarded(
        partial(_assemble_batch, schemas, records, games, passed),
        lambda _: _build_sound_batch(schemas, records, games, passed),
    )


class _RecordRows(NamedTuple):
    """The rows of a record: its own, those of its tags and its findings. The latter only the first of the same records has (is_new)."""

    row: Row
    is_new: bool
    tags: Sequence[Row]
    findings: Sequence[Row]

    def rejected(self, error: Exception) -> _RecordRows:
        """Log an internal error, and return the rows of the record as one that it rejects."""
        source, member, line = (self.row[name] for name in ("source", "member", "line_from"))
        if self.is_new:
            faults.log(error, f"{source}{'!' if member else ''}{member}:{line}")
        findings = [build_failure_finding(error, self.row["id"], line)] if self.is_new else ()
        return _RecordRows({**self.row, **FAILURE_VALUES}, self.is_new, (), findings)


def _build_record_rows(found: SourceRecord, record_id: int, games: _Games, is_new: bool) -> _RecordRows:
    checked = found.checked
    sighting = _WeighedRecord(checked, record_id, compute_weight(checked))
    row = build_record_row(found, record_id, sighting.weight, None)
    tags, findings = (
        (build_tag_rows(checked, record_id), build_finding_rows(checked, record_id)) if is_new else ((), ())
    )
    if checked.is_game:
        row["game"] = games.add_record(sighting)
    return _RecordRows(row, is_new, tags, findings)


def _build_rejected_rows(found: SourceRecord, record_id: int, is_new: bool, error: Exception) -> _RecordRows:
    return _RecordRows(build_bare_row(found, record_id, zlib.compress(found.data)), is_new, (), ()).rejected(error)


def _assemble_batch(
    schemas: Schemas, records: Sequence[_RecordRows], games: _Games, passed: list[Skipped]
) -> ImportBatch:
    rows = to_columns(schemas["record"], [one.row for one in records])
    _require_fit(schemas["record"], rows)
    leaders = games.of({one.row["game"] for one in records})
    replayed = ReplayRows([(game, leader.checked) for game, leader in leaders])
    return ImportBatch(
        rows,
        to_arrow_table(
            schemas["game"], [build_game_row(leader.checked, game, leader.record_id) for game, leader in leaders]
        ),
        replayed.plies(schemas["ply"]),
        replayed.positions(schemas["position"]),
        to_arrow_table(schemas["tag"], [row for one in records for row in one.tags]),
        to_arrow_table(schemas["finding"], [row for one in records for row in one.findings]),
        passed,
    )


def _require_fit(schema: pa.Schema, rows: Rows) -> None:
    """Raise what Arrow raises for a value that the table has no room for: here it is known of which record it is."""
    fields = [field for field in schema if field.name != "source"]  # still a path
    pa.table([pa.array(rows[field.name], field.type) for field in fields], schema=pa.schema(fields))


def _build_sound_batch(
    schemas: Schemas, records: Sequence[_RecordRows], games: _Games, passed: list[Skipped]
) -> ImportBatch:
    """The lot, those records rejected that can't be laid out alone, and with the one that leads a game the others of that game."""

    def lay_out_some(some: Sequence[_RecordRows]) -> list[None]:
        _assemble_batch(schemas, some, games, [])
        return [None] * len(some)

    errors: list[Exception | None] = faults.each(lay_out_some, records, lambda _, error: error)
    alone = {one.row["id"]: error for one, error in zip(records, errors, strict=True) if error}
    leaders = {game: leader.record_id for game, leader in games.of({one.row["game"] for one in records})}
    found = [alone.get(one.row["id"]) or alone.get(leaders.get(one.row["game"])) for one in records]
    sound = [one.rejected(error) if error else one for one, error in zip(records, found, strict=True)]
    return _assemble_batch(schemas, sound, games, passed)


class _WeighedRecord(NamedTuple):
    checked: CheckedRecord
    record_id: int
    weight: int


class _Representative(NamedTuple):
    values: str
    sighting: _WeighedRecord


class _Games:
    """The games of a lot by their ids, each with the record that leads it."""

    def __init__(self) -> None:
        self._leading: dict[int, _Representative] = {}

    def add_record(self, sighting: _WeighedRecord) -> int:
        """Return the id of the record's game; the record leads if no other says as much."""
        leading, values = self._leading, build_game_key(sighting.checked)
        game = id_of(values.encode())
        while game in leading and leading[game].values != values:  # the same hash, another game
            game = get_next_id(game)
        if game not in leading or leading[game].sighting.weight < sighting.weight:
            leading[game] = _Representative(values, sighting)
        return game

    def of(self, wanted: set[int | None]) -> list[tuple[int, _WeighedRecord]]:
        """Return those of these games that there are, each with the record that leads it."""
        return [(game, leader.sighting) for game, leader in self._leading.items() if game in wanted]
