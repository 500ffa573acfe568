"""Chunks of stored records: their size, and what stays together."""

from itertools import pairwise

import duckdb
import pytest

from zertz_db.ingest.stored import stored_records
from zertz_db.store.loading import large_records
from zertz_db.store.schema import ddl

LARGE = 1_000_000_000
"""Bytes of neighbours that are unusually large."""


@pytest.mark.parametrize(
    ("count", "bytes_of_neighbours", "size"),
    [(0, 0, 2_000), (100_000, 0, 2_000), (500_000, 0, 10_000), (10_000_000, 0, 20_000), (10_000_000, LARGE, 2_000)],
)
def test_chunks_grow_with_the_database_but_not_with_large_records(
    count: int, bytes_of_neighbours: int, size: int
) -> None:
    with duckdb.connect() as connection:
        ddl.create(connection, commented=False)
        large_records.note(connection, bytes_of_neighbours)
        assert stored_records._choose_size(connection, count) == size


def test_records_of_a_game_are_in_one_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_records, "_USUAL_CHUNK", 4)
    with duckdb.connect() as connection:
        ddl.create(connection, commented=False)
        connection.execute("""
            INSERT INTO _source BY NAME SELECT 1 AS id, 'a' AS path, 1 AS content, 1 AS size, now()::TIMESTAMP AS read_at,
                '1' AS reader_version
        """)
        connection.execute("""
            INSERT INTO _record BY NAME
            SELECT 1 AS source, '' AS member, range AS index, range AS id, 1 AS line_from, 1 AS line_to, 'verified' AS verdict,
                'stored' AS status, '1' AS reader_version, 0 AS weight, range // 3 AS game, 1 AS run, encode(range::VARCHAR) AS bytes
            FROM range(20)
        """)
        chunks = list(stored_records.read_chunks(connection))
    assert [row.id for rows in chunks for row in rows] == [*range(20)]
    assert all(row.bytes == str(row.id).encode() for rows in chunks for row in rows)
    assert len(chunks) > 2
    assert all(before[-1].game != after[0].game for before, after in pairwise(chunks))
