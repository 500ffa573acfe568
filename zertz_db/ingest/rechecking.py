"""Recheck: read a database's records again with today's readers and rules, and let it follow them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import duckdb

from zertz_db.ingest.differences import Difference, differences
from zertz_db.ingest.forgetting import forget_places, rebalanced
from zertz_db.ingest.lake_importer import importing
from zertz_db.ingest.readers import READER_VERSION, is_in_part, letters_in, read_by
from zertz_db.ingest.rereading import reread
from zertz_db.ingest.sources import Asked
from zertz_db.ingest.stored import Stored, chunks
from zertz_db.rules.compiled import sources_hash
from zertz_db.store import corrected, meta, unions
from zertz_db.store.building import Build
from zertz_db.store.changing import changed
from zertz_db.store.lock import NO_WAIT, Wait
from zertz_db.store.opening import open_database

Tick = Callable[[int], None]


def what_would_change(folder: str | Path, tick: Tick = lambda _: None) -> list[Difference]:
    """What `recheck` would change; the database stays as it is."""
    with open_database(folder) as database:
        connection = database.connection()
        corrected.show_recorded(connection)
        return list(differences(connection, chunks(connection), tick))


def recheck(folder: str | Path, tick: Tick = lambda _: None, wait: Wait = NO_WAIT) -> list[Difference]:
    """Read every record again; those that are another today are stored as what they are now. Returns what has changed.

    A record on which zertz fails today (`Difference.is_failure`) stays as it is: a stored game is not lost to an internal error.
    `tick` is called with numbers of records. Raises NoDatabase, LockHeld.
    """
    open_database(folder).close()  # so that no database is made where there is none
    return changed(folder, lambda build: _recheck(build, tick), wait)


def _recheck(build: Build, tick: Tick) -> list[Difference]:
    connection = build.connection
    caught_up = catch_up(build) or not corrected.is_followed(connection, build.words)
    found = list(differences(connection, chunks(connection), tick))
    changed_today = [one.row for one in found if not one.is_failure]
    facts = {"rules_version": sources_hash(), "reader_version": READER_VERSION}
    if not caught_up and not changed_today and facts.items() <= meta.read(connection).items():
        build.discard()
        return found
    if changed_today:
        _take_anew(build, changed_today)
    meta.write(connection, facts)
    _note_readers(connection)
    return found


def catch_up(build: Build) -> bool:
    """Let a database under construction follow the unions of games that its file has by now; whether they are others."""
    connection = build.connection
    before, now = unions.followed(connection), unions.targets(unions.read(build.words))
    if before == now:
        return False
    parted = {game: game for game in before.keys() - now.keys()}
    unions.follow(connection, {**now, **parted})
    changed = {*before.items()} ^ {*now.items()}
    touched = sorted({game for pair in changed for game in pair})
    rows = chunks(connection, "game IN (SELECT unnest(?))", touched)
    _take_anew(build, [found.row for found in differences(connection, rows) if not found.is_failure])
    unions.follow(connection, now)
    return True


def _take_anew(build: Build, rows: list[Stored]) -> None:
    """Store these records of a database under construction as what they are today."""
    connection = build.connection
    rows.sort(key=lambda row: (row.run, row.status == "duplicate"))  # as they came, as far as it is known
    anew = [(run, reread(connection, list(own)).lot) for run, own in groupby(rows, key=lambda row: row.run)]
    with rebalanced(connection):
        forget_places(connection, [(row.source, row.member, row.index) for row in rows])
        with importing(build, Asked([])) as importer:
            for importer.run, lot in anew:
                importer.take(lot)


def _note_readers(connection: duckdb.DuckDBPyConnection) -> None:
    """All records are of today's readers. Files that had none are not: only the file itself can tell."""
    for table, condition in (("record", "true"), ("source", "id IN (SELECT source FROM _record)")):
        for (noted,) in connection.execute(f"SELECT DISTINCT reader_version FROM _{table}").fetchall():
            now = read_by(letters_in(noted))
            if noted != now and not is_in_part(noted):
                query = f"UPDATE _{table} SET reader_version = ? WHERE reader_version = ? AND {condition}"
                connection.execute(query, [now, noted])
