"""Overlay annotations, from text files next to the generations, on a generation until they are materialised in the next one.

So a bookmark never copies a database, and any change of the files counts at once. The overlay is temporary views of a connection;
they hide the tables whose rows would differ.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import duckdb

from zertz_db.store import regular_files
from zertz_db.store.annotations import attempts, corrections, game_merges, marks, people_file, player_rows, studies
from zertz_db.store.annotations.faults import report
from zertz_db.store.errors import UnreadableDatabase, UnreadableFile
from zertz_db.store.sql_literals import literal

FILES = ("people.jsonl", "people.toml", "marks.jsonl")
FACT = "said"
"""The fact with the state of the files that is materialised."""

Row = tuple[object, ...]


def fingerprint(folder: Path) -> tuple[tuple[int, int] | None, ...]:
    """Return a cheap summary that changes with the files: the modification time and the size of each."""
    summaries: list[tuple[int, int] | None] = []
    for name in (*FILES, studies.FILE, game_merges.FILE):
        try:
            status = os.stat(f"{folder}{os.sep}{name}")  # noqa: PTH116 - a path takes four times as long, and each answer asks often
            summaries.append((status.st_mtime_ns, status.st_size))
        except OSError:
            summaries.append(None)
    return tuple(summaries)


def state(folder: Path) -> str:
    """Return a hash of the files' contents, or "" if there are none."""
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
    """Return the faults in all files of annotations: corrections, merges and studies too."""
    lines = []
    for room in (people_file, marks, game_merges, corrections, studies, attempts):
        try:
            lines += room.faults(folder)
        except UnreadableFile as error:
            lines.append(str(error))
    return lines


def tables(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, list[Row]]:
    """Return the rows that the derived tables should have by the files. Raise UnreadableDatabase if a file can't be read."""
    return {**_players(connection, folder), **_marks(connection, folder)}


def overlay_tables(
    connection: duckdb.DuckDBPyConnection, folder: Path, catalog: str, facts: Mapping[str, str]
) -> list[str]:
    """Return statements that show a connection the annotations that its generation, attached as `catalog`, lacks.

    facts: those of the generation. If a file can't be read, report it and leave its tables unchanged.
    """
    if facts.get(FACT, "") == state(folder):
        return []
    statements = []
    for read in (_players, _marks):
        try:
            derived = read(connection, folder)
        except UnreadableDatabase as error:
            report(folder, [f"{error} Until then the state of the last import counts."])
            continue
        for table, rows in derived.items():
            current = connection.execute(f"FROM _{table}").fetchall()
            if {*rows} != {*current}:
                statements.append(_view(catalog, table, {row[0] for row in {*rows} ^ {*current}}, rows))
    return statements


def _players(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, list[Row]]:
    shown, names = player_rows.rows(connection, people_file.read_aliases(folder), people_file.read_kinds(folder))
    return {"player": shown, "alias": names}


def _marks(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, list[Row]]:
    return {"mark": marks.rows(connection, marks.read(folder))}


def _view(catalog: str, table: str, changed: set[object], rows: Sequence[Row]) -> str:
    """Return a view of the table with other rows where the first column has a changed value."""
    values = "".join(f" UNION ALL SELECT {', '.join(map(literal, row))}" for row in rows if row[0] in changed)
    hidden = ", ".join(map(literal, changed))
    return f"""
        CREATE TEMP VIEW _{table} AS FROM "{catalog}".main._{table} t
        WHERE #1 NOT IN ({hidden}){values}
    """
