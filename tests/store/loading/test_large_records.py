"""Memory for records that are large: what an import notes, and the limit that follows from it."""

from pathlib import Path

import duckdb
import pytest

from zertz_db.ingest.import_paths import import_paths
from zertz_db.store.folder.build import next_generation
from zertz_db.store.loading import bulk_load, large_records
from zertz_db.store.loading.large_records import NEIGHBOURS, Neighbours, count_extra_memory, note

USUAL = 40_000_000


@pytest.mark.parametrize(
    ("batches", "bytes_together"),
    [
        ([[b"12345", None, b"1"]], [6]),
        ([[b"12345"], [b"123"]], [5, 8]),
        ([[b"1"] * NEIGHBOURS, [b"22"], [b"22"] * NEIGHBOURS], [NEIGHBOURS, NEIGHBOURS + 2, 2 * NEIGHBOURS]),
        ([[b"1"] * 3 * NEIGHBOURS, [b"22"]], [3 * NEIGHBOURS, 3 * NEIGHBOURS + 2]),
    ],
)
def test_bytes_of_the_last_records_are_counted(batches: list[list[bytes | None]], bytes_together: list[int]) -> None:
    neighbours = Neighbours()
    assert [neighbours.add(batch) for batch in batches] == bytes_together


def test_only_the_largest_are_noted(tmp_path: Path) -> None:
    def limit(connection: duckdb.DuckDBPyConnection) -> str:
        bulk_load.limit_memory(connection, 50 << 20)
        return str(connection.execute("SELECT current_setting('memory_limit')").fetchall()[0][0])

    with next_generation(tmp_path / "db") as build:
        connection = build.connection
        sizes = (1000, USUAL, 50 << 20, 45 << 20, 100 << 20)
        assert [note(connection, size) for size in sizes] == [False, False, True, False, True]
        assert count_extra_memory(connection) == 200 << 20
        assert limit(connection) == "250.0 MiB"


def test_an_import_of_large_records_has_more_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_records, "_USUAL", 1_000)
    (tmp_path / "game.txt").write_text(f"1. Wd4,a1 {{{'words ' * 1000}}} Bd2,a2 *")
    import_paths([tmp_path / "game.txt"], tmp_path / "db")
    with next_generation(tmp_path / "db") as build:
        assert count_extra_memory(build.connection) > 2 * 6_000
