"""What people say, in text files beside the generations: folded into each that is built, and read on top of it until then.

So a bookmark never copies a database, and what is in the files counts at once, whoever has changed them. On top means: temporary
views of a connection hide the tables that would have other rows by now.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import duckdb

from zertz_db.store import regular_files
from zertz_db.store.annotations.faults import report
from zertz_db.store.errors import UnreadableDatabase, UnreadableFile
from zertz_db.store.schema import meta

FILES = ("people.toml", "marks.jsonl")
FACT = "said"
"""The fact that says which state of the files is folded in."""

Row = tuple[object, ...]


def fingerprint(folder: Path) -> tuple[tuple[int, int] | None, ...]:
    """Something cheap that changes with the files: when each was last written, and its size."""
    found: list[tuple[int, int] | None] = []
    for name in FILES:
        try:
            status = (folder / name).stat()
            found.append((status.st_mtime_ns, status.st_size))
        except OSError:
            found.append(None)
    return tuple(found)


def state(folder: Path) -> str:
    """A hash of what the files say; "" where there are none."""
    digests = []
    for name in FILES:
        with suppress(FileNotFoundError):
            try:
                digest = hashlib.sha256(regular_files.read(folder / name)).hexdigest()
            except UnreadableFile:
                digest = "unreadable"
            digests.append(f"{name} {digest}")
    return ", ".join(digests)


def faults(folder: Path) -> list[str]:
    """Return what is wrong in the files that people edit, corrections and unions too."""
    from zertz_db.store.annotations import corrections, game_merges, marks, people_file

    found = []
    for room in (people_file, marks, game_merges, corrections):
        try:
            found += room.faults(folder)
        except UnreadableFile as error:
            found.append(str(error))
    return found


def tables(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, list[Row]]:
    """Return the rows, as the files have it, of the tables that follow from them. UnreadableDatabase if a file can't be read."""
    return {**_players(connection, folder), **_marks(connection, folder)}


def overlay_tables(connection: duckdb.DuckDBPyConnection, folder: Path, catalog: str) -> list[str]:
    """Return statements that let a connection see what the files say and its generation, attached as `catalog`, has not got yet.

    If a file can't be read, its tables stay as they are in the generation, and that is reported.
    """
    if meta.read(connection).get(FACT, "") == state(folder):
        return []
    statements = []
    for read in (_players, _marks):
        try:
            followed = read(connection, folder)
        except UnreadableDatabase as error:
            report(folder, [f"{error} Until then the state of the last import counts."])
            continue
        for table, rows in followed.items():
            there = connection.execute(f"FROM _{table}").fetchall()
            if {*rows} != {*there}:
                statements.append(_view(catalog, table, {row[0] for row in {*rows} ^ {*there}}, rows))
    return statements


def _players(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, list[Row]]:
    from zertz_db.store.annotations import people_file, player_rows

    shown, names = player_rows.rows(connection, people_file.read_aliases(folder))
    return {"player": shown, "alias": names}


def _marks(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, list[Row]]:
    from zertz_db.store.annotations import marks

    return {"mark": marks.rows(connection, marks.read(folder))}


def _view(catalog: str, table: str, changed: set[object], rows: Sequence[Row]) -> str:
    """The table with other rows where the first column has one of the changed values."""
    values = "".join(f" UNION ALL SELECT {', '.join(map(_literal, row))}" for row in rows if row[0] in changed)
    hidden = ", ".join(map(_literal, changed))
    return f"""
        CREATE TEMP VIEW _{table} AS FROM "{catalog}".main._{table} t
        WHERE #1 NOT IN ({hidden}){values}
    """


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return f"decode(from_hex('{value.encode().hex()}'))"
    return f"TIMESTAMP '{value}'" if isinstance(value, dt.datetime) else str(value)
