"""Copy records from one database to another that lacks them."""

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
    """Counts of a merged database: `records` = stored (new games) + duplicate + rejected; `known` records were present before.

    analysed: games whose analyses were copied.
    """

    path: str
    stored: int = 0
    duplicate: int = 0
    rejected: int = 0
    known: int = 0
    analysed: int = 0

    @property
    def records(self) -> int:
        """Return the number of new records."""
        return self.stored + self.duplicate + self.rejected


def import_stored_records(
    database: Database,
    importer: Importer,
    condition: str = ALL_RECORDS,
    values: Sequence[object] = (),
    tick: ProgressCallback = lambda _: None,
) -> MergeTally:
    """Import the records of a database that the importer's lacks and that satisfy a condition on `r`; return their counts."""
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
    tally = importer.tally
    merged.stored, merged.duplicate, merged.rejected = tally.stored, tally.duplicate, tally.rejected
    if merged.records:
        importer.files = _copy_sources(source, target, with_empty=condition == ALL_RECORDS)
        importer.finish()
        if rules != sources_hash():  # today's rules have not replayed these games
            meta.write(target, {"rules_version": rules})
    return merged


def _select_unknown(target: duckdb.DuckDBPyConnection, rows: list[StoredRecord]) -> list[StoredRecord]:
    query = "SELECT source, member, index FROM _record WHERE source IN (SELECT unnest(?))"
    known = set(target.execute(query, [list({row.source for row in rows})]).fetchall())
    return [row for row in rows if (row.source, row.member, row.index) not in known]


def _copy_sources(source: duckdb.DuckDBPyConnection, target: duckdb.DuckDBPyConnection, *, with_empty: bool) -> int:
    """Copy the sources of the copied records, and complete those that were partial; return the number of new ones.

    with_empty: also copy sources without records, so that they are not read again.
    """
    counts = "SELECT source, count(*) FROM _record GROUP BY source"
    there, here = dict(source.execute(counts).fetchall()), dict(target.execute(counts).fetchall())
    known = dict(target.execute("SELECT id, reader_version FROM _source").fetchall())
    rows = source.execute("FROM _source").to_arrow_table()
    noted = {
        number: mark_partial(by) if here.get(number, 0) < there.get(number, 0) else by
        for number, by in zip(rows["id"].to_pylist(), rows["reader_version"].to_pylist(), strict=True)
    }
    place = rows.schema.get_field_index("reader_version")
    rows = rows.set_column(place, "reader_version", [[*noted.values()]])
    for number, by in noted.items():
        if number in known and _is_better(by, known[number]):
            target.execute("UPDATE _source SET reader_version = ? WHERE id = ?", [by, number])
    new = [number not in known and (number in here or (with_empty and number not in there)) for number in noted]
    return load(target, "source", rows.filter(new))


def _is_better(there: str, here: str) -> bool:
    """Return whether a file's note there should replace the one here: only that one is whole, or only that one states the letters."""
    if parse_letters(there) == parse_letters(here):
        return is_partial(here) and not is_partial(there)
    return parse_letters(here) is None
