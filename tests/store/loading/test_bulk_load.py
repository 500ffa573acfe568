"""Rows that DuckDB reads as a stream, and groups of rows that it does not merge."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from zertz_db.store.loading.bulk_load import open_to_write, stream_directly, without_merging


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


def _count_groups(connection: duckdb.DuckDBPyConnection) -> int:
    query = "SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('_meta')"
    return int(connection.execute(query).fetchall()[0][0])


@pytest.mark.parametrize(("block", "groups"), [(without_merging, 4), (nullcontext, 1)])
def test_small_groups_of_rows_stay_as_they_are(
    block: Callable[[duckdb.DuckDBPyConnection], AbstractContextManager[None]], groups: int, tmp_path: Path
) -> None:
    """An import of a million games would merge them again and again, for seconds at a time."""
    with open_to_write(tmp_path / "a.duckdb") as connection:
        connection.execute("CREATE TABLE _meta (number BIGINT)")
        for _ in range(4):
            with block(connection):
                connection.execute("INSERT INTO _meta FROM range(5000)")
                connection.execute("CHECKPOINT")
        assert _count_groups(connection) == groups
        assert connection.execute("SELECT count(*), sum(number) FROM _meta").fetchall() == [(20_000, 4 * 12_497_500)]
