"""Slices, one after the other, each sorted, are all rows in order."""

import datetime as dt
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.store.loading import external_sort

SCHEMA = pa.schema(
    [
        pa.field("date", pa.date32()),
        pa.field("name", pa.string(), nullable=False),
        pa.field("id", pa.int64(), nullable=False),
    ]
)
ROW = st.tuples(
    st.none() | st.dates(dt.date(1999, 1, 1), dt.date(1999, 1, 3)),
    st.sampled_from(["", "a", "Ada's", "ä"]),
    st.integers(-3, 3),
)
IN_ORDER = "SELECT * FROM rows ORDER BY date, name, id"


def rows(of: list[tuple[object, ...]], size: int = 3) -> Callable[[int], pa.RecordBatchReader]:
    """Return a reader of these rows, a few at a time; with a share n, of every n-th batch."""
    columns = [list(column) for column in zip(*of, strict=True)] or [[], [], []]
    table = pa.table(dict(zip(SCHEMA.names, columns, strict=True)), schema=SCHEMA)
    return lambda share: pa.RecordBatchReader.from_batches(SCHEMA, table.to_batches(size)[::share])


def sort_in_slices(
    rows: external_sort.Rows, count: int, order: list[str], condition: str, folder: Path
) -> Iterator[pa.RecordBatchReader]:
    return external_sort.read_slices(external_sort.write_slices(rows, count, order, condition, folder))


_SORTING = duckdb.connect()
"""Made once: that takes longer than sorting."""


def ordered(reader: pa.RecordBatchReader) -> list[tuple[object, ...]]:
    _SORTING.register("rows", reader)
    return _SORTING.execute(IN_ORDER).fetchall()


@given(st.lists(ROW, max_size=60), st.integers(1, 2_000))
@settings(deadline=None, max_examples=50)
@pytest.mark.long
def test_slices_follow_one_another_in_order(found: list[tuple[object, ...]], slice_size: int) -> None:
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        patch.setattr(external_sort, "SLICE", slice_size)
        patch.setattr(external_sort, "_AT_ONCE", 200)
        patch.setattr(external_sort, "_ROWS_FOR_BOUNDS", 10)
        there = Path(folder) / "slices"
        parts = [ordered(part) for part in sort_in_slices(rows(found), len(found), SCHEMA.names, "true", there)]
        assert not there.exists()
    assert [*chain.from_iterable(parts)] == ordered(rows(found)(1))


@pytest.mark.long
def test_many_rows_make_many_slices_of_about_the_same_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough rows that all cores compute slices: their results must stay in order."""
    found = [(None, "a", number * 7_919 % 300_000) for number in range(300_000)]
    monkeypatch.setattr(external_sort, "SLICE", sum(batch.nbytes for batch in rows(found, 1_000)(1)) // 10)
    monkeypatch.setattr(external_sort, "_ROWS_FOR_BOUNDS", 30_000)
    slices = sort_in_slices(rows(found, 1_000), len(found), SCHEMA.names, "true", tmp_path / "slices")
    parts = [sorted(part.read_all()["id"].to_pylist()) for part in slices]
    assert [*chain.from_iterable(parts)] == [*range(300_000)]
    assert len(parts) in (10, 11)
    assert max(map(len, parts)) < 2 * min(map(len, parts))


@pytest.mark.parametrize("slice_size", [100, 1_000_000])
def test_only_rows_that_satisfy_the_condition_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slice_size: int
) -> None:
    monkeypatch.setattr(external_sort, "SLICE", slice_size)
    found = [(dt.date(1999, 1, 1), "a", number) for number in range(10)] + [(None, "a", 10), (None, "b", 11)]
    parts = [
        ordered(part)
        for part in sort_in_slices(rows(found), len(found), SCHEMA.names, "id % 2 = 0", tmp_path / "slices")
    ]
    assert (len(parts) > 1) == (slice_size == 100)
    assert [number for part in parts for _, _, number in part] == [0, 2, 4, 6, 8, 10]


@pytest.mark.parametrize("condition", ["false", "date > '2000-01-01'"])
def test_no_rows_may_be_left(tmp_path: Path, condition: str) -> None:
    """Rows for which the condition is NULL are not wanted."""
    found = [(None, "a", number) for number in range(10)]
    parts = sort_in_slices(rows(found), len(found), SCHEMA.names, condition, tmp_path / "slices")
    assert [ordered(part) for part in parts] == [[]]
