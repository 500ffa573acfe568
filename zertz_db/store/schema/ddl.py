"""Create a database from the classes of `tables`: tables, views and comments; describe their columns for the bulk load."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import duckdb
import sqlalchemy as sa
from duckdb_sqlalchemy import Dialect
from duckdb_sqlalchemy.datatypes import HugeInteger, TinyInteger, UTinyInteger
from sqlalchemy.schema import CreateTable
from sqlmodel import AutoString

from zertz_db.store.ids import ALPHABET, LETTERS
from zertz_db.store.schema import meta
from zertz_db.store.schema.table_columns import table_names
from zertz_db.store.schema.tables import Row
from zertz_db.store.sql_literals import literal

_ARROW = {
    UTinyInteger: "uint8",
    TinyInteger: "int8",
    HugeInteger: "decimal",
    sa.BigInteger: "int64",
    sa.Integer: "int32",
    sa.SmallInteger: "int16",
    sa.REAL: "float32",
    sa.Boolean: "bool",
    sa.Date: "date32",
    sa.DateTime: "timestamp",
    sa.LargeBinary: "binary",
    AutoString: "string",
}
"""Arrow's types: DuckDB takes decimals of 38 digits into its 128-bit integers; Arrow has no such integers."""

_SIGHTINGS = """
CREATE VIEW sightings AS
SELECT id_text(r.game) AS game, id_text(r.id) AS record, r.status, s.path, r.member, r.index, r.line_from, r.run
FROM _record r JOIN _source s ON s.id = r.source
WHERE r.game IS NOT NULL;
COMMENT ON VIEW sightings IS 'places where the records of each game were found'
"""


def create(connection: duckdb.DuckDBPyConnection, *, in_lake: bool = False) -> None:
    """Create all tables, the public views and their comments in an empty database, and note the schema's version.

    The caller's transaction joins the many statements. A lake has no keys, and no comments on columns of views.
    """
    connection.execute(_id_text())
    create_tables(connection, table_names(), in_lake=in_lake)
    connection.execute(_SIGHTINGS)
    meta.write(connection, {"schema_version": meta.SCHEMA_VERSION, "generation": 0})


def create_tables(connection: duckdb.DuckDBPyConnection, names: Iterable[str], *, in_lake: bool = False) -> None:
    """Create these tables ("game", …), their public views and their comments."""
    dialect = _Keyless() if in_lake else Dialect()
    for name in names:
        table = Row.metadata.tables[f"_{name}"]
        connection.execute(str(CreateTable(table).compile(dialect=dialect)))
        connection.execute(_view(table))
        for comment in _comments(table, on_views=not in_lake):
            connection.execute(comment)


def temporary_tables(names: Iterable[str]) -> list[str]:
    """Return statements that create these tables and their views in a connection alone, empty: for files that have none of them."""
    statements = []
    for name in names:
        table = Row.metadata.tables[f"_{name}"]
        statements.append(
            str(CreateTable(table).compile(dialect=Dialect())).replace("CREATE TABLE", "CREATE TEMP TABLE", 1)
        )
        statements.append(_view(table).replace("CREATE VIEW", "CREATE TEMP VIEW", 1))
    return statements


class _WithoutKeys(Dialect.ddl_compiler):  # type: ignore[misc, valid-type] # SQLAlchemy's way to name it
    def visit_primary_key_constraint(self, *_: object, **__: object) -> None:
        """Return nothing, which omits the key."""


class _Keyless(Dialect):
    ddl_compiler = _WithoutKeys


def describe_columns() -> dict[str, dict[str, object]]:
    """Return the contents of `table_columns.FILE`: see there."""
    return {
        name.removeprefix("_"): {
            "order": table.info["order"],
            "columns": [[one.name, _ARROW[type(one.type)], bool(one.nullable)] for one in table.columns],
        }
        for name, table in Row.metadata.tables.items()
    }


def _id_text() -> str:
    """Return SQL that creates `ids.to_text` as a macro, so that views show ids in any program that opens the file."""
    shifts = range(5 * (LETTERS - 1), -1, -5)
    letters = (
        f"substr('{ALPHABET}', (id::BIGINT >> {shift} & {15 if shift == 60 else 31})::INTEGER + 1, 1)"
        for shift in shifts
    )
    return f"CREATE MACRO id_text(id) AS {' || '.join(letters)}"


def _view(table: sa.Table) -> str:
    shown = ", ".join(
        f'id_text("{column.name}") AS "{name}"' if column.info["is_id"] else f'"{column.name}" AS "{name}"'
        for column in table.columns
        if column.info["public"]
        for name in _public_names(column)
    )
    return f"CREATE VIEW {table.info['view']} AS SELECT {shown} FROM {table.name}"


def _public_names(column: sa.Column[object]) -> list[str]:
    """Return the names of a column in its table's view."""
    return [name for name in (column.info["alias"], column.name) if name]


def _comments(table: sa.Table, *, on_views: bool) -> Iterator[str]:
    comment = literal(table.comment or "")
    yield f"COMMENT ON TABLE {table.name} IS {comment}"
    yield f"COMMENT ON VIEW {table.info['view']} IS {comment}"
    for column in table.columns:
        comment = literal(column.comment or "")
        yield f'COMMENT ON COLUMN {table.name}."{column.name}" IS {comment}'
        if on_views and column.info["public"]:
            yield from (
                f'COMMENT ON COLUMN {table.info["view"]}."{name}" IS {comment}' for name in _public_names(column)
            )
