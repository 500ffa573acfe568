"""Read stored records again from their bytes, with today's readers and rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.check.findings import BYTES_NOT_HAD, OUR_FAULT
from zertz_db.ingest.records.batch import BATCH_TABLES, ImportBatch, build_batch
from zertz_db.ingest.records.id_collisions import (
    IDENTITY_COLUMNS,
    apply_game_merges,
    is_same_game,
    replace_game_ids,
    replace_ids,
)
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.sources.archives import has_archive_name
from zertz_db.ingest.sources.place import Content, Place
from zertz_db.ingest.stored.stored_records import StoredRecord
from zertz_db.parser.record import Span
from zertz_db.store.annotations import game_merges
from zertz_db.store.schema.table_columns import arrow_schemas


class RereadResult(NamedTuple):
    """The result for stored records: a batch, and for each of its records the number (from 0) of the stored one.

    Mostly there is one for each; none if its bytes are missing, and several if today's readers find more games in it.
    """

    batch: ImportBatch
    origins: list[int]
    known_ids: dict[int, int]
    """The ids in the database of games that have other ids by their values."""


def reread_records(connection: duckdb.DuckDBPyConnection, rows: Sequence[StoredRecord]) -> RereadResult:
    """Read records again. Records, and games that have not changed, retain their ids in the database."""
    leads = _list_representatives(connection, rows)
    # Of several records with the same weight the first one represents the game: sort the present representative first.
    records = sorted(_read_and_check(rows), key=lambda pair: leads.get(rows[pair[0]].game) != rows[pair[0]].id)
    batch = build_batch(arrow_schemas(*BATCH_TABLES), (record for _, record in records))
    order = sorted(range(len(records)), key=lambda place: records[place][0])
    batch = batch._replace(records={name: [values[place] for place in order] for name, values in batch.records.items()})
    origins = [records[place][0] for place in order]
    batch.records["source"] = [rows[number].source for number in origins]
    ids = {now: rows[number].id for number, now in _find_first_records(origins, batch.records["id"])}
    batch.records["id"] = [ids.get(now, now) for now in batch.records["id"]]
    copies = _find_copies(ids)
    batch = batch._replace(
        games=replace_ids(batch.games, "record", ids),
        tags=replace_ids(_without_records(batch.tags, copies), "record", ids),
        findings=replace_ids(_without_records(batch.findings, copies), "record", ids),
    )
    before = [rows[number].game for number in origins]
    merged = _find_game_merges(connection, batch, before)
    batch = apply_game_merges(batch, merged)
    known_ids = _find_known_games(connection, batch, {*merged, *merged.values()}, before)
    return RereadResult(replace_game_ids(batch, known_ids), origins, known_ids)


def _find_copies(ids: dict[int, int]) -> list[int]:
    """Return the ids of today's records whose stored id another one has already.

    Records without bytes have ids by their names. In a copied archive they have the stored ids of the original's, and the same notes.
    """
    first = {old: now for now, old in reversed(ids.items())}
    return [now for now, old in ids.items() if first[old] != now]


def _without_records(notes: pa.Table, records: list[int]) -> pa.Table:
    return notes.filter(pc.invert(pc.is_in(notes["record"], pa.array(records, pa.int64())))) if records else notes


def _find_game_merges(
    connection: duckdb.DuckDBPyConnection, batch: ImportBatch, before: list[int | None]
) -> dict[int, int]:
    """Return the target of each merged game. A record of a merged game may now have another id, if a name was redacted: it stays merged."""
    merged = game_merges.applied_merges(connection)
    whole = {*merged.values()}
    strays = {
        game: old
        for game, old in zip(batch.records["game"], before, strict=True)
        if game is not None and old in whole and game not in merged
    }
    return {**merged, **strays}


def _list_representatives(connection: duckdb.DuckDBPyConnection, rows: Sequence[StoredRecord]) -> dict[int | None, int]:
    """Return the representative records of the games of these."""
    games = [row.game for row in rows if row.game is not None]
    query = "SELECT id, record FROM _game WHERE id IN (SELECT unnest(?))"
    return dict(connection.execute(query, [games]).fetchall())


def _read_and_check(rows: Sequence[StoredRecord]) -> Iterator[tuple[int, SourceRecord]]:
    """Yield each record that today's readers find, in the order of the rows, with its row's number."""
    alike = defaultdict(list)
    for number, row in enumerate(rows):
        if _has_record(row):
            alike[row.dialect, row.letters].append(number)
    by_row: dict[int, list[SourceRecord]] = defaultdict(list)
    for (dialect, letters), numbers in alike.items():
        contents = (_build_content(rows[number], number) for number in numbers)
        for record in read_and_check(contents, dialect, language=letters):
            if isinstance(record, SourceRecord):
                by_row[record.place.number].append(record)
    for number, row in enumerate(rows):
        for count, record in enumerate(by_row[number]):
            down = row.line_from - by_row[number][0].checked.record.span.line
            yield number, _shift_record(record, row.index if count == 0 else row.last + count, down)


def _has_record(row: StoredRecord) -> bool:
    """Return whether the stored bytes are a record's: not missing, and not those of an archive that could not be opened."""
    if row.bytes is None or row.reason in BYTES_NOT_HAD:
        return False
    is_archive = not row.member and has_archive_name(row.path)
    return row.reason != OUR_FAULT.code or not (is_archive or row.bytes == b"")


def _build_content(row: StoredRecord, number: int) -> Content:
    # Named, so that anything in it remains a record.
    return Content(Place(row.path, row.member, named=True, number=number), row.bytes or b"", row.encoding)


def _shift_record(original: SourceRecord, index: int, down: int) -> SourceRecord:
    """Return the record with its number and lines in its original file."""

    def there(span: Span) -> Span:
        return span._replace(line=span.line + down)

    if not down:
        return original._replace(number=index)
    checked = original.checked
    findings = tuple(
        finding._replace(span=there(finding.span)) if finding.span else finding for finding in checked.findings
    )
    record = replace(checked.record, span=there(checked.record.span))
    return original._replace(number=index, checked=replace(checked, record=record, findings=findings))


def _find_first_records(origins: list[int], ids: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the number of each row and the id, by its bytes, of the first record that comes from it."""
    before = -1
    for number, now in zip(origins, ids, strict=True):
        if number != before:
            yield number, now
        before = number


def _find_known_games(
    connection: duckdb.DuckDBPyConnection, batch: ImportBatch, merged: set[int], before: list[int | None]
) -> dict[int, int]:
    """Return the ids in the database of games with the same values: a name may have been redacted since they got them.

    Exclude merged games (`merged`), whose ids follow from the merges.
    """
    pairs = {
        new: old
        for new, old in zip(batch.records["game"], before, strict=True)
        if new is not None and old is not None and new != old and new not in merged
    }
    if not pairs:
        return {}
    query = f"SELECT id, {', '.join(IDENTITY_COLUMNS)} FROM _game WHERE id IN (SELECT unnest(?))"
    known = {number: values for number, *values in connection.execute(query, [[*pairs.values()]]).fetchall()}
    read = {row["id"]: row for row in batch.games.select(["id", *IDENTITY_COLUMNS]).to_pylist()}
    return {new: old for new, old in pairs.items() if old in known and is_same_game(read[new], known[old])}
