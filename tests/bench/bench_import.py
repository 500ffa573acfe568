"""Import as a whole process against the floor, the size of positions on disk, and the import of what is known.

python -m tests.bench.bench_import --help
"""

import argparse
import shutil
import tempfile
from functools import partial
from pathlib import Path

from tests.bench.material import bytes_of, made_up, real_archives, unzip_and_scan
from tests.bench.timing import heading, least, limits, row, run_zertz
from zertz_db.store.open_database import open_database

WORKERS = 2
MANY = 1_000_000
"""Number of positions above which the fixed size of a database does not count."""


def bench(archives: list[Path], material: str, runs: int, work: Path, *, is_whole: bool) -> None:
    """Measure imports. is_whole: these are all real archives, for which the accepted value is."""
    folder = work / "bench.zertz"

    def run_import() -> None:
        run_zertz("import", *archives, "--db", folder, workers=WORKERS)

    def run_fresh() -> None:
        shutil.rmtree(folder, ignore_errors=True)
        run_import()

    floor = least(partial(unzip_and_scan, archives), runs)
    fresh = least(run_fresh, runs)
    with open_database(folder) as database:
        connection = database.connection()
        records, positions = (
            connection.execute(f"SELECT count(*) FROM _{table}").fetchall()[0][0] for table in ("record", "position")
        )
        size = bytes_of(connection, "position", "node")
        whole = database.generation.path.stat().st_size
    heading("zertz import, whole process", f"{material}, {len(archives)} archives, {records:,} records")
    row(f"zertz import, {WORKERS} workers, seconds", fresh, floor, **limits(3.0, 4.0, is_whole))
    row("bytes a position on disk, nodes included", size / positions)
    row("bytes a position on disk, everything included", whole / positions, **limits(60, 70, positions >= MANY))
    row("import of what is known", least(run_import, runs), goal=2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=5_000, help="made-up games")
    parser.add_argument("--part", type=int, default=1, help="of the private archive, every so-manieth zip (1, all)")
    parser.add_argument("--full", action="store_true", help="50,000 made-up games, as many as the private archive has")
    parser.add_argument("--runs", type=int, default=3)
    wanted = parser.parse_args()
    archives = real_archives(wanted.part)
    if archives:
        with tempfile.TemporaryDirectory() as work:
            bench(archives, "real games", wanted.runs, Path(work), is_whole=wanted.part == 1)
    else:
        print("no private archive (ZERTZ_ARCHIVE): made-up games only")
    with tempfile.TemporaryDirectory() as work:
        games = made_up(Path(work) / "games", 50_000 if wanted.full else wanted.games)
        bench(games, "made-up games", wanted.runs, Path(work), is_whole=False)


if __name__ == "__main__":
    main()
