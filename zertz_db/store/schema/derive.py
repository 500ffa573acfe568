"""Derive from the classes of `tables` what the bulk load and the creation of tables read from files.

The classes take half a second to import, which is too long for an import of one game. Tests compare the files with the classes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from duckdb_sqlalchemy import Dialect
from duckdb_sqlalchemy.datatypes import HugeInteger, TinyInteger, UTinyInteger
from sqlalchemy.schema import CreateTable
from sqlmodel import AutoString

from zertz_db.store.schema.tables import Row, list_shown
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
    sa.ARRAY: "integers",
}
"""Arrow's types: DuckDB takes decimals of 38 digits into its 128-bit integers; Arrow has no such integers."""


def describe_columns() -> dict[str, dict[str, object]]:
    """Return the contents of `table_columns.FILE`: see there."""
    return {
        name.removeprefix("_"): {
            "order": table.info["order"],
            "columns": [[one.name, _ARROW[type(one.type)], bool(one.nullable)] for one in table.columns],
        }
        for name, table in Row.metadata.tables.items()
    }


def describe_statements() -> dict[str, dict[str, Any]]:
    """Return the contents of `ddl.FILE`: see there."""
    return {name.removeprefix("_"): _statements(table) for name, table in Row.metadata.tables.items()}


def _statements(table: sa.Table) -> dict[str, Any]:
    comment, computed = literal(table.comment or ""), table.info["computed"]
    on_columns = [
        f'COMMENT ON COLUMN {table.name}."{column.name}" IS {literal(column.comment or "")}' for column in table.columns
    ]
    return {
        "create": _create(table, _Compressing),
        "create in a lake": _create(table, _Keyless),
        "view": _view(table),
        "comments": [
            f"COMMENT ON {'VIEW' if computed else 'TABLE'} {table.name} IS {comment}",
            f"COMMENT ON VIEW {table.info['view']} IS {comment}",
            *([] if computed else on_columns),
        ],
        "comments on columns of the view": [*(on_columns if computed else []), *_comments_on_view(table)],
    }


def _create(table: sa.Table, dialect: type[Dialect]) -> str:
    if table.info["computed"]:
        return f"CREATE VIEW {table.name} AS {table.info['computed']('id')}"
    return str(CreateTable(table).compile(dialect=dialect()))


def _comments_on_view(table: sa.Table) -> Iterator[str]:
    for _, shown in list_shown(table):
        yield f'COMMENT ON COLUMN {table.info["view"]}."{shown.name}" IS {literal(shown.meaning)}'


class _WithCompression(Dialect.ddl_compiler):  # type: ignore[misc, valid-type] # SQLAlchemy's way to name it
    def get_column_specification(self, column: sa.Column[object], **options: object) -> str:
        """Return the column's definition with its method of compression."""
        method = column.info["compression"]
        return str(super().get_column_specification(column, **options)) + (
            f" USING COMPRESSION {method}" if method else ""
        )


class _Compressing(Dialect):
    ddl_compiler = _WithCompression


class _WithoutKeys(Dialect.ddl_compiler):  # type: ignore[misc, valid-type] # SQLAlchemy's way to name it
    def visit_primary_key_constraint(self, *_: object, **__: object) -> None:
        """Return nothing, which omits the key."""


class _Keyless(Dialect):
    ddl_compiler = _WithoutKeys


def _view(table: sa.Table) -> str:
    if table.info["computed"]:
        return f"CREATE VIEW {table.info['view']} AS {table.info['computed']('id_text(id)')}"
    shown = ", ".join(f'{one.sql} AS "{one.name}"' for _, one in list_shown(table))
    return f"CREATE VIEW {table.info['view']} AS SELECT {shown} FROM {table.name}"
