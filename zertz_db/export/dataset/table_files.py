"""Write tables of a data set as Parquet files: equal bytes for equal contents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from zertz_db.export.dataset.dictionary import TABLES, build_schema, list_columns
from zertz_db.export.dataset.public_ids import CHOSEN

ROW_GROUP = 100_000
"""Rows of a group of a file: groups of a fixed size, so that the bytes do not depend on the threads that read the rows."""
SPLIT_SQL = "CASE ('0x' || md5(public)[:8])::BIGINT % 10 WHEN 8 THEN 'validation' WHEN 9 THEN 'test' ELSE 'train' END"
"""The split of a game, by its public id."""


def write_table(connection: duckdb.DuckDBPyConnection, file: str, path: Path) -> int:
    """Write the rows of the chosen games to a Parquet file; return their number."""
    schema, rows = build_schema(file), 0
    found = connection.execute(_build_query(file))
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for table in _regroup(found.to_arrow_reader(ROW_GROUP), schema):
            writer.write_table(table, row_group_size=ROW_GROUP)
            rows += table.num_rows
    return rows


def _build_query(file: str) -> str:
    columns = ", ".join(f'{shown.sql} AS "{shown.name}"' for _, shown in list_columns(file))
    if file == "games":
        return (
            f"SELECT public AS id, {columns}, {SPLIT_SQL} AS split FROM _game JOIN {CHOSEN} USING (id) ORDER BY number"
        )
    table = f"_{TABLES[file]}"
    return (
        f"SELECT {CHOSEN}.public AS game, {columns} FROM {table} JOIN {CHOSEN} ON {CHOSEN}.id = {table}.game "
        f"ORDER BY {CHOSEN}.number, {table}.ply"
    )


def _regroup(batches: Iterator[pa.RecordBatch], schema: pa.Schema) -> Iterator[pa.Table]:
    """Yield the rows in tables of ROW_GROUP rows; the last one may be shorter."""
    waiting = schema.empty_table()
    for batch in batches:
        table = pa.Table.from_batches([batch]).cast(schema)
        waiting = pa.concat_tables([waiting, table])
        while waiting.num_rows >= ROW_GROUP:
            yield waiting.slice(0, ROW_GROUP)
            waiting = waiting.slice(ROW_GROUP)
    if waiting.num_rows:
        yield waiting
