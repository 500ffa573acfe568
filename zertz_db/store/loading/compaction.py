"""Settling: writing a generation's tables to a fresh file, each in its order.

Positions of a board, sorted by key, are found in milliseconds. Large tables are sorted slice by slice (`slicing`). New positions are
appended behind the sorted ones, as a tail; when the tail has grown to a good part of them, or a good part of the file is free,
everything is written anew, in order and without gaps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path

import duckdb
import pyarrow as pa

from zertz_db.store.folder.generations import for_duckdb_to_write
from zertz_db.store.loading import external_sort, opening_nodes, staging
from zertz_db.store.loading.bulk_load import release_memory, set_limits
from zertz_db.store.schema import ddl, meta
from zertz_db.store.sql_literals import literal

MAX_TAIL = 1 / 16
"""Share of all positions; settling takes as long for one new position as for all."""
MAX_GAPS = 1 / 4
"""Share of the file."""

_COMPACTED = "settled_positions"
_LARGEST_FIRST = ("position", "ply")
_FIT_TOGETHER = 1_750_000
"""So many rows of a table can be sorted while those of another are: more need all the memory that there is."""
_FOR_SLICES = 130_000_000
"""Bytes: of a slice a part is sorted on the disk, since beside it there are rows on their way."""
_BATCH = 50_000
"""Rows of any table are little."""
CUSTOM = "custom"
"""The name of all boards that may have more than 63 rings."""


def is_due(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether a file under construction should be settled. Writes away what its log has, if gaps are all that could be a reason."""
    if is_demanded(connection):
        return True
    positions = _count(connection, "position")
    settled = int(meta.read(connection).get(_COMPACTED, 0))
    return abs(positions - settled) > MAX_TAIL * positions or _has_gaps(connection)


def _has_gaps(connection: duckdb.DuckDBPyConnection) -> bool:
    connection.execute("CHECKPOINT")
    gaps = connection.execute("SELECT free_blocks > ? * total_blocks FROM pragma_database_size()", [MAX_GAPS])
    return bool(gaps.fetchall()[0][0])


def demand(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the generation under construction be settled however little has changed: nothing of what it held stays in gaps."""
    meta.write(connection, {_COMPACTED: -1})


def is_demanded(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether that was demanded."""
    return int(meta.read(connection).get(_COMPACTED, 0)) < 0


def clear_demand(connection: duckdb.DuckDBPyConnection) -> None:
    """Note that there are no gaps any more."""
    meta.write(connection, {_COMPACTED: _count(connection, "position")})


def needs_all_memory(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether there are so many positions that settling them leaves no room for anything else."""
    return _count(connection, "position") > _FIT_TOGETHER


@contextmanager
def compact(
    connection: duckdb.DuckDBPyConnection, new: Path, without: Collection[str] = ()
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Write the connection's database, with what waits in it, to the file `new`, which must not exist: `with settled(…) as copy`.

    The copy is a connection to the new file, for what is to be changed there; tables that are replaced whole are best left out: nothing
    of what they held will be in the file. Then what followed positions is summed up. The file has no log.
    """
    release_memory()
    if needs_all_memory(connection):
        set_limits(connection, _FOR_SLICES)
    connection.execute(f"ATTACH {literal(for_duckdb_to_write(new))} AS settled (RECOVERY_MODE no_wal_writes)")
    with connection.cursor() as copy:
        copy.execute("USE settled")
        copy.begin()
        ddl.create(copy)
        copy.execute("DELETE FROM _meta")
        copy.commit()
        _fill(connection, new, without)
        opening_nodes.forget(copy)
        yield copy
        opening_nodes.refresh(copy)
        clear_demand(copy)
        copy.execute("CHECKPOINT")
    connection.execute("DETACH settled")


def _fill(connection: duckdb.DuckDBPyConnection, new: Path, without: Collection[str]) -> None:
    """Copy every table but the nodes: small tables side by side, since sorting one is not work for all cores from beginning to end."""
    is_large = needs_all_memory(connection)
    tables = [table for table in ddl.table_names() if table not in (*_LARGEST_FIRST, *without, "node")]
    with ThreadPoolExecutor(1 if is_large else 2) as threads:
        for done in [
            threads.submit(_copy, connection, table, new.with_suffix(f".{table}") if is_large else None)
            for table in (*_LARGEST_FIRST, *tables)
        ]:
            done.result()


def _copy(connection: duckdb.DuckDBPyConnection, table: str, slices: Path | None) -> None:
    with connection.cursor() as own:
        if table == "position":
            _copy_positions(own, slices)
        else:
            _insert(own, table, slices)


def _copy_positions(connection: duckdb.DuckDBPyConnection, slices: Path | None) -> None:
    """Those of each board by themselves: sets of few rings take few bits, but not among others.

    Columns that only large boards have a use for are not sorted along with the others: they would take more room than all of them.
    """
    columns = [name for name in ddl.arrow_schema("position").names if not name.endswith("_high")]
    _insert(connection, "position", slices, columns, f"board <> '{CUSTOM}'", "board, ")
    boards = connection.execute("SELECT board FROM _position UNION SELECT board FROM _game").fetchall()
    if (CUSTOM,) in boards:
        _insert(connection, "position", slices, condition=f"board = '{CUSTOM}'")


def _insert(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    slices: Path | None,
    columns: Sequence[str] = (),
    condition: str = "true",
    order: str = "",
) -> None:
    """Copy a table, or some of its columns, in its order; slice by slice if it has many rows, in a folder for these."""
    order += ddl.order_of(table)
    columns = columns or ddl.arrow_schema(table).names
    names = ", ".join(f'"{name}"' for name in columns)
    insert = f"INSERT INTO settled._{table} BY NAME SELECT {names} {{}} WHERE {condition} ORDER BY {order}"
    if slices and _count(connection, table) > _FIT_TOGETHER:
        for rows in external_sort.sort_in_slices(
            partial(_batches, connection, table, columns), order.split(", "), condition, slices
        ):
            connection.register("slice", rows)
            connection.execute(insert.format("FROM slice"))
            connection.unregister("slice")
    elif table in staging.TABLES:
        connection.register("staged", staging.reader(connection, table))
        connection.execute(insert.format(f"FROM (FROM _{table} UNION ALL BY NAME FROM staged)"))
    else:
        connection.execute(insert.format(f"FROM _{table}"))


def _batches(connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str]) -> pa.RecordBatchReader:
    """Columns of a table's rows, then of those that wait for it."""
    of_table = ddl.arrow_schema(table)
    waiting = staging.reader(connection, table) if table in staging.TABLES else ()
    found = (batch.select(columns) for batch in chain(_stored(connection.cursor(), table, of_table), waiting))
    return pa.RecordBatchReader.from_batches(pa.schema([of_table.field(name) for name in columns]), found)


def _stored(connection: duckdb.DuckDBPyConnection, table: str, of_table: pa.Schema) -> Iterator[pa.RecordBatch]:
    rows = int(connection.execute(f"SELECT coalesce(max(rowid), -1) + 1 FROM _{table}").fetchall()[0][0])
    for first in range(0, rows, _BATCH):
        some = connection.execute(f"FROM _{table} WHERE rowid >= ? AND rowid < ?", [first, first + _BATCH])
        yield from some.to_arrow_table().cast(of_table).to_batches()


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    stored = int(connection.execute(f"SELECT count(*) FROM _{table}").fetchall()[0][0])
    return stored + staging.count(connection, table)
