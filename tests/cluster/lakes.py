"""Lakes for tests: new ones, and copies of an existing one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

from tests.cluster.postgres import Server
from tests.cluster.rows import rows
from zertz_db import open_database, samples

FILES = sorted(path for path in samples.folder().rglob("*") if path.is_file())
FEW = [path for path in FILES if path.stat().st_size < 5_000]
"""Samples of every kind, a game or two in each."""


class Lakes(NamedTuple):
    """A PostgreSQL for the catalogs, and a folder for the Parquet files."""

    server: Server
    folder: Path

    def new(self, name: str) -> Path:
        """Return the name of a new lake."""
        return self._name(self.server.new_database(name), self.folder / name)

    def copy(self, of: str, name: str) -> Path:
        """Return a copy of another lake."""
        there = self._name(self.server.new_database(name, like=of), self.folder / name)
        shutil.copytree(self.folder / of, self.folder / name)
        moved = f"UPDATE ducklake_metadata SET value = '{self.folder / name}/' WHERE key = 'data_path'"
        self.server.run("psql", "--quiet", f"--dbname={name}", f"--command={moved}")
        return there

    def catalog(self, name: str) -> str:
        """Return the text of a lake's catalog, without the random parts of PostgreSQL's dumps."""
        dump = self.server.run("pg_dump", "--data-only", "--inserts", name)
        return "".join(line for line in dump.splitlines(True) if not line.startswith(("\\restrict", "\\unrestrict")))

    def _name(self, address: str, folder: Path) -> Path:
        return Path(f"ducklake:postgres:{address} data_path={folder}")


class Whole(NamedTuple):
    """Return all rows of all tables, and the annotations by file."""

    rows: dict[str, list[tuple[object, ...]]]
    words: dict[str, str]


def whole(database: Path) -> Whole:
    """Return everything in a database; a lake is opened once."""
    with open_database(database) as opened:
        files = (path for path in opened.annotations_dir.iterdir() if path.suffix in (".toml", ".jsonl"))
        return Whole(rows(opened.connection()), {path.name: path.read_text("utf-8") for path in files})


def contents(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of all tables."""
    return whole(database).rows
