"""Sorting more rows than memory holds: laid down in slices of the order first, of which each is then sorted by itself.

DuckDB sorts what does not fit its memory, too; but for that it needs the more memory, the more rows there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.store.sql_literals import literal

SLICE = 100_000_000
"""Bytes of rows as Arrow has them; sorting takes about twice as many."""
_MAX_SLICES = 200
"""Slices: each is an open file, and some systems allow 256."""
_SAMPLE = 20_000
"""Rows whose order tells where slices are to begin."""
_AT_ONCE = 8_000_000
"""Bytes of rows that are shared out to the slices at once."""
_NONE = -1
"""The slice of rows that are not wanted."""
_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")

Rows = Callable[[], pa.RecordBatchReader]
"""All rows, from the beginning each time."""


def sort_in_slices(rows: Rows, order: Sequence[str], condition: str, folder: Path) -> Iterator[pa.RecordBatchReader]:
    """Those rows that satisfy a condition, in slices, each to be read once.

    Whatever is in one comes, in the order of these columns, before whatever is in the next; NULL comes last. `folder`: where they lie
    until they have been read; it must not exist, and is gone at the end.
    """
    with duckdb.connect() as connection:
        found = rows()
        bounds = _bounds(connection, found, order, condition)
        folder.mkdir()
        files = [folder / str(number) for number in range(len(bounds) + 1)]
        number = f"CASE WHEN {condition} THEN {_slice(found.schema, order, bounds)} ELSE {_NONE} END"
        _write_slices(connection, rows(), f"SELECT {number} AS slice FROM brought", files)
    for file in files:
        with pa.OSFile(str(file)) as opened:
            yield pa.ipc.open_stream(opened)
        file.unlink()
    folder.rmdir()


def _bounds(
    connection: duckdb.DuckDBPyConnection, rows: pa.RecordBatchReader, order: Sequence[str], condition: str
) -> list[tuple[object, ...]]:
    """Where slices after the first begin."""
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
    count = min(size // SLICE + 1, _MAX_SLICES)
    return [*dict.fromkeys(sample[number * len(sample) // count] for number in range(1, count))] if sample else []


def _slice(schema: pa.Schema, order: Sequence[str], bounds: Sequence[tuple[object, ...]], first: int = 0) -> str:
    """The number of a row's slice, as SQL: `first`, and one more for each bound that the row does not come before."""
    if not bounds:
        return f"{first}"
    half = len(bounds) // 2
    before = _slice(schema, order, bounds[:half], first)
    behind = _slice(schema, order, bounds[half + 1 :], first + half + 1)
    return f"CASE WHEN {_is_reached(schema, order, bounds[half])} THEN {behind} ELSE {before} END"


def _is_reached(schema: pa.Schema, order: Sequence[str], bound: Sequence[object]) -> str:
    """Whether a row, in this order, is at a bound or behind it, as SQL."""
    if not order:
        return "true"
    name, value = order[0], bound[0]
    behind = _is_reached(schema, order[1:], bound[1:])
    if value is None:
        return f"({name} IS NULL AND {behind})"
    value = value if isinstance(value, int) else literal(str(value))
    last = f"{name} IS NULL OR " if schema.field(name).nullable else ""
    return f"({last}{name} > {value} OR ({name} = {value} AND {behind}))"


def _write_slices(
    connection: duckdb.DuckDBPyConnection, rows: pa.RecordBatchReader, query: str, files: Sequence[Path]
) -> None:
    """Write each row to the file of its slice, whose number the query finds: through DuckDB rows themselves would take much memory."""
    with ExitStack() as opened:
        sinks = [opened.enter_context(pa.OSFile(str(file), "wb")) for file in files]
        streams = [opened.enter_context(pa.ipc.new_stream(sink, rows.schema, options=_OPTIONS)) for sink in sinks]
        for brought in _together(rows):
            connection.register("brought", brought)
            numbers = connection.execute(query).to_arrow_table()["slice"].to_numpy()
            connection.unregister("brought")
            in_slices = brought.take(np.argsort(numbers, kind="stable"))
            ends = np.cumsum(np.bincount(numbers - _NONE, minlength=1 + len(files)))
            for stream, first, end in zip(streams, ends[:-1], ends[1:], strict=True):
                if end > first:
                    stream.write_table(in_slices.slice(first, end - first))


def _together(rows: pa.RecordBatchReader) -> Iterator[pa.Table]:
    """The rows, more at a time: each slice's share of few would be next to nothing."""
    batches: list[pa.RecordBatch] = []
    for batch in rows:
        batches.append(batch)
        if sum(one.nbytes for one in batches) >= _AT_ONCE:
            yield pa.Table.from_batches(batches)
            batches = []
    if batches:
        yield pa.Table.from_batches(batches)
