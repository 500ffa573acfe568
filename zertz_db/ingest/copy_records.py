"""Copy the records of a database that another does not know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import duckdb

from zertz_db.ingest.importer import Importer
from zertz_db.ingest.records.reader_version import is_partial, mark_partial, parse_letters
from zertz_db.ingest.stored import stored_records as stored
from zertz_db.ingest.stored.stored_records import StoredRecord
from zertz_db.rules.compiled import sources_hash
from zertz_db.store.annotations import apply_corrections
from zertz_db.store.folder.database import Database
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.schema import meta

ProgressCallback = Callable[[int], None]

ALL_RECORDS = "true"
"""The condition that every record satisfies."""


@dataclass(slots=True)
class MergeTally:
    """What a database brought: `records` = stored (new games) + duplicate + rejected; `known` records were there already."""

    path: str
    stored: int = 0
    duplicate: int = 0
    rejected: int = 0
    known: int = 0

    @property
    def records(self) -> int:
        """All that are new."""
        return self.stored + self.duplicate + self.rejected


def import_stored_records(
    database: Database,
    importer: Importer,
    condition: str = ALL_RECORDS,
    values: Sequence[object] = (),
    tick: ProgressCallback = lambda _: None,
) -> MergeTally:
    """Let an importer take the records of a database that are not known to it: those that satisfy a condition on `r`, or all."""
    source, target = database.connection(), importer.connection
    apply_corrections.show_recorded(source)
    rules = database.facts().get("rules_version", sources_hash())
    merged = MergeTally(str(database.folder))
    for rows in stored.read_chunks(source, condition, *values):
        fresh = _select_unknown(target, rows)
        merged.known += len(rows) - len(fresh)
        if fresh:
            importer.take(stored.load_batch(source, fresh))
        tick(len(rows))
    balance = importer.balance
    merged.stored, merged.duplicate, merged.rejected = balance.stored, balance.duplicate, balance.rejected
    if merged.records:
        importer.files = _copy_sources(source, target, with_empty=condition == ALL_RECORDS)
        importer.finish()
        if rules != sources_hash():  # nobody has replayed these games under today's rules
            meta.write(target, {"rules_version": rules})
    return merged


def _select_unknown(target: duckdb.DuckDBPyConnection, rows: list[StoredRecord]) -> list[StoredRecord]:
    query = "SELECT source, member, index FROM _record WHERE source IN (SELECT unnest(?))"
    known = set(target.execute(query, [list({row.source for row in rows})]).fetchall())
    return [row for row in rows if (row.source, row.member, row.index) not in known]


def _copy_sources(source: duckdb.DuckDBPyConnection, target: duckdb.DuckDBPyConnection, *, with_empty: bool) -> int:
    """The files of the records that were copied, new ones and those that are whole now; returns how many are new.

    with_empty: those too in which there was no record, so that they are not read again.
    """
    counts = "SELECT source, count(*) FROM _record GROUP BY source"
    there, here = dict(source.execute(counts).fetchall()), dict(target.execute(counts).fetchall())
    known = dict(target.execute("SELECT id, reader_version FROM _source").fetchall())
    found = source.execute("FROM _source").to_arrow_table()
    noted = {
        number: mark_partial(by) if here.get(number, 0) < there.get(number, 0) else by
        for number, by in zip(found["id"].to_pylist(), found["reader_version"].to_pylist(), strict=True)
    }
    place = found.schema.get_field_index("reader_version")
    found = found.set_column(place, "reader_version", [[*noted.values()]])
    for number, by in noted.items():
        if number in known and _is_better(by, known[number]):
            target.execute("UPDATE _source SET reader_version = ? WHERE id = ?", [by, number])
    new = [number not in known and (number in here or (with_empty and number not in there)) for number in noted]
    return load(target, "source", found.filter(new))


def _is_better(there: str, here: str) -> bool:
    """Whether what is noted of a file there is true here now: the file is whole by it, or it is they who know whose its letters are."""
    if parse_letters(there) == parse_letters(here):
        return is_partial(here) and not is_partial(there)
    return parse_letters(here) is None
