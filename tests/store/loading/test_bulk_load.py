"""How much memory DuckDB may have for its work."""

from __future__ import annotations

from pathlib import Path

from tests.store.rows import rows
from zertz_db.store.folder.build import next_generation
from zertz_db.store.loading.bulk_load import load, set_limits


def test_memory_grows_with_the_records_that_are_indexed(tmp_path: Path) -> None:
    with next_generation(tmp_path / "db") as build:
        load(build.connection, "record", rows("record", id=[1, 2], index=[0, 1]))

        def limited(coming: int) -> str:
            set_limits(build.connection, 50 << 20, coming)
            return str(build.connection.execute("SELECT current_setting('memory_limit')").fetchall()[0][0])

        assert limited(0) == "50.0 MiB"
        assert limited((1 << 20) - 2) == "120.0 MiB"
