"""Room in DuckDB's memory for large records: it packs the bytes of 2,048 neighbours together, and needs all of them at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import duckdb

from zertz_db.store.schema import meta

NEIGHBOURS = 2048
"""Number of rows that DuckDB packs together."""
_USUAL = 40_000_000
"""Bytes of NEIGHBOURS records that the usual limits of memory allow."""
_COPIES = 2
"""Times that their bytes are in memory."""
_FACT = "bytes_of_neighbours"
"""The fact with the most bytes of that many neighbours, if they are more than usual."""


class Neighbours:
    """Counts the bytes of neighbours while records are added."""

    def __init__(self) -> None:
        self._sizes: deque[tuple[int, int]] = deque()
        self._count = self._bytes = 0

    def add(self, records: Sequence[bytes | None]) -> int:
        """Count further records; return the bytes of the last ones, NEIGHBOURS or a few more."""
        own = len(records), sum(len(data) for data in records if data)
        self._sizes.append(own)
        self._count += own[0]
        self._bytes += own[1]
        while self._count - self._sizes[0][0] >= NEIGHBOURS:
            count, size = self._sizes.popleft()
            self._count -= count
            self._bytes -= size
        return self._bytes


def note(connection: duckdb.DuckDBPyConnection, size: int) -> bool:
    """Note the bytes of neighbours in a file under construction; return whether they are more than any before, and than usual."""
    if size <= _USUAL or size <= _read(connection):
        return False
    meta.write(connection, {_FACT: size})
    return True


def count_extra_memory(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the bytes of memory that the largest neighbours need besides a usual limit."""
    return _COPIES * _read(connection)


def _read(connection: duckdb.DuckDBPyConnection) -> int:
    return int(meta.read(connection).get(_FACT, 0))
