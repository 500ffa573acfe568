"""Stored records of a database: in chunks, and as batches for another database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import duckdb
import pyarrow as pa

from zertz_db.ingest.records.batch import ImportBatch
from zertz_db.ingest.records.reader_version import parse_letters
from zertz_db.store.loading import large_records

_USUAL_CHUNK = 2_000
"""Approximate number of records in memory at a time."""
_LARGEST_CHUNK = 20_000
"""That number in a large database, unless its records are large: some 100 MB with their positions."""
_CHUNKS = 50
"""Number of chunks from which they grow. For each chunk DuckDB looks through all rows, and unpacks all records."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A row of the table `record` with its source's path, and its bytes (compressed; None if they are missing).

    last: the greatest number of a record in the same file.
    """

    source: int
    member: str
    index: int
    id: int
    line_from: int
    line_to: int
    dialect: str | None
    encoding: str | None
    verdict: str
    status: str
    reason: str | None
    weight: int
    game: int | None
    reader_version: str
    run: int
    path: str
    last: int
    bytes: bytes | None = None

    @property
    def letters(self) -> str | None:
        """Return the stated language of its colour letters, or None."""
        return parse_letters(self.reader_version)

    @property
    def place(self) -> str:
        """Return the place where it was found, for people."""
        member = f"!{self.member}" if self.member else ""
        return f"{self.path}{member}:{self.line_from}"


def read_chunks(
    connection: duckdb.DuckDBPyConnection, condition: str = "true", *values: Any
) -> Iterator[list[StoredRecord]]:
    """Yield the records that satisfy a condition on `r`, those of a game together, in the order of import as far as it is known."""
    table = connection.execute(_RECORDS.format(condition), list(values)).to_arrow_table()
    size = _choose_size(connection, table.num_rows)
    chunk: list[StoredRecord] = []
    for batch in table.to_batches(max_chunksize=_USUAL_CHUNK):
        for values_of_row in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            row = StoredRecord(*values_of_row)
            if len(chunk) >= size and (row.game is None or row.game != chunk[-1].game):
                yield _read_bytes(connection, chunk)
                chunk = []
            chunk.append(row)
    if chunk:
        yield _read_bytes(connection, chunk)


def _choose_size(connection: duckdb.DuckDBPyConnection, count: int) -> int:
    """Return the number of records of a chunk, of this many."""
    if large_records.count_extra_memory(connection):
        return _USUAL_CHUNK
    return min(max(_USUAL_CHUNK, count // _CHUNKS), _LARGEST_CHUNK)


_RECORDS = """
    SELECT r.source, member, r.index, r.id, line_from, line_to, dialect, encoding, verdict, status, reason, weight, game,
        r.reader_version, run, path, (SELECT max(o.index) FROM _record o WHERE o.source = r.source AND o.member = r.member)
    FROM _record r JOIN _source s ON s.id = r.source
    WHERE {}
    ORDER BY game NULLS LAST, run, status = 'duplicate', path, member, r.index
"""


def _read_bytes(connection: duckdb.DuckDBPyConnection, chunk: list[StoredRecord]) -> list[StoredRecord]:
    query = "SELECT id, any_value(bytes) FROM _record WHERE bytes IS NOT NULL AND id IN (SELECT unnest(?)) GROUP BY id"
    data = dict(connection.execute(query, [[row.id for row in chunk]]).fetchall())
    return [replace(row, bytes=data.get(row.id)) for row in chunk]


_OWN_COLUMNS = tuple(
    field.name for field in fields(StoredRecord) if field.name not in ("path", "last", "status", "run")
)


def load_batch(connection: duckdb.DuckDBPyConnection, rows: Sequence[StoredRecord]) -> ImportBatch:
    """Return the rows with everything the database has about them. A game is included only with its representative record."""
    ids = [row.id for row in rows]
    games = _rows(connection, "game", "record IN (SELECT unnest(?)) AND id IN (SELECT unnest(?))", ids, _games(rows))
    game_ids = games["id"].to_pylist()
    return ImportBatch(
        {name: [getattr(row, name) for row in rows] for name in _OWN_COLUMNS},
        games,
        _rows(connection, "position", "game IN (SELECT unnest(?))", game_ids),
        _rows(connection, "tag", "record IN (SELECT unnest(?))", ids),
        _rows(connection, "finding", "record IN (SELECT unnest(?))", ids),
        [],
    )


def _games(rows: Sequence[StoredRecord]) -> list[int]:
    return [row.game for row in rows if row.game is not None]


def _rows(connection: duckdb.DuckDBPyConnection, table: str, condition: str, *values: Any) -> pa.Table:
    query = f"SELECT * FROM _{table} WHERE {condition}"
    return connection.execute(query, list(values)).to_arrow_table()
