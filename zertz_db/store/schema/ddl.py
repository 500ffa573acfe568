"""From the classes of `tables` to a database: tables, views, comments, and Arrow schemas for the bulk load."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import duckdb
import pyarrow as pa
import sqlalchemy as sa
from duckdb_sqlalchemy import Dialect
from duckdb_sqlalchemy.datatypes import HugeInteger, TinyInteger, UTinyInteger
from sqlalchemy.schema import CreateTable
from sqlmodel import AutoString

from zertz_db.store.ids import ALPHABET, LETTERS
from zertz_db.store.schema import meta
from zertz_db.store.schema.tables import Row

_ARROW: dict[type, pa.DataType] = {
    UTinyInteger: pa.uint8(),
    TinyInteger: pa.int8(),
    HugeInteger: pa.decimal128(38, 0),
    sa.BigInteger: pa.int64(),
    sa.Integer: pa.int32(),
    sa.Boolean: pa.bool_(),
    sa.Date: pa.date32(),
    sa.DateTime: pa.timestamp("us"),
    sa.LargeBinary: pa.binary(),
    AutoString: pa.string(),
}
"""DuckDB takes decimals of 38 digits into its 128-bit integers; Arrow has no such integers."""

_SIGHTINGS = """
CREATE VIEW sightings AS
SELECT id_text(r.game) AS game, id_text(r.id) AS record, r.status, s.path, r.member, r.index, r.line_from, r.run
FROM _record r JOIN _source s ON s.id = r.source
WHERE r.game IS NOT NULL;
COMMENT ON VIEW sightings IS 'where the records of each game were found'
"""


def create(connection: duckdb.DuckDBPyConnection, *, in_lake: bool = False) -> None:
    """Create all tables, the public views and their comments in an empty database, and note the schema's version.

    That is many statements: the caller's transaction makes them one. A lake has no keys, and no comments on columns of views.
    """
    dialect = _Keyless() if in_lake else Dialect()
    connection.execute(_id_text())
    for table in Row.metadata.tables.values():
        connection.execute(str(CreateTable(table).compile(dialect=dialect)))
        connection.execute(_view(table))
        for comment in _comments(table, on_views=not in_lake):
            connection.execute(comment)
    connection.execute(_SIGHTINGS)
    meta.write(connection, {"schema_version": meta.SCHEMA_VERSION, "generation": 0})


class _WithoutKeys(Dialect.ddl_compiler):  # type: ignore[misc, valid-type] # SQLAlchemy's way to say which
    def visit_primary_key_constraint(self, *_: object, **__: object) -> None:
        """Leave it out."""


class _Keyless(Dialect):
    ddl_compiler = _WithoutKeys


def table_names() -> list[str]:
    """The tables as schema pages name them: "game", "record", …"""
    return [name.removeprefix("_") for name in Row.metadata.tables]


def order_of(table: str) -> str:
    """The columns by which a table's rows are settled on disk, as SQL."""
    return str(Row.metadata.tables[f"_{table}"].info["order"])


def order_in_lake(table: str) -> str:
    """The same for a Parquet file of a lake, in which positions of all boards are: sorted by board first, as `settling` does."""
    return f"board, {order_of(table)}" if table == "position" else order_of(table)


@cache
def arrow_schema(table: str) -> pa.Schema:
    """The Arrow schema of a table: its columns, types, and which of them may be null."""
    columns = Row.metadata.tables[f"_{table}"].columns
    return pa.schema([pa.field(column.name, _arrow_type(column), nullable=bool(column.nullable)) for column in columns])


def arrow_schemas(*tables: str) -> dict[str, pa.Schema]:
    """The Arrow schemas of tables by their names: for who has no need of the tables themselves, which take a while to load."""
    return {table: arrow_schema(table) for table in tables}


def _arrow_type(column: sa.Column[object]) -> pa.DataType:
    return _ARROW[type(column.type)]


def _id_text() -> str:
    """`ids.to_text` as a macro, so that views show ids wherever the file is opened."""
    shifts = range(5 * (LETTERS - 1), -1, -5)
    letters = (
        f"substr('{ALPHABET}', (id::BIGINT >> {shift} & {15 if shift == 60 else 31})::INTEGER + 1, 1)"
        for shift in shifts
    )
    return f"CREATE MACRO id_text(id) AS {' || '.join(letters)}"


def _view(table: sa.Table) -> str:
    shown = ", ".join(
        f'id_text("{column.name}") AS "{column.name}"' if column.info["is_id"] else f'"{column.name}"'
        for column in table.columns
        if column.info["public"]
    )
    return f"CREATE VIEW {table.info['view']} AS SELECT {shown} FROM {table.name}"


def _comments(table: sa.Table, *, on_views: bool) -> Iterator[str]:
    yield f"COMMENT ON TABLE {table.name} IS {_quoted(table.comment)}"
    yield f"COMMENT ON VIEW {table.info['view']} IS {_quoted(table.comment)}"
    for column in table.columns:
        yield f'COMMENT ON COLUMN {table.name}."{column.name}" IS {_quoted(column.comment)}'
        if on_views and column.info["public"]:
            yield f'COMMENT ON COLUMN {table.info["view"]}."{column.name}" IS {_quoted(column.comment)}'


def _quoted(text: str | None) -> str:
    return "'" + (text or "").replace("'", "''") + "'"
