"""Anonymise a player: the name goes from everything that a database holds, and does not come back with another import."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from zertz_db.errors import UserMistake
from zertz_db.ingest.redaction.redact_batches import (
    RedactedNames,
    RedactorsByRecord,
    redact_bytes,
    redact_games,
    redact_notes,
)
from zertz_db.ingest.redaction.redactor import Redactor, find_player_names
from zertz_db.ingest.stored import stored_records
from zertz_db.store.annotations import apply_corrections, corrections, game_merges, marks, materialise, people_file
from zertz_db.store.annotations.people_file import Tombstone
from zertz_db.store.annotations.player_rows import kind_of
from zertz_db.store.backend import change_database, remove_earlier
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.lock import NO_WAIT, Wait, annotations_lock
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
"""Columns, beside those that follow from a record's bytes, in which a name may stand."""


class NoSuchPlayer(UserMistake):
    """Nobody is called so, or it is nobody's own name."""


@dataclass(frozen=True, slots=True)
class Anonymisation:
    """What was done: the names that went, what is shown instead, and in how many games and records they were.

    recorded_as: other names, which the records of some of these games have where a correction says that he played.
    """

    names: tuple[str, ...]
    shown: str
    games: int
    records: int
    recorded_as: tuple[str, ...] = ()


def anonymise_player(
    folder: str | Path, name: str, tick: ProgressCallback = lambda _: None, wait: Wait = NO_WAIT
) -> Anonymisation:
    """Replace a player's name, and the names that are accepted as his, everywhere; keep a tombstone of each in `people.toml`.

    Games keep their ids. Earlier generations of the database are removed. `tick` is called with numbers of records.
    Raises NoSuchPlayer, NoDatabase, LockHeld.
    """
    open_database(folder).close()  # so that no database is made where there is none
    anonymised = change_database(folder, lambda build: _anonymise(build, name, tick), wait)
    remove_earlier(folder, wait)
    return anonymised


def _anonymise(build: Build, name: str, tick: ProgressCallback) -> Anonymisation:
    connection, words = build.connection, build.annotations_dir
    materialise.materialise_annotations(connection, words)  # the names that are his by now
    names = _list_player_names(connection, words, name)
    # Who was stopped has forgotten whose names they are, but for the tombstones.
    begun = RedactedNames(people_file.read_redacted(words))
    shown = begun.shown(name) or people_file.tombstone(name).shown
    names = sorted({*names, *(one for one in _list_known_names(connection, words) if begun.shown(one) == shown)})
    games, recorded_as = _count_games(connection, names), _list_recorded_names(connection, names)
    apply_corrections.revert(connection)
    veiled = {fold_name(one): shown for one in names}
    veil = Redactor(veiled, _list_known_names(connection, words))
    records = _redact_tables(connection, veil, tick)
    if not records and not games and not _is_mentioned(words, name):
        raise _build_player_error(name)
    # First: once the files have forgotten whose names they are, only tombstones tell whoever has to begin anew.
    with annotations_lock(words):
        people_file.adopt(words, [people_file.tombstone(one, shown) for one in names])
        _redact_annotations(words, veiled, veil)
    return Anonymisation(tuple(names), shown, games, records, recorded_as)


def redact_known_names(build: Build, tombstones: Iterable[Tombstone]) -> bool:
    """Let the database under construction withhold the names of these tombstones that it still has; whether there are any."""
    names = RedactedNames(tombstones)
    known = _list_known_names(build.connection, build.annotations_dir)
    shown = {fold_name(name): instead for name in known if (instead := names.shown(name))}
    if shown:
        redact_names(build.connection, build.annotations_dir, shown)
    return bool(shown)


def redact_names(connection: duckdb.DuckDBPyConnection, words: Path, shown: dict[str, str]) -> None:
    """Replace names (in normal form) by what is shown instead in everything that a database under construction holds.

    What people say in the files of the folder `words` is veiled, too.
    """
    veil = Redactor(shown, _list_known_names(connection, words))
    _redact_tables(connection, veil)
    with annotations_lock(words):
        _redact_annotations(words, shown, veil)


def _redact_tables(
    connection: duckdb.DuckDBPyConnection, veil: Redactor, tick: ProgressCallback = lambda _: None
) -> int:
    """Replace the names in all tables; returns in how many records they were."""
    records = _redact_bytes(connection, veil, tick)
    _redact_rows(connection, records)
    for table, column in _TEXTS:
        _redact_texts(connection, table, column, veil)
    compaction.demand(connection)  # what is deleted lies about in the file until it is written anew
    return len(records)


def _redact_annotations(words: Path, shown: dict[str, str], veil: Redactor) -> None:
    people_file.redact_names(words, shown, veil.text)
    marks.rewrite(words, veil.text)
    game_merges.rewrite(words, veil.text)
    corrections.rewrite(words, veil.text)


def _list_known_names(connection: duckdb.DuckDBPyConnection, words: Path) -> list[str]:
    """All names of players, by records and by corrections."""
    query = "SELECT name FROM _alias UNION SELECT unnest([player1, player2]) FROM _game"
    named = {name for (name,) in connection.execute(query).fetchall() if name is not None}
    return sorted(named | corrections.names(words))


def _list_player_names(connection: duckdb.DuckDBPyConnection, words: Path, name: str) -> list[str]:
    """All names of the player who is called so."""
    if kind_of(fold_name(name)) == "guest":
        raise NoSuchPlayer(f"{name} is a seat for guests, nobody's own name.")
    query = """
        SELECT DISTINCT name FROM _alias WHERE status = 'accepted' AND player IN (
            SELECT player FROM _alias WHERE folded = ? AND status = 'accepted'
        ) ORDER BY name
    """
    names = [one for (one,) in connection.execute(query, [fold_name(name)]).fetchall()]
    if names:
        return names
    if game_merges.applied_merges(connection) or _is_mentioned(
        words, name
    ):  # then records have names that are no players'
        return [name]
    raise _build_player_error(name)


def _build_player_error(name: str) -> NoSuchPlayer:
    return NoSuchPlayer(f"No player is called {name}. All names: zertz players")


def _is_mentioned(words: Path, name: str) -> bool:
    return fold_name(name) in map(fold_name, corrections.names(words))


def _list_recorded_names(connection: duckdb.DuckDBPyConnection, names: list[str]) -> tuple[str, ...]:
    query = """
        SELECT DISTINCT old FROM _correction
        WHERE list_contains(?, tag) AND list_contains(?, new) AND NOT list_contains(?, old) ORDER BY old
    """
    found = connection.execute(query, [list(corrections.PLAYERS), names, names]).fetchall()
    return tuple(old for (old,) in found if kind_of(fold_name(old)) != "guest")


def _count_games(connection: duckdb.DuckDBPyConnection, names: list[str]) -> int:
    query = "SELECT count(*) FROM _game WHERE player1 IN (SELECT unnest(?)) OR player2 IN (SELECT unnest(?))"
    return int(connection.execute(query, [names, names]).fetchall()[0][0])


def _redact_bytes(connection: duckdb.DuckDBPyConnection, veil: Redactor, tick: ProgressCallback) -> dict[int, Redactor]:
    """Replace the names in records' bytes; returns the records that had one, and what replaced it."""
    changed: dict[int, Redactor] = {}
    for rows in stored_records.read_chunks(connection):
        new: dict[int, tuple[int, bytes, str]] = {}
        for row in rows:
            if row.bytes is not None and row.id not in new:
                data = zlib.decompress(row.bytes)
                own = veil.beside(find_player_names(data))
                packed, encoding = redact_bytes(row.bytes, row.dialect, row.game is not None, own)
                if zlib.decompress(packed) != data:
                    new[row.id] = row.id, packed, encoding
                    changed[row.id] = own
        _update(connection, "record", "id", {"bytes": pa.binary(), "encoding": pa.string()}, list(new.values()))
        tick(len(rows))
    return changed


def _redact_rows(connection: duckdb.DuckDBPyConnection, veils: RedactorsByRecord) -> None:
    """Replace the names in what was read from these records."""
    ids = [*veils]
    games, tags, findings = (
        connection.execute(f"SELECT * FROM _{table} WHERE record IN (SELECT unnest(?))", [ids]).to_arrow_table()
        for table in ("game", "tag", "finding")
    )
    for table, rows in zip(
        ("game", "tag", "finding"), (redact_games(games, veils), *redact_notes(tags, findings, veils)), strict=True
    ):
        connection.execute(f"DELETE FROM _{table} WHERE record IN (SELECT unnest(?))", [ids])
        load(connection, table, rows)


def _redact_texts(connection: duckdb.DuckDBPyConnection, table: str, column: str, veil: Redactor) -> None:
    values = connection.execute(f"SELECT DISTINCT {column} FROM _{table} WHERE {column} IS NOT NULL").fetchall()
    new = [(value, replaced) for (value,) in values if (replaced := veil.text(value)) != value]
    _update(connection, table, column, {column: pa.string()}, new)


def _update(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    key: str,
    columns: dict[str, pa.DataType],
    rows: list[tuple[Any, ...]],
) -> None:
    """Change columns where they are not NULL; each row has the key's value and the new ones."""
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
