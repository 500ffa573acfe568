"""Export games as one SQLite file, which most programs can open: the tables `games` and `plies`."""

from __future__ import annotations

import datetime as dt
import errno
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zertz_db.export.rows import table
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.games.game_list import NEWEST
from zertz_db.queries.sql_params import execute
from zertz_db.store.folder.database import Database

if TYPE_CHECKING:
    import duckdb

_ROWS_AT_ONCE = 10_000
_PLIES = "SELECT plies.* FROM plies WHERE game IN (SELECT id_text(_game.id) FROM _game WHERE {}) ORDER BY game, ply"


def write_sqlite(database: Database, path: Path, filters: str = "", sort: str = NEWEST) -> None:
    """Write the games that match the filters, and their plies, with the columns of the views `games` and `plies`. Dates are ISO texts.

    Raise OSError if the file can't be written.
    """
    path.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(path)) as target, target:
            _write_tables(target, database, filters, sort)
    except sqlite3.OperationalError as error:
        number = errno.ENOSPC if error.sqlite_errorcode == sqlite3.SQLITE_FULL else errno.EIO
        raise OSError(number, os.strerror(number)) from error


def _write_tables(target: sqlite3.Connection, database: Database, filters: str, sort: str) -> None:
    where, values = condition(filters)
    plies = execute(database.connection(), _PLIES.format(where), values)
    _write_table(target, "plies", [column[0] for column in plies.description or ()], _read_rows(plies))
    _write_table(target, "games", *table(database, filters, sort))
    target.execute("CREATE UNIQUE INDEX game_id ON games (id)")
    target.execute("CREATE UNIQUE INDEX ply_number ON plies (game, ply)")


def _read_rows(found: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := found.fetchmany(_ROWS_AT_ONCE):
        yield from rows


def _write_table(target: sqlite3.Connection, name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    target.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
    places = ", ".join("?" * len(columns))
    target.executemany(f"INSERT INTO {name} VALUES ({places})", (tuple(map(_to_text, row)) for row in rows))


def _to_text(value: Any) -> Any:
    return value.isoformat() if isinstance(value, dt.date | dt.time) else value
