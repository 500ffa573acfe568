"""The SQLite file: full disks are errors of the system, and all rows are there however many are read at once."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest

from zertz_db.export import sqlite as sqlite_export
from zertz_db.store.folder.database import Database


def connect_to_small_disk(path: Path) -> sqlite3.Connection:
    """Return a connection to a file that can't grow beyond two pages."""
    connection = sqlite3.Connection(path)
    connection.execute("PRAGMA max_page_count = 2")
    return connection


def test_a_full_disk_is_an_error_of_the_system(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "connect", connect_to_small_disk)
    with pytest.raises(OSError, match="No space left on device") as raised:
        sqlite_export.write_sqlite(database, tmp_path / "games.sqlite")
    assert raised.value.errno == errno.ENOSPC


@pytest.mark.parametrize("at_once", [1, 7, 100_000])
def test_all_plies_are_written(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(sqlite_export, "_ROWS_AT_ONCE", at_once)
    sqlite_export.write_sqlite(database, tmp_path / "games.sqlite")
    query = "SELECT game, ply, notation FROM plies ORDER BY game, ply"
    written = sqlite3.connect(tmp_path / "games.sqlite").execute(query).fetchall()
    assert written == database.connection().execute(query).fetchall()
