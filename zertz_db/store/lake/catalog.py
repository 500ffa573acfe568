"""Databases that outgrow a disk: a DuckLake, Parquet files on any disk or store, their catalog in PostgreSQL (or a file).

`ducklake:postgres:dbname=games host=db data_path=s3://bucket/games` takes the place of a folder's name: the catalog that DuckDB attaches,
then the location of the Parquet files. It has a folder's tables and views, and each of its snapshots is a generation. DuckDB's extensions
come as Python packages of exactly its version; nothing is downloaded.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from zertz_db.extras import install_hint
from zertz_db.store.address import _PREFIX, parse_address
from zertz_db.store.errors import NoDatabase, SchemaMismatch, StoreError, UnreadableDatabase
from zertz_db.store.schema import meta
from zertz_db.store.sql_literals import literal

_IN_FILES = "DATA_INLINING_ROW_LIMIT 0"
"""Write rows to Parquet files, however few: DuckLake does not always notice conflicts over rows inlined in the catalog."""

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_unsigned_extensions": True,
}
"""The check of extensions' signatures takes a fifth of a second. Ours come as packages, like DuckDB itself, which nothing checks either, so
it is off while they are loaded."""
_ATTEMPTS = 5
"""Maximum number of purges by others between our query for the latest snapshot and our opening it."""


class NoExtension(StoreError):
    """DuckDB lacks an extension that a lake needs."""


_BY_STATISTICS = "statistics_propagation,compressed_materialization"
"""What DuckDB concludes from the least and greatest value of a column of a table.

DuckLake forgets those of the elements of lists when a file without any is added, and later takes those of another file for all. DuckDB
then shortens other values: clocks of plies were 65,536 ms too long in sorted answers. Files have statistics of their own, which are right.
"""


def connect(folder: Path, *, writable: bool = False) -> duckdb.DuckDBPyConnection:
    """Return a separate DuckDB with the lake's latest state as its database `lake`. Raise NoDatabase, NoExtension, UnreadableDatabase."""
    connection = duckdb.connect(config=_CONFIG)
    with _explaining(folder, connection, writable=writable):
        for statement in loading(folder):
            connection.execute(statement)
        connection.execute("SET allow_unsigned_extensions = false")
        _attach(connection, attaching(folder, "lake", writable=writable))
        if writable:
            connection.execute("USE lake")
    return connection


def connect_to_latest(folder: Path) -> tuple[int, duckdb.DuckDBPyConnection]:
    """Return the number of a lake's latest snapshot, and a separate DuckDB that has it as its database (see `named`) and stays on it."""
    connection = connect(folder)
    with _explaining(folder, connection):
        for _ in range(_ATTEMPTS):
            number = latest(connection)
            try:
                connection.execute(attaching(folder, named(number), number))
                break
            except duckdb.Error:
                if latest(connection) == number:
                    raise
        else:
            raise UnreadableDatabase(f"{folder} changes faster than it can be opened. Try again.")
        connection.execute(f"USE {named(number)}; DETACH lake")
    return number, connection


def named(number: int) -> str:
    """Return the name of a snapshot in a connection."""
    return f"snapshot_{number:06}"


@contextmanager
def _explaining(folder: Path, connection: duckdb.DuckDBPyConnection, *, writable: bool = False) -> Iterator[None]:
    """On an error, close the connection and raise an error with the cause."""
    try:
        yield
    except BaseException as error:
        connection.close()
        if not isinstance(error, duckdb.Error):
            raise
        if not writable and "does not exist" in str(error):
            raise no_lake(folder) from error
        raise UnreadableDatabase(f"{folder} can't be opened. DuckDB reports: {error}") from error


def _attach(connection: duckdb.DuckDBPyConnection, attaching: str) -> None:
    try:
        connection.execute(attaching)
    except duckdb.Error as error:
        if "already exists" not in str(error):
            raise
        connection.execute(attaching)  # another process has just made its catalog


def no_lake(folder: Path) -> NoDatabase:
    """Return the error about a missing lake."""
    return NoDatabase(f"There is no lake {folder}. Make one: zertz import RECORDS --db '{folder}'")


def is_made(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the lake of a connection has its tables; an importer that was stopped may have made only a catalog."""
    query = "SELECT count(*) FROM duckdb_tables() WHERE database_name = current_database() AND table_name = '_meta'"
    return bool(connection.execute(query).fetchall()[0][0])


_OLDEST = 3
"""The oldest version of the schema that a lake can be migrated from."""


def require_schema(connection: duckdb.DuckDBPyConnection, folder: Path, *, to_migrate: bool = False) -> None:
    """Raise SchemaMismatch if a lake has the tables of another version; to_migrate: unless it can be migrated."""
    version = meta.schema_version(connection, folder)
    if version < _OLDEST:
        raise SchemaMismatch(
            f"{folder} was written by an older zertz-db (schema {version}, this one needs {meta.SCHEMA_VERSION}). A lake is migrated "
            f"through a folder. With the older one: zertz merge '{folder}' --into FOLDER. With this one: "
            "zertz migrate --db FOLDER, and then zertz merge FOLDER --into a new lake."
        )
    if version > meta.SCHEMA_VERSION or not to_migrate:
        meta.require_schema(connection, folder, folder)


def latest(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the number of the latest snapshot of the database attached as `lake`."""
    return int(connection.execute("SELECT id FROM ducklake_current_snapshot('lake')").fetchall()[0][0])


def loading(folder: Path) -> list[str]:
    """Return statements that load the extensions of a lake, and its credentials, and keep DuckDB from errors of its statistics."""
    catalog, data_path = parse_address(folder)
    names = ["ducklake"]
    if catalog.startswith(f"{_PREFIX}postgres:"):
        names.append("postgres_scanner")
    is_remote = data_path.startswith("s3://")
    if is_remote:
        names.append("httpfs")
    statements = [
        f"SET disabled_optimizers = '{_BY_STATISTICS}'",
        *(f"LOAD {literal(_extension(name))}" for name in names),
    ]
    return [*statements, _secret()] if is_remote else statements


def attaching(folder: Path, name: str, snapshot: int | None = None, *, writable: bool = False) -> str:
    """Return the statement that attaches a lake."""
    catalog, data_path = parse_address(folder)
    options = [_IN_FILES]
    options += [f"DATA_PATH {literal(data_path)}"] if data_path else []
    options += [] if writable else ["READ_ONLY", "CREATE_IF_NOT_EXISTS false"]
    options += [] if snapshot is None else [f"SNAPSHOT_VERSION {snapshot}"]
    return f"ATTACH {literal(catalog)} AS {name} ({', '.join(options)})"


def _extension(name: str) -> str:
    version = duckdb.__version__
    package = importlib.util.find_spec(f"duckdb_extension_{name}")
    for folder in (package and package.submodule_search_locations) or ():
        file = Path(folder, "extensions", f"v{version}", f"{name}.duckdb_extension")
        if file.exists():
            return str(file)
    raise NoExtension(f"A lake needs DuckDB's extension {name} for DuckDB {version}: {install_hint('cluster')}")


def _secret() -> str:
    """Return the statement with the credentials of an S3-compatible store, from the usual variables."""
    endpoint = os.environ.get("AWS_ENDPOINT_URL", "")
    parts = {
        "KEY_ID": os.environ.get("AWS_ACCESS_KEY_ID"),
        "SECRET": os.environ.get("AWS_SECRET_ACCESS_KEY"),
        "SESSION_TOKEN": os.environ.get("AWS_SESSION_TOKEN"),
        "REGION": os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION"),
        "ENDPOINT": endpoint.partition("://")[2] or None,
        "URL_STYLE": "path" if endpoint else None,
    }
    options = [f"{name} {literal(value)}" for name, value in parts.items() if value]
    options += ["USE_SSL false"] if endpoint.startswith("http://") else []
    return f"CREATE SECRET (TYPE s3{''.join(f', {option}' for option in options)})"
