"""The columns of the tables, for the bulk load: their Arrow types, and the order of rows in a compacted file.

`tables` defines them. Its classes take half a second to import, which is too long for an import of one game, so a file has what the load
needs. A test compares the two: `ZERTZ_REWRITE=1 pytest tests/store/schema/test_table_columns.py` writes the file again.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa

from zertz_db.store.schema.position_columns import RING_SETS

FILE = Path(__file__).with_name("table_columns.schema.json")
"""For each table its order, null if it is a view, and for each column its name, its Arrow type and whether it may be null."""

_TYPES = {
    "binary": pa.binary(),
    "decimal": pa.decimal128(38, 0),
    "integers": pa.list_(pa.int64()),
    "timestamp": pa.timestamp("us"),
}
"""Types that `pyarrow.type_for_alias` has under another name, or not at all."""


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return dict(json.loads(FILE.read_text("utf-8")))


def table_names() -> list[str]:
    """Return the names of the stored tables in lower case without underscores: "game", "record", …"""
    return [name for name, table in _tables().items() if table["order"]]


def order_of(table: str) -> str:
    """Return the columns by which compaction sorts a table's rows, as SQL."""
    return str(_tables()[table]["order"])


def order_in_lake(table: str, rows: int) -> str:
    """Return the columns that sort a table's Parquet files in a lake, as SQL; rows: number of rows that are sorted together.

    Files have positions of all boards, so board comes first. Ranges of keys follow: a look-up skips the others. Within a range the first
    plies, whose positions many games have, are separate, so that their rows stay together. After that similar rows are neighbours, which
    takes a sixth less space: those of a game, or of equal sets of rings if a range has few positions of each game.
    """
    if table != "position":
        return order_of(table)
    ranges = 1 + rows // _RANGE
    similar = "game, ply" if ranges <= _MAX_BY_GAME else f"{', '.join(RING_SETS)}, key"
    return f"board, {_KEY_RANGE.format(ranges)}, least(ply, {_BUSY_PLIES}), {similar}"


_RANGE = 500_000
"""Positions in a range of keys; a look-up reads all its keys."""
_KEY_RANGE = "floor({} * (1 - pow(0.5 - key / 1.8446744073709552e19, 12)))::INTEGER"
"""The number of a key's range, as SQL. A key is the least of twelve hashes on most boards, so ranges of equal width have unequal numbers
of rows."""
_MAX_BY_GAME = 5
"""Maximum number of ranges with rows sorted by game; with more, rows sorted by rings take less space."""
_BUSY_PLIES = 3


@cache
def arrow_schema(table: str) -> pa.Schema:
    """Return the Arrow schema of a table: its columns, their types, and which may be null."""
    columns = _tables()[table]["columns"]
    return pa.schema([pa.field(name, _type(kind), nullable=nullable) for name, kind, nullable in columns])


def arrow_schemas(*tables: str) -> dict[str, pa.Schema]:
    """Return the Arrow schemas of tables by their names."""
    return {table: arrow_schema(table) for table in tables}


def _type(kind: str) -> pa.DataType:
    return _TYPES.get(kind) or pa.type_for_alias(kind)
