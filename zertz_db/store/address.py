"""Names of databases: folders, and lakes with their catalog and the location of their Parquet files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from zertz_db.store.errors import NotInLakes

_PREFIX = "ducklake:"


class Address(NamedTuple):
    """The catalog that DuckDB attaches, and the folder of the Parquet files ("": the catalog names it)."""

    catalog: str
    data_path: str = ""


def is_lake(folder: Path) -> bool:
    """Return whether this names a lake, not a folder."""
    return str(folder).startswith(_PREFIX)


def require_folder(folder: str | Path) -> Path:
    """Return the path of a database in a folder, which need not exist. Raise NotInLakes for the name of a lake."""
    if is_lake(Path(folder)):
        raise NotInLakes(Path(folder))
    return Path(folder)


def parse_address(folder: Path) -> Address:
    """Return the parts of a lake's name.

    >>> parse_address(Path("ducklake:postgres:dbname=games data_path=s3://bucket/games"))
    Address(catalog='ducklake:postgres:dbname=games', data_path='s3://bucket/games')
    """
    text = re.sub(r"\b(s3|gcs|r2):/(?!/)", r"\1://", str(folder))  # a Path has one slash for two
    catalog, _, data_path = text.partition(" data_path=")
    return Address(catalog, data_path)
