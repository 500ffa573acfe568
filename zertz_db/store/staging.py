"""Staging: the plies and positions that an import brings wait, packed, in the file under construction, until they are written in order.

They are nearly all of a database. Appended lot by lot they would go to DuckDB's log, to the tables, and once more to the settled file;
packed they take a fifth of the room, and are as safe: they come and go with the transactions of the build. What came together has
a table of its own: of one table for all DuckDB would write everything anew, and hold it in memory, whenever it writes its log away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.store.loading import load
from zertz_db.store.schema import arrow_schema

TABLES = ("ply", "position")
"""What can wait: tables whose rows belong to games."""

_PACKED = pa.ipc.IpcWriteOptions(compression="zstd")
_CREATE = """
    CREATE TABLE IF NOT EXISTS _staged (lot INTEGER, name VARCHAR, count BIGINT);
    CREATE TABLE IF NOT EXISTS _withdrawn (game BIGINT, lot INTEGER);
"""


def stage(connection: duckdb.DuckDBPyConnection, plies: pa.Table, positions: pa.Table) -> None:
    """Let rows wait until `flush` or settling brings them in; columns that are missing are NULL."""
    connection.execute(_CREATE)
    lot = _last_lot(connection) + 1
    for name, rows in zip(TABLES, (plies, positions), strict=True):
        if rows.num_rows:
            own = f"_staged_{name}_{lot}"
            connection.execute(f"CREATE TABLE {own} (rows BLOB)")
            connection.execute(f"INSERT INTO {own} VALUES (?)", [_packed(rows)])
            connection.execute("INSERT INTO _staged VALUES (?, ?, ?)", [lot, name, rows.num_rows])


def withdraw(connection: duckdb.DuckDBPyConnection, games: Sequence[int]) -> None:
    """Remove the plies and positions of games, and of those that wait what came so far."""
    for table in TABLES:
        connection.execute(f"DELETE FROM _{table} WHERE game IN (SELECT unnest(?))", [games])
    if is_used(connection):
        connection.execute("INSERT INTO _withdrawn SELECT unnest(?), ?", [games, _last_lot(connection)])


def flush(connection: duckdb.DuckDBPyConnection) -> None:
    """Append whatever waits to its table."""
    if is_used(connection):
        for table in TABLES:
            for rows in waiting(connection, table):
                load(connection, table, pa.Table.from_batches([rows]))
            for lot in _lots(connection, table):
                connection.execute(f"DROP TABLE _staged_{table}_{lot}")
        connection.execute("DROP TABLE _staged; DROP TABLE _withdrawn")


def is_used(connection: duckdb.DuckDBPyConnection, database: str = "") -> bool:
    """Whether anything may wait, in the connection's own file or an attached one."""
    query = "SELECT count(*) FROM duckdb_tables() WHERE table_name = '_staged' AND database_name = "
    return bool(_number(connection, query + (f"'{database}'" if database else "current_database()")))


def count_positions(connection: duckdb.DuckDBPyConnection) -> int:
    """How many positions wait."""
    if not is_used(connection):
        return 0
    return _number(connection, "SELECT coalesce(sum(count), 0) FROM _staged WHERE name = 'position'")


def reader(connection: duckdb.DuckDBPyConnection, table: str, database: str) -> pa.RecordBatchReader:
    """What waits for a table in an attached file, to be read once by a query of this connection."""
    rows = waiting(connection.cursor(), table, f"{database}.") if is_used(connection, database) else ()
    return pa.RecordBatchReader.from_batches(arrow_schema(table), rows)


def waiting(connection: duckdb.DuckDBPyConnection, table: str, database: str = "") -> Iterator[pa.RecordBatch]:
    """What waits for a table, lot by lot, without what was withdrawn."""
    withdrawn = f"SELECT game FROM {database}_withdrawn WHERE lot >= ?"
    for lot in _lots(connection, table, database):
        packed = connection.execute(f"FROM {database}_staged_{table}_{lot}").fetchall()[0][0]
        rows = _unpacked(packed, arrow_schema(table))
        gone = connection.execute(withdrawn, [lot]).to_arrow_table()["game"]
        yield rows.filter(pc.invert(pc.is_in(rows["game"], value_set=gone))) if len(gone) else rows


def _lots(connection: duckdb.DuckDBPyConnection, table: str, database: str = "") -> list[int]:
    query = f"SELECT lot FROM {database}_staged WHERE name = ? ORDER BY lot"
    return [lot for (lot,) in connection.execute(query, [table]).fetchall()]


def _packed(rows: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema, options=_PACKED) as stream:
        for batch in rows.combine_chunks().to_batches():
            stream.write_batch(batch)
    return bytes(sink.getvalue())


def _unpacked(packed: bytes, schema: pa.Schema) -> pa.RecordBatch:
    found = pa.ipc.open_stream(packed).read_next_batch()
    given = set(found.schema.names)
    columns = [found[field.name] if field.name in given else pa.nulls(len(found), field.type) for field in schema]
    return pa.record_batch(columns, schema=schema)


def _last_lot(connection: duckdb.DuckDBPyConnection) -> int:
    return _number(connection, "SELECT coalesce(max(lot), 0) FROM _staged")


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    return int(connection.execute(query).fetchall()[0][0])
