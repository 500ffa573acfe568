"""Rows that DuckDB reads as a stream."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import duckdb
import pyarrow as pa

from zertz_db.store.loading.bulk_load import stream_directly


def test_streamed_rows_are_read_in_the_thread_of_the_query() -> None:
    threads = set()

    def batches() -> Iterator[pa.RecordBatch]:
        for number in range(3):
            threads.add(threading.get_ident())
            yield pa.record_batch({"number": [number]})

    rows_to_read = pa.RecordBatchReader.from_batches(pa.schema({"number": pa.int64()}), batches())
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.register("streamed", stream_directly(rows_to_read))
        found = connection.execute("FROM streamed WHERE number <> 1 ORDER BY number DESC").fetchall()
    assert found == [(2,), (0,)]
    assert threads == {threading.get_ident()}
