"""Recheck: read a database's records again with today's readers and rules, and let it follow them."""

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
    """What `recheck` would change; the database stays as it is."""
    with open_database(folder) as database:
        connection = database.connection()
        apply_corrections.show_recorded(connection)
        return list(find_differences(connection, read_chunks(connection), tick))


def recheck_database(
    folder: str | Path, tick: ProgressCallback = lambda _: None, wait: Wait = NO_WAIT
) -> list[Difference]:
    """Read every record again; those that are another today are stored as what they are now. Returns what has changed.

    A record on which zertz fails today (`Difference.is_failure`) stays as it is: a stored game is not lost to an internal error.
    `tick` is called with numbers of records. Raises NoDatabase, LockHeld.
    """
    open_database(folder).close()  # so that no database is made where there is none
    return change_database(folder, lambda build: _recheck(build, tick), wait)


def _recheck(build: Build, tick: ProgressCallback) -> list[Difference]:
    connection = build.connection
    caught_up = apply_pending_merges(build) or not apply_corrections.is_followed(connection, build.annotations_dir)
    found = list(find_differences(connection, read_chunks(connection), tick))
    changed_today = [one.row for one in found if not one.is_failure]
    facts = {"rules_version": sources_hash(), "reader_version": READER_VERSION}
    if not caught_up and not changed_today and facts.items() <= meta.read(connection).items():
        build.discard()
        return found
    if changed_today:
        _replace_records(build, changed_today)
    meta.write(connection, facts)
    _update_reader_versions(connection)
    return found


def apply_pending_merges(build: Build) -> bool:
    """Let a database under construction follow the unions of games that its file has by now; whether they are others."""
    connection = build.connection
    before, now = game_merges.applied_merges(connection), game_merges.targets(game_merges.read(build.annotations_dir))
    if before == now:
        return False
    parted = {game: game for game in before.keys() - now.keys()}
    game_merges.apply_merges(connection, {**now, **parted})
    changed = {*before.items()} ^ {*now.items()}
    touched = sorted({game for pair in changed for game in pair})
    rows = read_chunks(connection, "game IN (SELECT unnest(?))", touched)
    _replace_records(build, [found.row for found in find_differences(connection, rows) if not found.is_failure])
    game_merges.apply_merges(connection, now)
    return True


def _replace_records(build: Build, rows: list[StoredRecord]) -> None:
    """Store these records of a database under construction as what they are today."""
    connection = build.connection
    rows.sort(key=lambda row: (row.run, row.status == "duplicate"))  # as they came, as far as it is known
    anew = [(run, reread_records(connection, list(own)).batch) for run, own in groupby(rows, key=lambda row: row.run)]
    with update_tallies(connection):
        delete_by_place(connection, [(row.source, row.member, row.index) for row in rows])
        with open_importer(build, ReadRequest([])) as importer:
            for importer.run, lot in anew:
                importer.take(lot)


def _update_reader_versions(connection: duckdb.DuckDBPyConnection) -> None:
    """All records are of today's readers. Files that had none are not: only the file itself can tell."""
    for table, condition in (("record", "true"), ("source", "id IN (SELECT source FROM _record)")):
        for (noted,) in connection.execute(f"SELECT DISTINCT reader_version FROM _{table}").fetchall():
            now = format_reader_version(parse_letters(noted))
            if noted != now and not is_partial(noted):
                query = f"UPDATE _{table} SET reader_version = ? WHERE reader_version = ? AND {condition}"
                connection.execute(query, [now, noted])
