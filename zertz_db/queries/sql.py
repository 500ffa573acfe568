"""SQL of the user's own: it reads the database, and nothing but the database."""

from __future__ import annotations

import duckdb

from zertz_db.queries.errors import QueryError
from zertz_db.queries.result import Column, Result
from zertz_db.store.errors import is_damage
from zertz_db.store.opening import Database


def sql(database: Database, text: str) -> Result:
    """The answer to one SELECT (or WITH, FROM, DESCRIBE …) over the public views.

    It runs in a DuckDB of its own that can't touch files, the network or its own settings. QueryError for anything
    else than one such statement, and for what DuckDB refuses; for an unknown name it lists the views or columns.
    """
    statement = _only_select(text)
    with _confined(database) as connection:
        try:
            connection.execute(statement)
            columns = tuple(Column(column[0]) for column in connection.description or ())
            return Result(columns, connection.fetchall())
        except duckdb.Error as error:
            if is_damage(error):
                raise
            raise QueryError(_explained(connection, error)) from error


def _only_select(text: str) -> duckdb.Statement:
    try:
        statements = duckdb.extract_statements(text)
    except duckdb.Error as error:
        raise QueryError(str(error)) from error
    if len(statements) != 1:
        raise QueryError(f"one statement can be asked at a time, and this is {len(statements) or 'none'}")
    if statements[0].type != duckdb.StatementType.SELECT:
        kind = statements[0].type.name
        raise QueryError(f"only questions can be asked (SELECT … or WITH … SELECT …), and this is {kind}")
    return statements[0]


def _confined(database: Database) -> duckdb.DuckDBPyConnection:
    database.connection()  # moves on to the live generation
    connection = duckdb.connect(config={"python_enable_replacements": False, "temp_directory": ""})
    for command in (
        *database.confined("live"),
        "USE live",
        *database.on_top("live"),
        "SET lock_configuration = true",
    ):
        connection.execute(command)
    return connection


def _explained(connection: duckdb.DuckDBPyConnection, error: duckdb.Error) -> str:
    if isinstance(error, duckdb.CatalogException) and "Table with name" in str(error):
        return f"{_first_line(error)}\nThere are: {', '.join(views(connection))}"
    if isinstance(error, duckdb.BinderException) and "column" in str(error):
        columns = "\n".join(f"  {view}: {', '.join(names)}" for view, names in views(connection).items())
        return f"{error}\n\nThe views and their columns:\n{columns}"
    if isinstance(error, duckdb.PermissionException):
        return f"only the database can be read, no files: {_first_line(error)}"
    return str(error)


def _first_line(error: duckdb.Error) -> str:
    return str(error).partition("\n")[0]


def views(connection: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """The public views and their columns."""
    rows = connection.execute("""
        SELECT view_name, list(column_name ORDER BY column_index)
        FROM duckdb_views() JOIN duckdb_columns() ON table_oid = view_oid AND duckdb_columns.database_oid = duckdb_views.database_oid
        WHERE NOT duckdb_views.internal GROUP BY view_name ORDER BY view_name
    """)
    return dict(rows.fetchall())
