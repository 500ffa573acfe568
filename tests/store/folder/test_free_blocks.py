"""The list of free blocks is DuckDB's."""

from pathlib import Path

import duckdb
import pytest

from zertz_db.store.folder.block_checksums import BLOCK, HEADERS
from zertz_db.store.folder.free_blocks import find_free_blocks


@pytest.mark.parametrize(("rows", "least"), [(0, 0), (40_000, 1), (20_000_000, 600)])
def test_it_has_as_many_as_duckdb_says(tmp_path: Path, rows: int, least: int) -> None:
    file = tmp_path / "some.duckdb"
    with duckdb.connect(str(file)) as connection:
        if rows:
            connection.execute(f"CREATE TABLE gone AS SELECT hash(range) AS h FROM range({rows}); CHECKPOINT")
            connection.execute("CREATE TABLE stays AS SELECT hash(range) AS h FROM range(40_000); CHECKPOINT")
            connection.execute("DROP TABLE gone; CHECKPOINT")
        count = connection.execute("SELECT free_blocks FROM pragma_database_size()").fetchall()[0][0]
    free = find_free_blocks(file)
    assert free is not None
    assert len(free) == count >= least  # a list of 600 has several parts
    with duckdb.connect(str(file), read_only=True) as connection:
        for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
            used = connection.execute(f"SELECT block_id FROM pragma_storage_info('{name}')").fetchall()
            assert not free & {block for (block,) in used}


@pytest.mark.parametrize("content", [b"", b"text", b"\xff" * HEADERS, b"\x01" * (HEADERS + BLOCK)])
def test_what_is_no_file_of_duckdb_has_no_list(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "other"
    file.write_bytes(content)
    assert not find_free_blocks(file)
