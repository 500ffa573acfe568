"""Anonymise a player: remove the name from a database, and from everything that is imported later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from zertz_db.errors import InternalFault, UserMistake
from zertz_db.ingest.records.batch import select_rows
from zertz_db.ingest.redaction.redact_batches import (
    RedactedNames,
    RedactorsByRecord,
    redact_bytes,
    redact_games,
    redact_notes,
)
from zertz_db.ingest.redaction.redactor import Redactor, find_player_names
from zertz_db.ingest.stored import stored_records
from zertz_db.ingest.stored.stored_records import StoredRecord
from zertz_db.parser import faults
from zertz_db.plurals import format_count
from zertz_db.store.annotations import (
    apply_corrections,
    attempts,
    corrections,
    game_merges,
    marks,
    materialise,
    people_file,
    studies,
)
from zertz_db.store.annotations.people_file import Tombstone
from zertz_db.store.annotations.player_rows import kind_of
from zertz_db.store.backend import change_database, remove_earlier
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.lock import NO_WAIT, Wait, annotations_lock
from zertz_db.store.ids import to_text
from zertz_db.store.loading import compaction
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.names import fold_name
from zertz_db.store.open_database import open_database

ProgressCallback = Callable[[int], None]

_TEXTS = (
    ("record", "member"),
    ("source", "path"),
    ("import", "what"),
)
"""Columns, besides those that derive from a record's bytes, that may have a name."""


class NoSuchPlayer(UserMistake):
    """No player has this name, or many people share it."""


class RedactionStopped(InternalFault):
    """The redaction of stored records failed. Nothing was changed. places: of the records, for people."""

    def __init__(self, places: Sequence[str]) -> None:
        self.places = tuple(places)
        shown = "; ".join(places[:_MAX_PLACES])
        more = f"; and {len(places) - _MAX_PLACES:,} more" if len(places) > _MAX_PLACES else ""
        super().__init__(
            f"zertz failed to redact the name in {format_count(len(places), 'record')}: {shown}{more}. "
            "Nothing was changed: the name is still in the database. Please report it with the traceback in the error log. "
            "Until it is fixed, `zertz undo IMPORT` removes an import with its records."
        )


_MAX_PLACES = 10
"""Maximum number of records that the error names."""


@dataclass(frozen=True, slots=True)
class Anonymisation:
    """The result: the names that were redacted, their pseudonym, and the numbers of games and records that had them.

    recorded_as: other names in the records of games in which, by a correction, the player took part.
    """

    names: tuple[str, ...]
    shown: str
    games: int
    records: int
    recorded_as: tuple[str, ...] = ()


def anonymise_player(
    folder: str | Path, name: str, tick: ProgressCallback = lambda _: None, wait: Wait = NO_WAIT
) -> Anonymisation:
    """Replace a player's name, and its accepted aliases, everywhere; store a tombstone of each in `people.jsonl`.

    Games keep their ids. Earlier generations of the database are removed. `tick` is called with numbers of records. If that fails on a
    record, nothing is changed, because the name would stay there. Raise NoSuchPlayer, RedactionStopped, NoDatabase or LockHeld.
    """
    open_database(folder).close()  # so that a missing database is not created
    anonymised = change_database(folder, lambda build: _anonymise(build, name, tick), wait)
    remove_earlier(folder, wait)
    return anonymised


def _anonymise(build: Build, name: str, tick: ProgressCallback) -> Anonymisation:
    connection, annotations_dir = build.connection, build.annotations_dir
    materialise.materialise_annotations(connection, annotations_dir)  # for the player's current names
    names = _list_player_names(connection, annotations_dir, name)
    # A run that was stopped has left nothing but tombstones of the player's names.
    begun = RedactedNames(people_file.read_redacted(annotations_dir))
    shown = begun.shown(name) or people_file.tombstone(name).shown
    names = sorted(
        {*names, *(one for one in _list_known_names(connection, annotations_dir) if begun.shown(one) == shown)}
    )
    games, recorded_as = _count_games(connection, names), _list_recorded_names(connection, names)
    apply_corrections.revert(connection)
    pseudonyms = {fold_name(one): shown for one in names}
    redactor = Redactor(pseudonyms, _list_known_names(connection, annotations_dir))
    records = _redact_tables(connection, redactor, tick)
    if not records and not games and not _is_mentioned(annotations_dir, name):
        raise _build_player_error(name)
    # First: once the files no longer have the player's names, only tombstones let a stopped run start again.
    with annotations_lock(annotations_dir):
        people_file.adopt(annotations_dir, [people_file.tombstone(one, shown) for one in names])
        _redact_annotations(annotations_dir, pseudonyms, redactor)
    return Anonymisation(tuple(names), shown, games, records, recorded_as)


def redact_known_names(build: Build, tombstones: Iterable[Tombstone]) -> bool:
    """Redact the names of these tombstones that the database under construction still has; return whether there are any."""
    names = RedactedNames(tombstones)
    known = _list_known_names(build.connection, build.annotations_dir)
    shown = {fold_name(name): pseudonym for name in known if (pseudonym := names.shown(name))}
    if shown:
        redact_names(build.connection, build.annotations_dir, shown)
    return bool(shown)


def redact_names(connection: duckdb.DuckDBPyConnection, annotations_dir: Path, shown: dict[str, str]) -> None:
    """Replace names (in normal form) by their pseudonyms in everything in a database under construction.

    Redact the annotations in the folder `annotations_dir`, too.
    """
    redactor = Redactor(shown, _list_known_names(connection, annotations_dir))
    _redact_tables(connection, redactor)
    with annotations_lock(annotations_dir):
        _redact_annotations(annotations_dir, shown, redactor)


def _redact_tables(
    connection: duckdb.DuckDBPyConnection, redactor: Redactor, tick: ProgressCallback = lambda _: None
) -> int:
    """Replace the names in all tables; return the number of records that had one."""
    records = _redact_bytes(connection, redactor, tick)
    _redact_rows(connection, records)
    for table, column in _TEXTS:
        _redact_texts(connection, table, column, redactor)
    compaction.demand(connection)  # deleted bytes stay in the file until it is rewritten
    return len(records)


def _redact_annotations(annotations_dir: Path, shown: dict[str, str], redactor: Redactor) -> None:
    people_file.redact_names(annotations_dir, shown, redactor.text)
    marks.rewrite(annotations_dir, redactor.text)
    studies.rewrite(annotations_dir, redactor.text)
    game_merges.rewrite(annotations_dir, redactor.text)
    corrections.rewrite(annotations_dir, redactor.text)
    attempts.rewrite(annotations_dir, redactor.text)


def _list_known_names(connection: duckdb.DuckDBPyConnection, annotations_dir: Path) -> list[str]:
    """Return all names of players, by records and by corrections."""
    query = "SELECT name FROM _alias UNION SELECT unnest([player1, player2]) FROM _game"
    named = {name for (name,) in connection.execute(query).fetchall() if name is not None}
    return sorted(named | corrections.names(annotations_dir))


def _list_player_names(connection: duckdb.DuckDBPyConnection, annotations_dir: Path, name: str) -> list[str]:
    """Return all names of the player with this name."""
    if kind_of(fold_name(name)) == "guest":
        raise NoSuchPlayer(f"{name} is a guest name, which many people share.")
    query = """
        SELECT DISTINCT name FROM _alias WHERE status = 'accepted' AND player IN (
            SELECT player FROM _alias WHERE folded = ? AND status = 'accepted'
        ) ORDER BY name
    """
    names = [one for (one,) in connection.execute(query, [fold_name(name)]).fetchall()]
    if names:
        return names
    if game_merges.applied_merges(connection) or _is_mentioned(
        annotations_dir, name
    ):  # records may have names of no player
        return [name]
    raise _build_player_error(name)


def _build_player_error(name: str) -> NoSuchPlayer:
    return NoSuchPlayer(f"No player is called {name}. All names: zertz players")


def _is_mentioned(annotations_dir: Path, name: str) -> bool:
    return fold_name(name) in map(fold_name, corrections.names(annotations_dir))


def _list_recorded_names(connection: duckdb.DuckDBPyConnection, names: list[str]) -> tuple[str, ...]:
    query = """
        SELECT DISTINCT old FROM _correction
        WHERE list_contains(?, tag) AND list_contains(?, new) AND NOT list_contains(?, old) ORDER BY old
    """
    rows = connection.execute(query, [list(corrections.PLAYERS), names, names]).fetchall()
    return tuple(old for (old,) in rows if kind_of(fold_name(old)) != "guest")


def _count_games(connection: duckdb.DuckDBPyConnection, names: list[str]) -> int:
    query = "SELECT count(*) FROM _game WHERE player1 IN (SELECT unnest(?)) OR player2 IN (SELECT unnest(?))"
    return int(connection.execute(query, [names, names]).fetchall()[0][0])


def _redact_bytes(
    connection: duckdb.DuckDBPyConnection, redactor: Redactor, tick: ProgressCallback
) -> dict[int, Redactor]:
    """Replace the names in records' bytes; return the redactor of each record that had one."""
    changed: dict[int, Redactor] = {}
    errors: dict[int, Exception] = {}
    for rows in stored_records.read_chunks(connection):
        new: dict[int, tuple[int, bytes, str]] = {}
        for row in rows:
            if row.bytes is None or row.id in new:
                continue
            redacted = faults.guarded(partial(_redact_record, row, redactor), lambda error: error)
            if isinstance(redacted, Exception):
                errors[row.id] = redacted
            elif redacted:
                own, data, encoding = redacted
                new[row.id] = row.id, data, encoding
                changed[row.id] = own
        _update(connection, "record", "id", {"bytes": pa.binary(), "encoding": pa.string()}, list(new.values()))
        tick(len(rows))
    _require_none(connection, errors)
    return changed


def _redact_record(row: StoredRecord, redactor: Redactor) -> tuple[Redactor, bytes, str] | None:
    """Return the redactor of a record, its new bytes, and their encoding; None for a record without the names."""
    data = row.bytes or b""
    own = redactor.for_players(find_player_names(data))
    redacted, encoding = redact_bytes(data, row.dialect, row.game is not None, own)
    return None if redacted == data else (own, redacted, encoding)


def _require_none(connection: duckdb.DuckDBPyConnection, errors: Mapping[int, Exception]) -> None:
    """Raise RedactionStopped if there are errors, by the ids of records. Log each without its text, which may have the name."""
    if not errors:
        return
    places: dict[int, str] = {}
    for rows in stored_records.read_chunks(connection, "r.id IN (SELECT unnest(?))", [*errors]):
        for row in rows:
            places.setdefault(row.id, f"{row.place} (import {row.run}, record {to_text(row.id)})")
    for record, error in errors.items():
        fault = InternalFault(f"{type(error).__name__} while a name was redacted").with_traceback(error.__traceback__)
        faults.log(fault, f"record {to_text(record)}")
    raise RedactionStopped([*places.values()])


def _redact_rows(connection: duckdb.DuckDBPyConnection, redactors: RedactorsByRecord) -> None:
    """Replace the names in the rows that were read from these records."""
    ids = [*redactors]
    games, tags, findings = (
        connection.execute(f"SELECT * FROM _{table} WHERE record IN (SELECT unnest(?))", [ids]).to_arrow_table()
        for table in ("game", "tag", "finding")
    )
    _require_none(connection, _find_errors(games, tags, findings, redactors))
    for table, rows in zip(
        ("game", "tag", "finding"),
        (redact_games(games, redactors), *redact_notes(tags, findings, redactors)),
        strict=True,
    ):
        connection.execute(f"DELETE FROM _{table} WHERE record IN (SELECT unnest(?))", [ids])
        load(connection, table, rows)


def _find_errors(
    games: pa.Table, tags: pa.Table, findings: pa.Table, redactors: RedactorsByRecord
) -> dict[int, Exception]:
    """Return the records on whose rows the redaction fails, with the errors."""

    def redact_some(records: Sequence[int]) -> list[Exception | None]:
        wanted = pa.array(records, pa.int64())
        redact_games(select_rows(games, "record", wanted), redactors)
        redact_notes(select_rows(tags, "record", wanted), select_rows(findings, "record", wanted), redactors)
        return [None] * len(records)

    errors = faults.each(redact_some, [*redactors], lambda _, error: error)
    return {record: error for record, error in zip(redactors, errors, strict=True) if error}


def _redact_texts(connection: duckdb.DuckDBPyConnection, table: str, column: str, redactor: Redactor) -> None:
    values = connection.execute(f"SELECT DISTINCT {column} FROM _{table} WHERE {column} IS NOT NULL").fetchall()
    new = [(value, replaced) for (value,) in values if (replaced := redactor.text(value)) != value]
    _update(connection, table, column, {column: pa.string()}, new)


def _update(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    key: str,
    columns: dict[str, pa.DataType],
    rows: list[tuple[Any, ...]],
) -> None:
    """Update columns that are not NULL; each row has the key's value and the new values."""
    if not rows:
        return
    keys, *values = zip(*rows, strict=True)
    new = {f"new_{name}": pa.array(one, kind) for (name, kind), one in zip(columns.items(), values, strict=True)}
    connection.register("changes", pa.table({"old_key": pa.array(keys), **new}))
    for name in columns:
        connection.execute(
            f"UPDATE _{table} SET {name} = new_{name} FROM changes WHERE {key} = old_key AND {name} IS NOT NULL"
        )
    connection.unregister("changes")
