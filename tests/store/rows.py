"""Rows to load, with default values for columns that a test does not state."""

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from zertz_db.store.folder.build import next_generation
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.schema import table_columns


def rows(table: str, **columns: Sequence[Any]) -> pa.Table:
    """Return a table's rows from some of its columns; the others are NULL if allowed, or 0, "" or similar."""
    length = len(next(iter(columns.values())))
    fields = table_columns.arrow_schema(table)
    return pa.table([columns.get(field.name) or [_filler(field)] * length for field in fields], schema=fields)


def add_games(folder: Path, *ids: int) -> None:
    """Add games with these ids to a database, created if missing."""
    with next_generation(folder) as build:
        load(build.connection, "game", rows("game", id=ids))


def _filler(field: pa.Field) -> object:
    if field.nullable:
        return None
    if pa.types.is_string(field.type):
        return ""
    if pa.types.is_timestamp(field.type):
        return dt.datetime(2026, 1, 1)  # noqa: DTZ001 (the database stores UTC without a zone)
    return False if pa.types.is_boolean(field.type) else 0
