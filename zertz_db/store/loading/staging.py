"""Staging: what an import brings, but for games and records, waits, packed, in the file under construction until it is written in order.

It is nearly all of a database. Appended lot by lot it would go to DuckDB's log, to the tables, and once more to the settled file;
packed it takes a fifth of the room, and is as safe: it comes and goes with the transactions of the build. What came together has
a table of its own: of one table for all DuckDB would write everything anew, and hold it in memory, whenever it writes its log away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.store.loading.bulk_load import load, release_memory
from zertz_db.store.loading.packed_batches import Packed, pack
from zertz_db.store.schema.ddl import arrow_schema

OF_GAMES = ("ply", "position")
"""Tables whose rows belong to games, and can be withdrawn with them."""
TABLES = (*OF_GAMES, "tag", "finding")
"""What can wait."""

_CREATE = """
    CREATE TABLE IF NOT EXISTS _staged (lot INTEGER, name VARCHAR, count BIGINT);
    CREATE TABLE IF NOT EXISTS _withdrawn (game BIGINT, lot INTEGER);
"""


def stage(connection: duckdb.DuckDBPyConnection, brought: Mapping[str, pa.Table | Packed]) -> None:
    """Let rows, by their table, wait until `flush` or settling brings them in; columns that are missing are NULL."""
    connection.execute(_CREATE)
    lot = _last_batch(connection) + 1
    for name, rows in brought.items():
        if rows.num_rows:
            own = f"_staged_{name}_{lot}"
            connection.execute(f"CREATE TABLE {own} (rows BLOB)")
            connection.execute(f"INSERT INTO {own} VALUES (?)", [pack(rows).data])
            connection.execute("INSERT INTO _staged VALUES (?, ?, ?)", [lot, name, rows.num_rows])


def withdraw(connection: duckdb.DuckDBPyConnection, games: Sequence[int]) -> None:
    """Remove the plies and positions of games, and of those that wait what came so far."""
    for table in OF_GAMES:
        connection.execute(f"DELETE FROM _{table} WHERE game IN (SELECT unnest(?))", [games])
    if is_used(connection):
        connection.execute("INSERT INTO _withdrawn SELECT unnest(?), ?", [games, _last_batch(connection)])


def flush(connection: duckdb.DuckDBPyConnection) -> None:
    """Append whatever waits to its table."""
    if is_used(connection):
        for table in TABLES:
            for rows in waiting(connection, table):
                load(connection, table, pa.Table.from_batches([rows]))
            for lot in _batches(connection, table):
                connection.execute(f"DROP TABLE _staged_{table}_{lot}")
        connection.execute("DROP TABLE _staged; DROP TABLE _withdrawn")


def is_used(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether anything may wait in the connection's database."""
    query = "SELECT count(*) FROM duckdb_tables() WHERE table_name = '_staged' AND database_name = current_database()"
    return bool(_number(connection, query))


def count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """How many rows wait for a table."""
    if not is_used(connection):
        return 0
    return int(
        connection.execute("SELECT coalesce(sum(count), 0) FROM _staged WHERE name = ?", [table]).fetchall()[0][0]
    )


def reader(connection: duckdb.DuckDBPyConnection, table: str) -> pa.RecordBatchReader:
    """What waits for a table, to be read once by a query of this connection."""
    rows = waiting(connection.cursor(), table) if is_used(connection) else ()
    return pa.RecordBatchReader.from_batches(arrow_schema(table), rows)


def waiting(connection: duckdb.DuckDBPyConnection, table: str) -> Iterator[pa.RecordBatch]:
    """What waits for a table, lot by lot, without what was withdrawn."""
    has_withdrawn = table in OF_GAMES and _number(connection, "SELECT count(*) FROM _withdrawn") > 0
    for lot in _batches(connection, table):
        packed = connection.execute(f"FROM _staged_{table}_{lot}").fetchall()[0][0]
        rows = _whole(pa.ipc.open_stream(packed).read_next_batch(), arrow_schema(table))
        yield _without_withdrawn(connection, lot, rows) if has_withdrawn else rows
    release_memory()  # whoever sorts them now has a use for what unpacking took


def _without_withdrawn(connection: duckdb.DuckDBPyConnection, lot: int, rows: pa.RecordBatch) -> pa.RecordBatch:
    gone = connection.execute("SELECT game FROM _withdrawn WHERE lot >= ?", [lot]).to_arrow_table()["game"]
    return rows.filter(pc.invert(pc.is_in(rows["game"], value_set=gone)))


def _batches(connection: duckdb.DuckDBPyConnection, table: str) -> list[int]:
    query = "SELECT lot FROM _staged WHERE name = ? ORDER BY lot"
    return [lot for (lot,) in connection.execute(query, [table]).fetchall()]


def _whole(found: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The rows with every column of their table; those that are missing are NULL."""
    given = set(found.schema.names)
    columns = [found[field.name] if field.name in given else pa.nulls(len(found), field.type) for field in schema]
    return pa.record_batch(columns, schema=schema)


def _last_batch(connection: duckdb.DuckDBPyConnection) -> int:
    return _number(connection, "SELECT coalesce(max(lot), 0) FROM _staged")


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    return int(connection.execute(query).fetchall()[0][0])
