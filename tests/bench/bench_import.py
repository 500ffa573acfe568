"""Import against its floor, the size of positions on disk, and the import of what is known: python -m tests.bench.bench_import --help."""

import argparse
import tempfile
from functools import partial
from pathlib import Path

import duckdb
import pyarrow as pa

from tests.bench.material import bytes_of, made_up, real_archives, unzip_and_scan
from tests.bench.timing import heading, measure, row, side_by_side
from zertz_db.ingest.import_paths import import_paths
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.open_database import open_database
from zertz_db.store.schema import ddl, table_columns


def bench(archives: list[Path], material: str, runs: int, work: Path) -> None:
    number = iter(range(runs + 1))

    def imported() -> Path:
        folder = work / f"{next(number)}.zertz"
        import_paths(archives, folder)
        return folder

    folder = imported()  # also warms the caches up
    with open_database(folder) as database:
        connection = database.connection()
        tables = {name: connection.execute(f"FROM _{name}").to_arrow_table() for name in table_columns.table_names()}
        records, positions = tables["record"].num_rows, tables["position"].num_rows
        size = bytes_of(connection, "position", "node")
        whole = database.generation.path.stat().st_size
    heading("import", f"{material}, {len(archives)} archives, {records:,} records, {positions:,} positions")
    took = side_by_side(
        {
            "import": imported,
            "text": partial(unzip_and_scan, archives),
            "tables": partial(insert, tables, work / "floor.duckdb"),
        },
        runs,
    )
    row(
        "import: verify, index, store (floor: the next two)",
        took["import"],
        took["text"].median + took["tables"].median,
        2,
    )
    row("  unzip, and one regular expression over the text", took["text"])
    row("  insert the same tables as Arrow", took["tables"])
    row("bytes a position on disk, nodes included", size / positions, goal=60)
    row("bytes a record on disk, everything included", whole / records)
    row("import of what is known", measure(partial(import_paths, archives, folder), runs), goal=2)


def insert(tables: dict[str, pa.Table], file: Path) -> None:
    file.unlink(missing_ok=True)
    with duckdb.connect(file) as connection:
        ddl.create(connection)
        connection.execute("DELETE FROM _meta")
        for name, rows in tables.items():
            load(connection, name, rows)
        connection.execute("CHECKPOINT")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5_000, help="made-up games")
    parser.add_argument("--part", type=int, default=20, help="of the private archive, every so-manieth zip")
    parser.add_argument("--full", action="store_true", help="the whole private archive, and as many made-up games")
    parser.add_argument("--runs", type=int, default=3)
    wanted = parser.parse_args()
    archives = real_archives(1 if wanted.full else wanted.part)
    if archives:
        with tempfile.TemporaryDirectory() as work:
            bench(archives, "real games", wanted.runs, Path(work))
    else:
        print("no private archive (ZERTZ_ARCHIVE): made-up games only")
    with tempfile.TemporaryDirectory() as work:
        games = made_up(Path(work) / "games", 50_000 if wanted.full else wanted.games)
        bench(games, "made-up games", wanted.runs, Path(work))


if __name__ == "__main__":
    main()
