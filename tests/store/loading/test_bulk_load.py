"""How much memory DuckDB may have for its work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa

from tests.store.rows import rows
from zertz_db.store.folder.build import next_generation
from zertz_db.store.loading.bulk_load import load, set_limits, stream_directly


def test_memory_grows_with_the_records_that_are_indexed(tmp_path: Path) -> None:
    with next_generation(tmp_path / "db") as build:
        load(build.connection, "record", rows("record", id=[1, 2], index=[0, 1]))

        def limited(coming: int) -> str:
            set_limits(build.connection, 50 << 20, coming)
            return str(build.connection.execute("SELECT current_setting('memory_limit')").fetchall()[0][0])

        assert limited(0) == "50.0 MiB"
        assert limited((1 << 20) - 2) == "120.0 MiB"


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
