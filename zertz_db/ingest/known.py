"""Files by their bytes, and what a database knows of them: an import of what is known should cost no more than reading it once."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import duckdb

from zertz_db.ingest.balance import Balance
from zertz_db.ingest.readers import letters_in, read_by
from zertz_db.ingest.sources import STANDARD_INPUT, printable, standard_input
from zertz_db.store.errors import NoDatabase
from zertz_db.store.ids import id_of
from zertz_db.store.opening import open_database

Sources = dict[str, int]
"""The id of each file by its path."""

Letters = Mapping[int, str]
"""Whose colour letters a file has, by its id, where somebody has said so."""


class Known(NamedTuple):
    """What a database knows of files.

    letters: whose their colour letters are, as is said now, or else was when they were read. read: those that need not be read again.
    """

    letters: Letters
    read: set[int]


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


def known_already(folder: Path, sources: Sources, said: Letters) -> Balance | None:
    """The balance of an import that would change nothing: all its files were read by these readers, and so; else None."""
    try:
        with open_database(folder) as database:
            connection = database.connection()
            asked = {*sources.values()}
            if known_of(connection, asked, said).read < asked:
                return None
            balance = Balance()
            add_known(connection, balance, sources.values())
    except NoDatabase:
        return None
    return balance if balance.read else None


def known_in(folder: Path, sources: Collection[int], said: Letters) -> Known:
    """What a database, which may not be there, knows of files; `said`: of their letters, now."""
    try:
        with open_database(folder) as database:
            return known_of(database.connection(), sources, said)
    except NoDatabase:
        return Known(said, set())


def known_of(connection: duckdb.DuckDBPyConnection, sources: Collection[int], said: Letters) -> Known:
    """The same by its connection."""
    query = f"SELECT id, reader_version FROM _source WHERE id IN ({_rows(sources)})"
    noted = dict(connection.execute(query).fetchall())
    before = {source: language for source, by in noted.items() if (language := letters_in(by))}
    letters = {**before, **said}
    return Known(letters, {source for source, by in noted.items() if by == read_by(letters.get(source))})


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
