"""Batches: files read, checked and converted to columns, as workers of an import return them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.ingest.plain_games.clean_contents import ScannerDisagrees, find_clean_records, pick_sample, split_contents
from zertz_db.ingest.plain_games.clean_records import CleanRecord, Tags
from zertz_db.ingest.records.clean_rows import (
    CleanGame,
    GameTables,
    build_clean_finding_rows,
    build_clean_row,
    build_clean_tables,
    build_clean_tags,
)
from zertz_db.ingest.records.position_rows import ReplayRows, collect_checked
from zertz_db.ingest.records.read_records import Skipped, SourceRecord, read_and_check
from zertz_db.ingest.records.row_comparison import has_equal_rows
from zertz_db.ingest.records.rows import (
    FAILURE_VALUES,
    NO_TAGS,
    Row,
    Rows,
    Schemas,
    build_bare_row,
    build_failure_finding,
    build_finding_rows,
    build_game_key,
    build_game_row,
    build_record_row,
    compute_record_id,
    compute_weight,
    get_next_id,
    list_tags,
    to_arrow_table,
    to_columns,
)
from zertz_db.ingest.sources.place import Content, Damage, SourceItem
from zertz_db.ingest.sources.read_bytes import read_contents
from zertz_db.parser import faults
from zertz_db.store.ids import id_of
from zertz_db.store.loading.packed_batches import Packed, pack, unpack


class ImportBatch(NamedTuple):
    """The rows of a batch of files.

    records: the columns of `record`, not final: no status, no run, and `source` is still a path. The tables have each record and each game
    of the batch once. positions: packed if they come from a worker, see `unpack`.
    """

    records: Rows
    games: pa.Table
    positions: pa.Table | Packed
    tags: pa.Table
    findings: pa.Table
    skipped: list[Skipped]


BATCH_TABLES = ("record", "game", "position", "tag", "finding")
"""The tables with rows from a batch."""


def import_batch(schemas: Schemas, letters: str | None, items: list[SourceItem]) -> ImportBatch:
    """Read and check a batch, for another process. schemas: those of BATCH_TABLES, since workers need not load the table classes."""
    return pack_batch(read_batch(schemas, letters, read_contents(items)))


def pack_batch(batch: ImportBatch) -> ImportBatch:
    """Return the batch with positions, most of its data, packed to travel and to wait."""
    return batch._replace(positions=pack(batch.positions))


def select_games(batch: ImportBatch, games: pa.Array) -> ImportBatch:
    """Return the batch with only these of its games; its records, tags and findings stay."""
    if len(games) == batch.games.num_rows:
        return batch
    return batch._replace(
        games=select_rows(batch.games, "id", games),
        positions=select_rows(unpack(batch.positions), "game", games),
    )


def select_rows(table: pa.Table, column: str, wanted: pa.Array) -> pa.Table:
    """Return the rows with one of these ids; the table itself if that is all rows."""
    is_wanted = pc.is_in(table[column], value_set=wanted)
    return table if pc.all(is_wanted).as_py() else table.filter(is_wanted)


def read_batch(schemas: Schemas, letters: str | None, contents: Iterable[Content | Damage]) -> ImportBatch:
    """Read and check contents (of `read_contents`), with colour letters of this language, and convert them to rows."""
    if letters:
        return build_batch(schemas, read_and_check(contents, language=letters))
    parts = split_contents(contents)
    return build_batch(schemas, (result for part in parts for result in _read_part(part)))


def _read_part(contents: list[Content | Damage]) -> Iterator[SourceRecord | CleanRecord | Skipped]:
    """Read contents, in order: clean games together, all others, and a sample of the clean ones, by the grammar."""
    clean = find_clean_records(contents)
    sample = [
        (contents[number], record) for number in sorted(pick_sample(contents, clean)) if (record := clean[number])
    ]
    if not _agrees(sample):
        clean = [None] * len(contents)
    others = read_and_check(content for content, record in zip(contents, clean, strict=True) if record is None)
    waiting = next(others, None)
    for content, record in zip(contents, clean, strict=True):
        if record is not None:
            yield record
        while waiting is not None and waiting.place is content.place:
            yield waiting
            waiting = next(others, None)


def _agrees(sample: Sequence[tuple[Content | Damage, CleanRecord]]) -> bool:
    """Return whether the grammar gives the same rows for clean games. Log those for which it does not."""
    by_grammar = [*read_and_check(content for content, _ in sample)]
    wrong = [content for content, record in sample if not _is_confirmed(content, record, by_grammar)]
    for content in wrong:
        error = ScannerDisagrees("the scanner gives this record other rows than the grammar")
        faults.log(error, content.place.name)
    return not wrong


def _is_confirmed(content: Content | Damage, record: CleanRecord, by_grammar: Sequence[SourceRecord | Skipped]) -> bool:
    found = [one for one in by_grammar if one.place is content.place]
    if len(found) != 1 or not isinstance(found[0], SourceRecord):
        return False
    return faults.guarded(partial(has_equal_rows, record, found[0]), lambda _: False)


def build_batch(schemas: Schemas, results: Iterable[SourceRecord | CleanRecord | Skipped]) -> ImportBatch:
    """Convert checked records to columns. The record of a game with the most weight represents it.

    A record whose conversion raises an internal error is rejected.
    """
    skipped: list[Skipped] = []
    games = _Games()
    seen: dict[int, bytes] = {}
    records: list[_RecordRows] = []
    for one in results:
        if isinstance(one, Skipped):
            skipped.append(one)
            continue
        # An unreadable place may have no bytes: then its name identifies it.
        data = one.data
        record_id = compute_record_id(data or repr(one.place.shown).encode(), one.letters)
        while seen.get(record_id, data) != data:  # the same hash, other bytes
            record_id = get_next_id(record_id)
        is_new = record_id not in seen
        if isinstance(one, CleanRecord):
            records.append(_build_clean_rows(one, record_id, games, is_new))
        else:
            build = partial(_build_record_rows, one, record_id, games, is_new)
            records.append(faults.guarded(build, partial(_build_rejected_rows, one, record_id, is_new)))
        seen[record_id] = data
    return faults.guarded(
        partial(_assemble_batch, schemas, records, games, skipped),
        lambda _: _build_sound_batch(schemas, records, games, skipped),
    )


class _RecordRows(NamedTuple):
    """The rows of a record, of its tags and of its findings. Only the first of equal records (is_new) has tags and findings.

    is_clean: it is a clean record, whose values fit the table.
    """

    row: Row
    is_new: bool
    tags: Tags
    findings: Sequence[Row]
    is_clean: bool = False

    def rejected(self, error: Exception) -> _RecordRows:
        """Log an internal error, and return the rows of the record as rejected for it."""
        source, member, line = (self.row[name] for name in ("source", "member", "line_from"))
        if self.is_new:
            faults.log(error, f"{source}{'!' if member else ''}{member}:{line}")
        findings = [build_failure_finding(error, self.row["id"], line)] if self.is_new else ()
        return _RecordRows({**self.row, **FAILURE_VALUES}, self.is_new, NO_TAGS, findings)


def _build_record_rows(record: SourceRecord, record_id: int, games: _Games, is_new: bool) -> _RecordRows:
    checked = record.checked
    sighting = _WeighedRecord(checked, record_id, compute_weight(checked))
    row = build_record_row(record, record_id, sighting.weight, None)
    tags, findings = (
        (list_tags(checked.record.tags), build_finding_rows(checked, record_id)) if is_new else (NO_TAGS, ())
    )
    if checked.is_game:
        row["game"] = games.add_record(sighting)
    return _RecordRows(row, is_new, tags, findings)


def _build_clean_rows(record: CleanRecord, record_id: int, games: _Games, is_new: bool) -> _RecordRows:
    game = games.add_record(_WeighedRecord(record, record_id, record.weight))
    tags, findings = (
        (build_clean_tags(record.tags), build_clean_finding_rows(record, record_id)) if is_new else (NO_TAGS, ())
    )
    return _RecordRows(build_clean_row(record, record_id, game), is_new, tags, findings, is_clean=True)


def _build_rejected_rows(record: SourceRecord, record_id: int, is_new: bool, error: Exception) -> _RecordRows:
    return _RecordRows(build_bare_row(record, record_id), is_new, NO_TAGS, ()).rejected(error)


def _assemble_batch(
    schemas: Schemas, records: Sequence[_RecordRows], games: _Games, skipped: list[Skipped]
) -> ImportBatch:
    _require_fit(schemas["record"], [one.row for one in records if not one.is_clean])
    rows = to_columns(schemas["record"], [one.row for one in records])
    representatives = games.of({one.row["game"] for one in records})
    tables = [_build_checked_tables(schemas, representatives), *_build_clean_tables(schemas, representatives)]
    games, positions = (
        pa.concat_tables(some, promote_options="default").combine_chunks() for some in zip(*tables, strict=True)
    )
    return ImportBatch(
        rows,
        games,
        positions,
        _build_tag_table(schemas["tag"], records),
        to_arrow_table(schemas["finding"], [row for one in records for row in one.findings]),
        skipped,
    )


def _build_checked_tables(schemas: Schemas, representatives: Sequence[tuple[int, _WeighedRecord]]) -> GameTables:
    checked = [
        (game, one.checked, one.record_id) for game, one in representatives if isinstance(one.checked, CheckedRecord)
    ]
    replayed = ReplayRows(collect_checked([(game, record) for game, record, _ in checked]))
    games = to_columns(
        schemas["game"], [build_game_row(record, game, record_id) for game, record, record_id in checked]
    )
    columns = {**games, **replayed.courses(), **replayed.plies()}
    arrays = [pa.array(columns[field.name], field.type) for field in schemas["game"]]
    return GameTables(pa.table(arrays, schema=schemas["game"]), replayed.positions(schemas["position"]))


def _build_clean_tables(schemas: Schemas, representatives: Sequence[tuple[int, _WeighedRecord]]) -> list[GameTables]:
    clean = [
        CleanGame(one.checked, game, one.record_id)
        for game, one in representatives
        if isinstance(one.checked, CleanRecord)
    ]
    return [build_clean_tables(schemas, clean)] if clean else []


def _build_tag_table(schema: pa.Schema, records: Sequence[_RecordRows]) -> pa.Table:
    ids = np.array([one.row["id"] for one in records], np.int64)
    columns = [
        pa.array(np.repeat(ids, [len(one.tags.names) for one in records])),
        pa.array([*chain.from_iterable(one.tags.names for one in records)], pa.string()),
        pa.array([*chain.from_iterable(one.tags.values for one in records)], pa.string()),
    ]
    return pa.table(columns, schema=schema)


def _require_fit(schema: pa.Schema, rows: Sequence[Row]) -> None:
    """Raise Arrow's error for a value that the table can't hold, while its record is known."""
    columns = to_columns(schema, rows)
    fields = [field for field in schema if field.name != "source"]  # still a path
    pa.table([pa.array(columns[field.name], field.type) for field in fields], schema=pa.schema(fields))


def _build_sound_batch(
    schemas: Schemas, records: Sequence[_RecordRows], games: _Games, skipped: list[Skipped]
) -> ImportBatch:
    """Return the batch with those records rejected that fail alone, together with the other records of a game they represent.

    Clean games are read again by the grammar, so that a failure on their arrays costs nothing but time.
    """
    games.read_clean_ones_again()

    def assemble_some(some: Sequence[_RecordRows]) -> list[None]:
        _assemble_batch(schemas, some, games, [])
        return [None] * len(some)

    errors: list[Exception | None] = faults.each(assemble_some, records, lambda _, error: error)
    alone = {one.row["id"]: error for one, error in zip(records, errors, strict=True) if error}
    representatives = {
        game: representative.record_id for game, representative in games.of({one.row["game"] for one in records})
    }
    causes = [alone.get(one.row["id"]) or alone.get(representatives.get(one.row["game"])) for one in records]
    sound = [one.rejected(error) if error else one for one, error in zip(records, causes, strict=True)]
    return _assemble_batch(schemas, sound, games, skipped)


class _WeighedRecord(NamedTuple):
    checked: CheckedRecord | CleanRecord
    record_id: int
    weight: int


class _Representative(NamedTuple):
    values: str
    sighting: _WeighedRecord


class _Games:
    """The games of a batch by their ids, each with its representative record."""

    def __init__(self) -> None:
        self._representatives: dict[int, _Representative] = {}

    def add_record(self, sighting: _WeighedRecord) -> int:
        """Return the id of the record's game; the record represents it if no other has as much weight."""
        known, checked = self._representatives, sighting.checked
        values = checked.key if isinstance(checked, CleanRecord) else build_game_key(checked)
        game = id_of(values.encode())
        while game in known and known[game].values != values:  # the same hash, another game
            game = get_next_id(game)
        if game not in known or known[game].sighting.weight < sighting.weight:
            known[game] = _Representative(values, sighting)
        return game

    def read_clean_ones_again(self) -> None:
        """Replace each representative that is a clean record by what the grammar reads."""
        for game, (values, sighting) in self._representatives.items():
            if isinstance(sighting.checked, CleanRecord):
                (again,) = read_and_check([sighting.checked.content])
                if isinstance(again, SourceRecord):
                    self._representatives[game] = _Representative(values, sighting._replace(checked=again.checked))

    def of(self, wanted: set[int | None]) -> list[tuple[int, _WeighedRecord]]:
        """Return those of these games that exist, each with its representative record."""
        return [
            (game, representative.sighting) for game, representative in self._representatives.items() if game in wanted
        ]
