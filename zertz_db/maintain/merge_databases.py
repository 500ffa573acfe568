"""Merge databases, or copy some games to a new one: with the same ids, and all records of each game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

import duckdb

from zertz_db.errors import UserMistake
from zertz_db.ingest.copy_records import MergeTally, ProgressCallback, import_stored_records
from zertz_db.ingest.lake_importer import open_importer
from zertz_db.ingest.records.reader_version import HAS_LETTERS, READER_VERSION
from zertz_db.ingest.redaction.redact_batches import NO_REDACTIONS, RedactedNames
from zertz_db.ingest.sources.place import ReadRequest
from zertz_db.ingest.stored.delete_records import delete_by_place, update_tallies
from zertz_db.maintain.analysis.analysis_copies import copy_analyses
from zertz_db.maintain.anonymise import redact_known_names
from zertz_db.maintain.recheck import apply_pending_merges
from zertz_db.store.annotations import (
    attempts,
    corrections,
    game_merges,
    marks,
    noted_tombstones,
    overlay,
    people_file,
    studies,
)
from zertz_db.store.annotations.game_merges import GameMerge
from zertz_db.store.backend import change_database, find_backend
from zertz_db.store.errors import StoreError
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import NO_WAIT, Wait, annotations_lock
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.names import fold_name
from zertz_db.store.open_database import open_database


class OutdatedReaders(StoreError):
    """Other readers than today's have read a database: its records may now be read differently."""


class TargetExists(UserMistake):
    """The path of a new database exists."""

    def __init__(self, there: str | Path) -> None:
        super().__init__(
            f"{there} exists; name a new folder or lake. To add it to an existing database afterwards: "
            f"zertz merge NEW --into '{there}'"
        )


def merge(
    folders: Sequence[str | Path], into: str | Path, tick: ProgressCallback = lambda _: None, wait: Wait = NO_WAIT
) -> list[MergeTally]:
    """Merge the databases into one, created if missing, in full or not at all; return the counts of each.

    Each of them becomes an import, which can be undone. A game in several of them has all their records and is represented by the best;
    names that one of them has redacted are redacted. Analyses come along. Raise NoDatabase, OutdatedReaders or LockHeld.
    """
    with ExitStack() as opened:
        databases = [opened.enter_context(open_database(folder)) for folder in folders]
        for database in databases:
            require_current_readers(database, database.folder)
            noted_tombstones.require_complete(database.connection(), database.annotations_dir)
        return change_database(into, lambda build: _merge(build, databases, tick), wait)


def _merge(build: Build, databases: Sequence[Database], tick: ProgressCallback) -> list[MergeTally]:
    folders = [database.annotations_dir for database in databases]
    tombstones = [one for folder in (build.annotations_dir, *folders) for one in people_file.read_redacted(folder)]
    before = _get_annotations_state(build.annotations_dir)
    has_redacted = redact_known_names(build, tombstones)
    names = RedactedNames(tombstones)
    has_merges = _copy_game_merges(build, [one for folder in folders for one in game_merges.read(folder)])
    merged = []
    for database in databases:
        _delete_superseded(build.connection, database)
        with open_importer(build, ReadRequest([database.title]), names) as importer:
            merged.append(import_stored_records(database, importer, tick=tick))
    with annotations_lock(build.annotations_dir):
        people_file.adopt(build.annotations_dir, tombstones)
        _copy_annotations(build, folders)
    has_corrections = _copy_corrections(build, folders, names)
    for database, tally in zip(databases, merged, strict=True):
        tally.analysed = copy_analyses(build.connection, database)
    has_annotations = build.publishes_annotations and _get_annotations_state(build.annotations_dir) != before
    if not any(
        (has_annotations, has_redacted, has_merges, has_corrections, *(one.records or one.analysed for one in merged))
    ):
        build.discard()
    return merged


def copy_games(
    database: Database, games: Sequence[int], into: str | Path, what: str, tick: ProgressCallback = lambda _: None
) -> MergeTally:
    """Make a new database of some games (ids as numbers) with all their records, files, tags and findings.

    what: a description of the games. Raise TargetExists or OutdatedReaders.
    """
    if find_backend(into).is_taken():
        raise TargetExists(into)
    require_current_readers(database, database.folder)
    noted_tombstones.require_complete(database.connection(), database.annotations_dir)

    def put(build: Build) -> MergeTally:
        if build.before:  # a lake, which could not be checked before
            raise TargetExists(into)
        return _copy_games(build, database, games, what, tick)

    return change_database(into, put)


def _copy_games(
    build: Build, database: Database, games: Sequence[int], what: str, tick: ProgressCallback
) -> MergeTally:
    merges, copied = game_merges.read(database.annotations_dir), {*games}
    ends = game_merges.targets(merges)
    _copy_game_merges(build, [one for one in merges if ends.get(from_text(one.game)) in copied])
    with open_importer(build, ReadRequest([what])) as importer:
        merged = import_stored_records(database, importer, "game IN (SELECT unnest(?))", [list(games)], tick)
    with annotations_lock(build.annotations_dir):
        people_file.adopt(build.annotations_dir, people_file.read_redacted(database.annotations_dir))
        _copy_annotations(build, [database.annotations_dir])
    _copy_corrections(build, [database.annotations_dir], NO_REDACTIONS)
    merged.analysed = copy_analyses(build.connection, database)
    return merged


def _delete_superseded(connection: duckdb.DuckDBPyConnection, database: Database) -> None:
    """Delete the records that will be copied with a language of their letters stated there, and not here."""
    query = f"SELECT source, member, index FROM _record WHERE {HAS_LETTERS}"
    stated = {*database.connection().execute(query).fetchall()}
    sources = [*{source for source, _, _ in stated}]
    query = f"SELECT source, member, index FROM _record WHERE source IN (SELECT unnest(?)) AND NOT {HAS_LETTERS}"
    places = stated.intersection(connection.execute(query, [sources]).fetchall()) if stated else ()
    if places:
        with update_tallies(connection):
            delete_by_place(connection, places)


def _copy_game_merges(build: Build, merges: Iterable[GameMerge]) -> bool:
    """Copy merges of games without merges here, and apply them; return whether anything has changed."""
    known = {merge.game for merge in game_merges.read(build.annotations_dir)}
    game_merges.append(build.annotations_dir, [merge for merge in merges if merge.game not in known])
    return apply_pending_merges(build)


def _get_annotations_state(annotations_dir: Path) -> object:
    """Return a value that changes with the annotations that a merge copies."""
    return overlay.state(annotations_dir), studies.read(annotations_dir)


def _copy_annotations(build: Build, folders: Sequence[Path]) -> None:
    """Copy marks on games that the database has, aliases and kinds of names that it has, pairs that are two games, studies, attempts.

    What the database has itself stays.
    """
    connection, into = build.connection, build.annotations_dir
    games = _list_game_ids(connection)
    query = "SELECT DISTINCT unnest([player1, player2]) FROM _game"
    names = {fold_name(name) for (name,) in connection.execute(query).fetchall() if name is not None}
    for folder in folders:
        known = {claim.pair for claim in people_file.read_aliases(into)}
        people_file.append_aliases(
            into, [one for one in people_file.read_aliases(folder) if one.pair <= names and one.pair not in known]
        )
        stated = {fold_name(one.name) for one in people_file.read_kinds(into)}
        people_file.append_kinds(
            into, [one for one in people_file.read_kinds(folder) if fold_name(one.name) in names - stated]
        )
        there = set(marks.read(into))
        for mark in marks.read(folder):
            if mark not in there and (mark.game is None or mark.game in games):
                marks.add(into, mark)
        _copy_studies(folder, into)
        noted = {one.pair for one in game_merges.read_pairs(into)}
        found = (one for one in game_merges.read_pairs(folder) if one.pair <= games and one.pair not in noted)
        game_merges.append(into, found)
        tried = set(attempts.read(into))
        attempts.add(into, [attempt for attempt in attempts.read(folder) if attempt not in tried])


def _copy_studies(folder: Path, into: Path) -> None:
    """Copy the studies that the database does not have; one whose name is taken gets a number after it."""
    known = studies.read(into)
    ids = {study.id for study in (*known, *studies.read_removed(into))}
    names = {study.name.casefold() for study in known}
    for study in studies.read(folder):
        if study.id in ids:
            continue
        name, number = study.name, 1
        while name.casefold() in names:
            number += 1
            name = f"{study.name} ({number})"
        names.add(name.casefold())
        studies.write(into, study._replace(name=name))


def _copy_corrections(build: Build, folders: Sequence[Path], redacted: RedactedNames) -> bool:
    """Copy the corrections of games that the database has, with their history; return whether there were any."""
    games = _list_game_ids(build.connection)
    known = [one for folder in folders for one in corrections.read(folder) if one.game in games]
    return corrections.adopt(build.annotations_dir, [corrections.redact(one, redacted.text) for one in known])


def _list_game_ids(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the ids of the games that a database has, and of merged games, which may be split off again."""
    ids = (game for (game,) in connection.execute("SELECT id FROM _game").fetchall())
    return {to_text(game) for game in (*ids, *game_merges.applied_merges(connection))}


def require_current_readers(database: Database, folder: str | Path) -> None:
    """Raise OutdatedReaders if other readers than today's have read a database."""
    version = database.facts().get("reader_version", READER_VERSION)
    if version != READER_VERSION:
        raise OutdatedReaders(
            f"{folder} was read by other readers (version {version}, today's is {READER_VERSION}). "
            f"Update it first: zertz recheck --db {folder}"
        )
