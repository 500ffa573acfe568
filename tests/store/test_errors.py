"""Errors of DuckDB as sentences with a cause and a remedy."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator

import duckdb
import pyarrow as pa
import pytest

from zertz_db.store.errors import explain, is_disk_full, is_interruption

NO_ROOM = "Out of Memory Error: failed to offload data block of size 256.0 KiB (1.2 MiB/1.3 MiB used)."


@pytest.mark.parametrize(
    ("error", "is_full"),
    [
        (OSError(errno.ENOSPC, "whatever"), True),
        (OSError(errno.EACCES, "whatever"), False),
        (duckdb.IOException(f"Could not write file: {os.strerror(errno.ENOSPC)}"), True),
        (duckdb.OutOfMemoryException(NO_ROOM), True),
        (duckdb.OutOfMemoryException("failed to pin block of size 256.0 KiB"), False),
        (ValueError(NO_ROOM), False),
    ],
)
def test_errors_that_mean_a_full_disk(error: Exception, is_full: bool) -> None:
    assert is_disk_full(error) is is_full


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (duckdb.OutOfMemoryException(NO_ROOM), "There is no space on the disk for temporary files. Free some space"),
        (
            duckdb.OutOfMemoryException("failed to pin block"),
            "There is not enough memory for this. Close other programs",
        ),
        (duckdb.IOException("Could not read file"), "DuckDB can't read or write a file"),
        (duckdb.IOException("Corrupt database file"), "A file of the database is damaged"),
    ],
)
def test_sentences(error: duckdb.Error, sentence: str) -> None:
    assert str(explain(error)).startswith(sentence)


def test_errors_of_statements_are_not_explained() -> None:
    assert explain(duckdb.ParserException("syntax error")) is None


class RowsThatAreInterrupted:
    """Rows for DuckDB, during which Ctrl-C is pressed: in the first call, or in that for the first rows."""

    def __init__(self, is_late: bool) -> None:
        self.is_late = is_late

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        def parts() -> Iterator[pa.RecordBatch]:
            raise KeyboardInterrupt
            yield

        if not self.is_late:
            raise KeyboardInterrupt
        return pa.RecordBatchReader.from_batches(pa.schema([("a", pa.int64())]), parts()).__arrow_c_stream__()


@pytest.mark.parametrize("is_late", [False, True])
def test_ctrl_c_inside_duckdb_is_recognised(is_late: bool) -> None:
    rows = RowsThatAreInterrupted(is_late)
    with duckdb.connect() as connection, pytest.raises(duckdb.Error) as caught:
        connection.execute("SELECT * FROM rows").fetchall()
    assert rows
    assert is_interruption(caught.value)


@pytest.mark.parametrize(
    ("error", "is_expected"),
    [
        (duckdb.InterruptException("INTERRUPT Error: Interrupted!"), True),
        (duckdb.CatalogException("Table with name rows does not exist!"), True),
        (duckdb.IOException("Could not read file"), False),
        (duckdb.FatalException("database has been invalidated"), False),
    ],
)
def test_errors_that_may_be_an_interruption(error: duckdb.Error, is_expected: bool) -> None:
    assert is_interruption(error) is is_expected
