"""What a database holds, in a form that can be compared, and what lies in its folder."""

from pathlib import Path

from zertz_db.store.open_database import open_database
from zertz_db.store.schema import ddl

_OWN = {"import": "made_at", "source": "read_at"}
"""Columns that differ between two runs of the same."""

Contents = dict[str, tuple[int, int]]


def contents(folder: Path) -> Contents:
    """For each table of the live generation but `meta` the number of its rows and a hash over them, whatever their order."""
    with open_database(folder) as database:
        connection = database.connection()
        found = {}
        for table in ddl.table_names():
            if table != "meta":
                own = f"EXCLUDE {_OWN[table]}" if table in _OWN else ""
                query = f"SELECT count(*), coalesce(sum(hash(t)), 0) FROM (SELECT * {own} FROM _{table}) t"
                [found[table]] = connection.execute(query).fetchall()
        return found


def files(folder: Path) -> list[str]:
    """What kinds of files lie in a database's folder: CURRENT, generation, working, importer.lock, …"""
    return sorted(path.name.split("-")[0] for path in folder.iterdir()) if folder.exists() else []
