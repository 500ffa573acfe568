"""Stored records read again, from their bytes, with today's readers and rules."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import duckdb

from parser.record import Span
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
from zertz_db.store.annotations import game_merges
from zertz_db.store.schema.ddl import arrow_schemas


class RereadResult(NamedTuple):
    """What stored records are today: a lot, and for each of its records which of the stored ones (from 0) it comes from.

    Mostly there is one for each; there is none where no bytes are kept, and several where today's readers find more games in it.
    """

    batch: ImportBatch
    origins: list[int]
    kept: dict[int, int]
    """The ids in the database of games that have others by their values."""


def reread_records(connection: duckdb.DuckDBPyConnection, rows: Sequence[StoredRecord]) -> RereadResult:
    """Read records again. Records, and games that have not changed, keep the ids that they have in the database."""
    leads = _list_representatives(connection, rows)
    # Of several records that say as much the first one leads: the one that does.
    found = sorted(_read_and_check(rows), key=lambda found: leads.get(rows[found[0]].game) != rows[found[0]].id)
    lot = build_batch(arrow_schemas(*BATCH_TABLES), (sighted for _, sighted in found))
    order = sorted(range(len(found)), key=lambda place: found[place][0])
    lot = lot._replace(records={name: [values[place] for place in order] for name, values in lot.records.items()})
    origins = [found[place][0] for place in order]
    lot.records["source"] = [rows[number].source for number in origins]
    ids = {now: rows[number].id for number, now in _find_first_records(origins, lot.records["id"])}
    lot.records["id"] = [ids.get(now, now) for now in lot.records["id"]]
    lot = lot._replace(
        games=replace_ids(lot.games, "record", ids),
        tags=replace_ids(lot.tags, "record", ids),
        findings=replace_ids(lot.findings, "record", ids),
    )
    before = [rows[number].game for number in origins]
    united = _find_game_merges(connection, lot, before)
    lot = apply_game_merges(lot, united)
    kept = _find_known_games(connection, lot, {*united, *united.values()}, before)
    return RereadResult(replace_game_ids(lot, kept), origins, kept)


def _find_game_merges(
    connection: duckdb.DuckDBPyConnection, lot: ImportBatch, before: list[int | None]
) -> dict[int, int]:
    """Which games are of which others. A record of united games may tell of another game by now, a name being withheld: it stays theirs."""
    said = game_merges.applied_merges(connection)
    whole = {*said.values()}
    strays = {
        game: old
        for game, old in zip(lot.records["game"], before, strict=True)
        if game is not None and old in whole and game not in whole and game not in said
    }
    return {**said, **strays}


def _list_representatives(connection: duckdb.DuckDBPyConnection, rows: Sequence[StoredRecord]) -> dict[int | None, int]:
    """The records that lead the games of these."""
    games = [row.game for row in rows if row.game is not None]
    query = "SELECT id, record FROM _game WHERE id IN (SELECT unnest(?))"
    return dict(connection.execute(query, [games]).fetchall())


def _read_and_check(rows: Sequence[StoredRecord]) -> Iterator[tuple[int, SourceRecord]]:
    """Each record found today, in the order of the rows, with its row's number."""
    alike = defaultdict(list)
    for number, row in enumerate(rows):
        if _has_record(row):
            alike[row.dialect, row.letters].append(number)
    found: dict[int, list[SourceRecord]] = defaultdict(list)
    for (dialect, letters), numbers in alike.items():
        contents = (_build_content(rows[number], number) for number in numbers)
        for sighted in read_and_check(contents, dialect, language=letters):
            if isinstance(sighted, SourceRecord):
                found[sighted.place.number].append(sighted)
    for number, row in enumerate(rows):
        for count, sighted in enumerate(found[number]):
            down = row.line_from - found[number][0].checked.record.span.line
            yield number, _shift_record(sighted, row.index if count == 0 else row.last + count, down)


def _has_record(row: StoredRecord) -> bool:
    """Whether the bytes that are stored are those of a record: not of an archive that could not be opened, nor missing."""
    if row.bytes is None or row.reason in BYTES_NOT_HAD:
        return False
    is_archive = not row.member and has_archive_name(row.path)
    return row.reason != OUR_FAULT.code or not (is_archive or zlib.decompress(row.bytes) == b"")


def _build_content(row: StoredRecord, number: int) -> Content:
    # Named, so that whatever it is it remains a record.
    return Content(
        Place(row.path, row.member, named=True, number=number), zlib.decompress(row.bytes or b""), row.encoding
    )


def _shift_record(sighted: SourceRecord, index: int, down: int) -> SourceRecord:
    """The record with its number and lines in the file in which it was found."""

    def there(span: Span) -> Span:
        return span._replace(line=span.line + down)

    if not down:
        return sighted._replace(number=index)
    checked = sighted.checked
    findings = tuple(
        finding._replace(span=there(finding.span)) if finding.span else finding for finding in checked.findings
    )
    record = replace(checked.record, span=there(checked.record.span))
    return sighted._replace(number=index, checked=replace(checked, record=record, findings=findings))


def _find_first_records(origins: list[int], ids: list[int]) -> Iterator[tuple[int, int]]:
    """The first of the records that come from each row, and its id by its bytes."""
    before = -1
    for number, now in zip(origins, ids, strict=True):
        if number != before:
            yield number, now
        before = number


def _find_known_games(
    connection: duckdb.DuckDBPyConnection, lot: ImportBatch, united: set[int], before: list[int | None]
) -> dict[int, int]:
    """The games' ids in the database where the values are the same: a name may have been withheld since they got them.

    Not for those that people say are one or not (`united`): there it is they who say what the id is.
    """
    pairs = {
        new: old
        for new, old in zip(lot.records["game"], before, strict=True)
        if new is not None and old is not None and new != old and new not in united
    }
    if not pairs:
        return {}
    query = f"SELECT id, {', '.join(IDENTITY_COLUMNS)} FROM _game WHERE id IN (SELECT unnest(?))"
    known = {number: values for number, *values in connection.execute(query, [[*pairs.values()]]).fetchall()}
    read = {row["id"]: row for row in lot.games.select(["id", *IDENTITY_COLUMNS]).to_pylist()}
    return {new: old for new, old in pairs.items() if old in known and is_same_game(read[new], known[old])}
