"""Staging: rows of an import (except games and records) wait, packed, in the file under construction until they are written in order.

They are nearly all of a database. Appended batch by batch they would be written to DuckDB's log, to the tables, and again to the
compacted file. Packed they take a fifth of the space and are as safe: they belong to the transactions of the build. Each batch has its
own table: DuckDB would rewrite one table for all, and hold it in memory, whenever it writes its log away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.store.loading.bulk_load import load, release_memory
from zertz_db.store.loading.packed_batches import Packed, pack, unpack
from zertz_db.store.schema.table_columns import arrow_schema

DERIVED = ("analysis", "tactic", "puzzle")
"""Tables whose rows derive from positions by a search, and are deleted with them."""
TABLES = ("position", "tag", "finding")
"""Tables whose rows can be staged."""

_FEW_ROWS = 20_000
"""Maximum number of rows to load at once: positions of several hundred games."""

_CREATE = """
    CREATE TABLE _staged (lot INTEGER, name VARCHAR, count BIGINT);
    CREATE TABLE _withdrawn (game BIGINT, lot INTEGER);
"""


def stage(connection: duckdb.DuckDBPyConnection, tables: Mapping[str, pa.Table | Packed]) -> None:
    """Stage the rows of tables until `flush` or a compaction writes them; missing columns are NULL.

    Load a few rows at once, unless others are staged already: staged ones would make the log of a small change longer.
    """
    is_first = not is_used(connection)
    if is_first and sum(rows.num_rows for rows in tables.values()) <= _FEW_ROWS:
        for name, rows in tables.items():
            load(connection, name, unpack(rows))
        return
    if is_first:
        connection.execute(_CREATE)
    batch = _last_batch(connection) + 1
    counts = {name: rows.num_rows for name, rows in tables.items() if rows.num_rows}
    for name in counts:
        connection.execute(f"CREATE TABLE _staged_{name}_{batch} AS SELECT ?::BLOB AS rows", [pack(tables[name]).data])
    connection.execute("INSERT INTO _staged SELECT ?, unnest(?), unnest(?)", [batch, [*counts], [*counts.values()]])


def withdraw(connection: duckdb.DuckDBPyConnection, games: Sequence[int]) -> None:
    """Delete the positions of games, staged ones up to now too, and what was found in them."""
    for table in ("position", *DERIVED):
        connection.execute(f"DELETE FROM _{table} WHERE game IN (SELECT unnest(?))", [games])
    if is_used(connection):
        connection.execute("INSERT INTO _withdrawn SELECT unnest(?), ?", [games, _last_batch(connection)])


def flush(connection: duckdb.DuckDBPyConnection) -> None:
    """Append all staged rows to their tables."""
    if is_used(connection):
        for table in TABLES:
            for rows in waiting(connection, table):
                load(connection, table, pa.Table.from_batches([rows]))
            for batch in _batches(connection, table):
                connection.execute(f"DROP TABLE _staged_{table}_{batch}")
        connection.execute("DROP TABLE _staged; DROP TABLE _withdrawn")


def is_used(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether the connection's database may have staged rows."""
    query = "SELECT count(*) FROM duckdb_tables() WHERE table_name = '_staged' AND database_name = current_database()"
    return bool(_number(connection, query))


def count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """Return the number of staged rows of a table."""
    if not is_used(connection):
        return 0
    return int(
        connection.execute("SELECT coalesce(sum(count), 0) FROM _staged WHERE name = ?", [table]).fetchall()[0][0]
    )


def reader(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str] = (), share: int = 1
) -> pa.RecordBatchReader:
    """Return the staged rows of a table, for one query of this connection; the parameters are those of `waiting`."""
    rows = waiting(connection.cursor(), table, columns, share) if is_used(connection) else ()
    return pa.RecordBatchReader.from_batches(_select_fields(table, columns), rows)


def waiting(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str] = (), share: int = 1
) -> Iterator[pa.RecordBatch]:
    """Yield the staged rows of a table batch by batch, without withdrawn ones.

    columns: the names of the wanted columns, by default all. share: with n, yield every n-th batch.
    """
    has_withdrawn = table == "position" and _number(connection, "SELECT count(*) FROM _withdrawn") > 0
    schema = _select_fields(table, columns)
    for batch in _batches(connection, table)[::share]:
        packed = connection.execute(f"FROM _staged_{table}_{batch}").fetchall()[0][0]
        own = pa.ipc.open_stream(packed, options=_IN_THIS_THREAD).read_next_batch()
        kept = _without_withdrawn(connection, batch, own) if has_withdrawn else own
        yield _whole(kept, schema)
    release_memory()  # sorting them now needs the memory that unpacking took


_IN_THIS_THREAD = pa.ipc.IpcReadOptions(use_threads=False)
"""Other threads would wait for each other, at three times the processor time."""


def _select_fields(table: str, columns: Sequence[str]) -> pa.Schema:
    """Return the schema of a table's columns; of all without a name."""
    schema = arrow_schema(table)
    return pa.schema([schema.field(name) for name in columns]) if columns else schema


def _without_withdrawn(connection: duckdb.DuckDBPyConnection, batch: int, rows: pa.RecordBatch) -> pa.RecordBatch:
    gone = connection.execute("SELECT game FROM _withdrawn WHERE lot >= ?", [batch]).to_arrow_table()["game"]
    return rows.filter(pc.invert(pc.is_in(rows["game"], value_set=gone)))


def _batches(connection: duckdb.DuckDBPyConnection, table: str) -> list[int]:
    query = "SELECT lot FROM _staged WHERE name = ? ORDER BY lot"
    return [batch for (batch,) in connection.execute(query, [table]).fetchall()]


def _whole(rows: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Return the rows with every column of their table; missing ones are NULL."""
    names = set(rows.schema.names)
    columns = [rows[field.name] if field.name in names else pa.nulls(len(rows), field.type) for field in schema]
    return pa.record_batch(columns, schema=schema)


def _last_batch(connection: duckdb.DuckDBPyConnection) -> int:
    return _number(connection, "SELECT coalesce(max(lot), 0) FROM _staged")


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    return int(connection.execute(query).fetchall()[0][0])
