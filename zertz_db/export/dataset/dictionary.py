"""Describe the columns of a data set: type, unit and meaning. The meanings are those of the database's schema."""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa

from zertz_db.store.schema.position_columns import COLOURS
from zertz_db.store.schema.table_columns import arrow_schema
from zertz_db.store.schema.tables import Row, Shown, list_shown


class DictionaryRow(NamedTuple):
    """A column of a table, or an array of a file of positions. unit: empty if the values have none."""

    file: str
    name: str
    type: str
    unit: str
    nullable: bool
    meaning: str


TABLES = {"games": "game", "plies": "ply", "positions": "position", "tactics": "tactic"}
"""The table of the database, by the file that has it."""
_LEFT_OUT = {("game", "record"), ("game", "id")}
"""The id of a record is a hash of its bytes, names included. The id of a game is replaced by its public id."""
PUBLIC_ID = "the game's id in the data set; differs from the database's if a player's name is redacted"
SPLIT = "train (8 of 10 games), validation or test (1 each), chosen by the id"
_UNITS = {
    "clock": "milliseconds",
    "ply": "plies",
    "plies": "plies",
    "forced": "plies",
    "blunder": "plies",
    "date_from": "days",
    "date_to": "days",
    "score": "points",
    "key": "hash",
    "shape": "hash",
}


def list_columns(file: str) -> list[tuple[pa.Field, Shown]]:
    """Return the columns of the database's view that a file has, in its order; the column with the game's id is not among them.

    Each has the Arrow field of the table's column that it belongs to.
    """
    table, fields = Row.metadata.tables[f"_{TABLES[file]}"], arrow_schema(TABLES[file])
    return [
        (fields.field(column.name), shown)
        for column, shown in list_shown(table)
        if (TABLES[file], shown.name) not in _LEFT_OUT and shown.name != "game"
    ]


def build_schema(file: str) -> pa.Schema:
    """Return the Arrow schema of a file: the game's id, and the columns with their meanings as `description`."""
    described = [
        field.with_name(shown.name).with_metadata({"description": shown.meaning}) for field, shown in list_columns(file)
    ]
    extra = [_text_field("split", SPLIT)] if file == "games" else []
    return pa.schema([_text_field("id" if file == "games" else "game", PUBLIC_ID), *described, *extra])


def _text_field(name: str, meaning: str) -> pa.Field:
    return pa.field(name, pa.string(), nullable=False).with_metadata({"description": meaning})


def describe_tables() -> list[DictionaryRow]:
    """Return the rows about all columns of the Parquet files."""
    return [
        DictionaryRow(
            f"{file}.parquet",
            field.name,
            str(field.type),
            find_unit(file, field.name, field.type),
            field.nullable,
            field.metadata[b"description"].decode(),
        )
        for file in TABLES
        for field in build_schema(file)
    ]


def find_unit(file: str, name: str, kind: pa.DataType) -> str:
    """Return the unit of a column; empty for texts, truth values and codes."""
    if pa.types.is_string(kind) or pa.types.is_boolean(kind):
        return ""
    if name.startswith(("captured", "pool")):
        return "marbles"
    if file == "positions" and name.removesuffix("_high") in ("rings", *COLOURS):
        return "set of rings (bits)"
    return _UNITS.get(name, "code")
