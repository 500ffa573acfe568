"""The contents of a database, in a comparable form, and the files of its folder."""

from pathlib import Path

from zertz_db.store.open_database import open_database
from zertz_db.store.schema import table_columns

_OWN = {"import": "made_at", "source": "read_at"}
"""Columns that differ between two equal runs."""

Contents = dict[str, tuple[int, int]]


def contents(folder: Path) -> Contents:
    """Return the number of rows and an order-independent hash for each table of the live generation except `meta`."""
    with open_database(folder) as database:
        connection = database.connection()
        found = {}
        for table in table_columns.table_names():
            if table != "meta":
                own = f"EXCLUDE {_OWN[table]}" if table in _OWN else ""
                query = f"SELECT count(*), coalesce(sum(hash(t)), 0) FROM (SELECT * {own} FROM _{table}) t"
                [found[table]] = connection.execute(query).fetchall()
        return found


def files(folder: Path) -> list[str]:
    """Return the kinds of files in a database's folder: CURRENT, generation, working, importer.lock, …"""
    return sorted(path.name.split("-")[0] for path in folder.iterdir()) if folder.exists() else []
