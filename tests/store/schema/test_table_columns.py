"""The columns for the bulk load equal those of the classes, and a load needs no classes."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import duckdb
import pytest

from zertz_db.store.schema import ddl, derive, table_columns


@pytest.mark.parametrize(
    ("file", "describe"),
    [(table_columns.FILE, derive.describe_columns), (ddl.FILE, derive.describe_statements)],
    ids=["columns", "statements"],
)
def test_the_files_describe_the_classes(file: Path, describe: Callable[[], dict[str, object]]) -> None:
    described = describe()
    if os.environ.get("ZERTZ_REWRITE"):
        tables = ",\n".join(f"{json.dumps(name)}: {json.dumps(table)}" for name, table in described.items())
        file.write_text(f"{{\n{tables}\n}}\n", "utf-8")
    assert json.loads(file.read_text("utf-8")) == described


def test_an_import_needs_no_classes_of_tables() -> None:
    program = "import sys, zertz_db.ingest.importer; print({'sqlmodel', 'sqlalchemy', 'pandas'} & {*sys.modules})"
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "set()\n"


@pytest.mark.parametrize("ranges", [1, 4, 30])
def test_a_lake_sorts_positions_by_ranges_of_keys_with_equally_many_rows(ranges: int) -> None:
    in_range, busy, *similar = (
        table_columns.order_in_lake("position", (ranges - 1) * 500_000).split("board, ")[1].split(", least")
    )
    assert not similar
    assert busy.endswith("game, ply" if ranges < 6 else "black, key")
    with duckdb.connect() as connection:
        hashed = ", ".join(f"hash(12 * n + {part})::HUGEINT" for part in range(12))
        keys = f"SELECT (least({hashed}) - (1::HUGEINT << 63))::BIGINT AS key FROM range(60_000) t(n)"
        connection.execute(f"CREATE TABLE keys AS {keys} UNION ALL SELECT unnest([{-(2**63)}, {2**63 - 1}]::BIGINT[])")
        rows = connection.execute(
            f"SELECT {in_range} AS number, count(*), min(key), max(key) FROM keys GROUP BY 1 ORDER BY 1"
        ).fetchall()
    assert [number for number, *_ in rows][:ranges] == [*range(ranges)]
    assert all(abs(count * ranges / 60_000 - 1) < 0.2 for _, count, *_ in rows[:ranges])
    assert all(high < low for (*_, high), (_, _, low, _) in pairwise(rows))
