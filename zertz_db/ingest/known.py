"""Files by their bytes, and what a database knows of them: an import of what is known should cost no more than reading it once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import duckdb

from zertz_db.ingest.balance import Balance
from zertz_db.ingest.sources import STANDARD_INPUT, printable, standard_input
from zertz_db.store.generations import CURRENT
from zertz_db.store.ids import id_of
from zertz_db.store.opening import open_database

READER_VERSION = "6"
"""Counts up when a change of the readers or the rules can change what a record is taken for."""

Sources = dict[str, int]
"""The id of each file by its path."""


def source_id(path: str) -> int:
    """The id of a file's bytes."""
    if path == STANDARD_INPUT:
        return id_of(standard_input())
    try:
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
    except OSError:  # it will be rejected, with the reason
        return id_of(f"unreadable {printable(path)}".encode())
    return int.from_bytes(digest.digest()[:8], "big", signed=True)


def size_of(path: str) -> int:
    """Bytes in a file; 0 where nobody can say."""
    if path == STANDARD_INPUT:
        return len(standard_input())
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def known_already(folder: Path, sources: Sources) -> Balance | None:
    """The balance of an import that would change nothing: all its files were read by these readers; else None."""
    if not (folder / CURRENT).exists():
        return None
    with open_database(folder) as database:
        connection = database.connection()
        asked = {*sources.values()}
        known = f"SELECT id FROM _source WHERE reader_version = '{READER_VERSION}' AND id IN ({_rows(asked)})"
        if len(connection.execute(known).fetchall()) < len(asked):
            return None
        balance = Balance()
        add_known(connection, balance, sources.values())
    return balance if balance.read else None


def add_known(connection: duckdb.DuckDBPyConnection, balance: Balance, sources: Iterable[int]) -> None:
    """Count the records of files that were read before: none of them is one that this import has brought."""
    counts = connection.execute(f"""
        SELECT status, reason, verdict, count(*) FROM _record JOIN ({_rows(sources)}) USING (source) GROUP BY ALL
    """).fetchall()
    balance.add((_again(status), reason, verdict, count) for status, reason, verdict, count in counts)


def _again(status: str) -> str:
    return "rejected" if status == "rejected" else "duplicate"


def _rows(sources: Iterable[int]) -> str:
    """Ids as SQL: one long word, since DuckDB would import pandas for the first parameter, and ten thousand literals are parsed slowly."""
    return f"SELECT unnest(string_split('{' '.join(map(str, sources))}', ' '))::BIGINT AS source"
