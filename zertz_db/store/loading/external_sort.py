"""Sort more rows than fit in memory: distribute them to slices of the order on disk, then sort each slice.

DuckDB also sorts more than fits its memory, but the memory it needs grows with the number of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.store.sql_literals import literal

SLICE = 100_000_000
"""Bytes of a slice's rows in Arrow; sorting takes about twice as many."""
_MAX_SLICES = 200
"""Maximum number of slices: each is an open file, and some systems allow 256."""
_ROWS_FOR_BOUNDS = 1_000_000
"""Number of rows to read, of many more, before the bounds of slices are known."""
_SAMPLE = 20_000
"""Number of rows, sampled from those, that determine the bounds of slices."""
_AT_ONCE = 8_000_000
"""Bytes of rows to distribute to the slices at once."""
_NONE = -1
"""The slice of unwanted rows."""
_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")

Rows = Callable[[int], pa.RecordBatchReader]
"""A function that returns all rows, from the start each time; given n, about one of n rows from all parts of them."""


class Slices(NamedTuple):
    """Files with the slices of sorted rows, in order, and their folder.

    Rows of one slice come before all rows of the next, NULL last. Rows within a slice are not sorted.
    """

    files: Sequence[Path]
    folder: Path


def write_slices(rows: Rows, count: int, order: Sequence[str], condition: str, folder: Path) -> Slices:
    """Distribute the rows that satisfy a condition to slices, in the order of these columns.

    count: the number of all rows. folder: stores the slices; it must not exist.
    """
    with duckdb.connect(config={"threads": 1}) as connection:  # others work beside it
        share = max(1, count // _ROWS_FOR_BOUNDS)
        some = rows(share)
        bounds = _bounds(connection, some, share, order, condition)
        folder.mkdir()
        slices = Slices([folder / str(number) for number in range(len(bounds) + 1)], folder)
        number = f"CASE WHEN {condition} THEN {_slice(some.schema, order, bounds)} ELSE {_NONE} END"
        _distribute(connection, rows(1), f"SELECT {number} AS slice FROM chunk", slices.files)
    return slices


def read_slices(slices: Slices) -> Iterator[pa.RecordBatchReader]:
    """Yield the slices in order, each to be read once. Remove each after it was read, and the folder at the end."""
    for file in slices.files:
        with pa.OSFile(str(file)) as opened:
            yield pa.ipc.open_stream(opened)
        file.unlink()
    slices.folder.rmdir()


def _bounds(
    connection: duckdb.DuckDBPyConnection, rows: pa.RecordBatchReader, share: int, order: Sequence[str], condition: str
) -> list[tuple[object, ...]]:
    """Return the values at which slices after the first begin. rows: one of `share` rows."""
    size = 0

    def counted() -> Iterator[pa.RecordBatch]:
        nonlocal size
        for batch in rows:
            size += batch.nbytes
            yield batch

    connection.register("rows", pa.RecordBatchReader.from_batches(rows.schema, counted()))
    some = f"SELECT {', '.join(order)} FROM rows WHERE {condition} USING SAMPLE reservoir({_SAMPLE} ROWS)"
    sample = connection.execute(f"FROM ({some}) ORDER BY ALL").fetchall()
    connection.unregister("rows")
    count = min(share * size // SLICE + 1, _MAX_SLICES)
    return [*dict.fromkeys(sample[number * len(sample) // count] for number in range(1, count))] if sample else []


def _slice(schema: pa.Schema, order: Sequence[str], bounds: Sequence[tuple[object, ...]], first: int = 0) -> str:
    """Return SQL for the number of a row's slice: `first` plus the number of bounds that the row has reached."""
    if not bounds:
        return f"{first}"
    half = len(bounds) // 2
    before = _slice(schema, order, bounds[:half], first)
    after = _slice(schema, order, bounds[half + 1 :], first + half + 1)
    return f"CASE WHEN {_is_reached(schema, order, bounds[half])} THEN {after} ELSE {before} END"


def _is_reached(schema: pa.Schema, order: Sequence[str], bound: Sequence[object]) -> str:
    """Return SQL for whether a row is at a bound or after it in this order."""
    if not order:
        return "true"
    name, value = order[0], bound[0]
    after = _is_reached(schema, order[1:], bound[1:])
    if value is None:
        return f"({name} IS NULL AND {after})"
    value = value if isinstance(value, int) else literal(str(value))
    last = f"{name} IS NULL OR " if schema.field(name).nullable else ""
    return f"({last}{name} > {value} OR ({name} = {value} AND {after}))"


def _distribute(
    connection: duckdb.DuckDBPyConnection, rows: pa.RecordBatchReader, query: str, files: Sequence[Path]
) -> None:
    """Write each row to the file of its slice. Let DuckDB compute only slice numbers: rows would take it much memory."""
    with ExitStack() as opened:
        sinks = [opened.enter_context(pa.OSFile(str(file), "wb")) for file in files]
        streams = [opened.enter_context(pa.ipc.new_stream(sink, rows.schema, options=_OPTIONS)) for sink in sinks]
        for chunk in _chunks(rows):
            connection.register("chunk", chunk)
            numbers = connection.execute(query).to_arrow_table()["slice"].to_numpy()
            connection.unregister("chunk")
            in_slices = chunk.take(np.argsort(numbers, kind="stable"))
            ends = np.cumsum(np.bincount(numbers - _NONE, minlength=1 + len(files)))
            for stream, first, end in zip(streams, ends[:-1], ends[1:], strict=True):
                if end > first:
                    stream.write_table(in_slices.slice(first, end - first))


def _chunks(rows: pa.RecordBatchReader) -> Iterator[pa.Table]:
    """Yield the rows in larger chunks: each slice's share of a small one would be tiny."""
    batches: list[pa.RecordBatch] = []
    for batch in rows:
        batches.append(batch)
        if sum(one.nbytes for one in batches) >= _AT_ONCE:
            yield pa.Table.from_batches(batches)
            batches = []
    if batches:
        yield pa.Table.from_batches(batches)
