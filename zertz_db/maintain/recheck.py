"""Recheck: read a database's records again with today's readers and rules, and store the differences."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import duckdb

from zertz_db.ingest.lake_importer import open_importer
from zertz_db.ingest.records.reader_version import READER_VERSION, format_reader_version, is_partial, parse_letters
from zertz_db.ingest.sources.place import ReadRequest
from zertz_db.ingest.stored.delete_records import delete_by_place, update_tallies
from zertz_db.ingest.stored.reread import reread_records
from zertz_db.ingest.stored.stored_records import StoredRecord, read_chunks
from zertz_db.maintain.differences import Difference, find_differences
from zertz_db.rules.compiled import sources_hash
from zertz_db.store.annotations import apply_corrections, game_merges
from zertz_db.store.backend import change_database
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import meta

ProgressCallback = Callable[[int], None]


def preview_changes(folder: str | Path, tick: ProgressCallback = lambda _: None) -> list[Difference]:
    """Return the changes that `recheck` would make; change nothing."""
    with open_database(folder) as database:
        connection = database.connection()
        apply_corrections.show_recorded(connection)
        return list(find_differences(connection, read_chunks(connection), tick))


def recheck_database(
    folder: str | Path, tick: ProgressCallback = lambda _: None, wait: Wait = NO_WAIT
) -> list[Difference]:
    """Read every record again, and store those that are read differently; return the differences.

    A record on which zertz fails today (`Difference.is_failure`) stays unchanged: an internal error must not cost a stored game. `tick` is
    called with numbers of records. Raise NoDatabase or LockHeld.
    """
    open_database(folder).close()  # so that a missing database is not created
    return change_database(folder, lambda build: _recheck(build, tick), wait)


def _recheck(build: Build, tick: ProgressCallback) -> list[Difference]:
    connection = build.connection
    is_updated = apply_pending_merges(build) or not apply_corrections.is_followed(connection, build.annotations_dir)
    differences = list(find_differences(connection, read_chunks(connection), tick))
    changed_today = [one.row for one in differences if not one.is_failure]
    facts = {"rules_version": sources_hash(), "reader_version": READER_VERSION}
    if not is_updated and not changed_today and facts.items() <= meta.read(connection).items():
        build.discard()
        return differences
    if changed_today:
        _replace_records(build, changed_today)
    meta.write(connection, facts)
    _update_reader_versions(connection)
    return differences


def apply_pending_merges(build: Build) -> bool:
    """Apply the merges of the file that a database under construction has not applied yet; return whether there were any."""
    connection = build.connection
    before, now = game_merges.applied_merges(connection), game_merges.targets(game_merges.read(build.annotations_dir))
    if before == now:
        return False
    split = {game: game for game in before.keys() - now.keys()}
    game_merges.apply_merges(connection, {**now, **split})
    changed = {*before.items()} ^ {*now.items()}
    affected = sorted({game for pair in changed for game in pair})
    rows = read_chunks(connection, "game IN (SELECT unnest(?))", affected)
    _replace_records(build, [one.row for one in find_differences(connection, rows) if not one.is_failure])
    game_merges.apply_merges(connection, now)
    return True


def _replace_records(build: Build, rows: list[StoredRecord]) -> None:
    """Store these records of a database under construction as they are read today."""
    connection = build.connection
    rows.sort(key=lambda row: (row.run, row.status == "duplicate"))  # in the order of import, as far as it is known
    batches = [
        (run, reread_records(connection, list(own)).batch) for run, own in groupby(rows, key=lambda row: row.run)
    ]
    with update_tallies(connection):
        delete_by_place(connection, [(row.source, row.member, row.index) for row in rows])
        with open_importer(build, ReadRequest([])) as importer:
            for importer.run, batch in batches:
                importer.take(batch)


def _update_reader_versions(connection: duckdb.DuckDBPyConnection) -> None:
    """Note today's readers for all records. Exclude files without records: their reader version changes only when they are read."""
    for table, condition in (("record", "true"), ("source", "id IN (SELECT source FROM _record)")):
        for (noted,) in connection.execute(f"SELECT DISTINCT reader_version FROM _{table}").fetchall():
            now = format_reader_version(parse_letters(noted))
            if noted != now and not is_partial(noted):
                query = f"UPDATE _{table} SET reader_version = ? WHERE reader_version = ? AND {condition}"
                connection.execute(query, [now, noted])
