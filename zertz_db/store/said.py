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

from zertz_db.store import meta

FILES = ("people.toml", "marks.jsonl")
FACT = "said"
"""The fact that says which state of the files is folded in."""

Row = tuple[object, ...]


def glimpse(folder: Path) -> tuple[tuple[int, int] | None, ...]:
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
            digests.append(f"{name} {hashlib.sha256((folder / name).read_bytes()).hexdigest()}")
    return ", ".join(digests)


def tables(connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, list[Row]]:
    """The rows, as the files have it, of the tables that follow from them. UnreadableDatabase for a faulty file."""
    from zertz_db.store import marks, people, players

    shown, names = players.rows(connection, people.claims(folder))
    return {"player": shown, "alias": names, "mark": marks.rows(connection, marks.read(folder))}


def on_top(connection: duckdb.DuckDBPyConnection, folder: Path, catalog: str) -> list[str]:
    """Statements that let a connection see what the files say and its generation, attached as `catalog`, has not got yet."""
    if meta.read(connection).get(FACT, "") == state(folder):
        return []
    statements = []
    for table, rows in tables(connection, folder).items():
        there = connection.execute(f"FROM _{table}").fetchall()
        if {*rows} != {*there}:
            statements.append(_view(catalog, table, {row[0] for row in {*rows} ^ {*there}}, rows))
    return statements


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
