"""Two small archives with games in common, and the contents of a database for comparison."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from zertz_db.parser.gipf.writer import write
from zertz_db.parser.record import Record
from zertz_db.play.generate import generate_games
from zertz_db.play.write_files import write_archive
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import table_columns

ILLEGAL = '[Player1 "Ada"]\n[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. Wa2,b1\n'
NAMES = ("ada", "bo 2", "Čeněk", "robot3", "eve_1", "Eve")
LEFT_OUT = {"meta": "true", "import": "true"}
"""Tables about the history of a database instead of its contents."""


def made_up() -> list[Record]:
    """Return twelve annotated games among six players; one of them has two different names."""
    records = []
    for number, record in enumerate(generate_games(12, seed=7, annotated=True)):
        first, second = NAMES[number % 6], NAMES[(number + 1 + number // 6) % 6]
        records.append(replace(record, player1=first, player2=second, event=f"Cup of {first}"))
    return records


def archives(folder: Path) -> tuple[list[Path], list[Path]]:
    """Return two lists of files: each has a zip of the server's form and a text in official notation, with games of the other's."""
    records = made_up()
    first = [zipped(folder / "a.zip", records[:8]), written(folder / "a.txt", [*records[2:6], ILLEGAL])]
    second = [zipped(folder / "b.zip", records[4:]), written(folder / "b.txt", [ILLEGAL, *records[:4], records[10]])]
    return first, second


def zipped(path: Path, records: list[Record]) -> Path:
    with path.open("wb") as file:
        write_archive(records, file)
    return path


def written(path: Path, records: list[Record | str]) -> Path:
    texts = (record if isinstance(record, str) else write(record) for record in records)
    path.write_text("\n".join(texts), "utf-8")
    return path


def copied(database: Path, folder: Path) -> Path:
    """Copy a database's folder into another folder, as `db`: an import takes much longer."""
    return Path(shutil.copytree(database, folder / "db"))


def contents(folder: Path, *left_out: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables and all plies, sorted, without omitted columns such as `record.run`."""
    with open_database(folder) as database:
        connection = database.connection()
        rows = {}
        for table in (*table_columns.table_names(), "ply"):
            if table not in LEFT_OUT:
                names = [name for name in table_columns.arrow_schema(table).names if f"{table}.{name}" not in left_out]
                columns = ", ".join(f'"{name}"' for name in names)
                rows[table] = sorted(connection.execute(f"SELECT {columns} FROM _{table}").fetchall(), key=repr)
        return rows


def ask(folder: Path, query: str, *values: Any) -> list[tuple[Any, ...]]:
    with open_database(folder) as database:
        return database.connection().execute(query, list(values)).fetchall()
