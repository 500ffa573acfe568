"""Measure a cluster and a lake against one machine and a folder: python -m tests.bench.bench_cluster --help."""

import argparse
import os
import tempfile
import time
from pathlib import Path

import duckdb

from tests.bench.material import bytes_of, made_up
from tests.bench.timing import Timing, heading, row, side_by_side
from zertz_db import import_paths, open_database
from zertz_db.maintain.merge_databases import merge
from zertz_db.queries.openings.tree import find_openings
from zertz_db.store.folder.database import Database
from zertz_db.store.lake.database import Lake

LOOK_UPS = 20
FIRST_PLIES = 8
WORKERS = 2


def imported(games: Path, folder: Path, cluster: str | None = None) -> float:
    begin = time.perf_counter()
    import_paths([games], folder, cluster=cluster)
    return time.perf_counter() - begin


def merged(folders: list[Path], lake: Path) -> float:
    begin = time.perf_counter()
    merge(folders, lake)
    return time.perf_counter() - begin


def some_keys(database: Database) -> list[int]:
    query = f"SELECT key FROM _position WHERE ply >= {FIRST_PLIES} ORDER BY hash(game, ply) LIMIT {LOOK_UPS}"
    return [key for (key,) in database.connection().execute(query).fetchall()]


def find(connection: duckdb.DuckDBPyConnection, keys: list[int]) -> None:
    for key in keys:
        connection.execute("SELECT game, ply FROM _position WHERE key = ?", [key]).fetchall()


def look_ups(ours: Database, folder: Database) -> tuple[Timing, Timing]:
    """Positions found by key, one after the other; not the first ones, which most games have."""
    keys = some_keys(folder)
    there, here = ours.connection(), folder.connection()
    taken = side_by_side({"lake": lambda: find(there, keys), "folder": lambda: find(here, keys)})
    return taken["lake"], taken["folder"]


def first_moves(ours: Database, folder: Database) -> tuple[Timing, Timing]:
    taken = side_by_side({"lake": lambda: find_openings(ours, ""), "folder": lambda: find_openings(folder, "")})
    return taken["lake"], taken["folder"]


def bench(games: Path, count: int, parts: int, work: Path) -> None:
    heading("cluster", f"{count:,} made-up games, {WORKERS} workers, a lake of {parts} imports")
    os.environ["ZERTZ_WORKERS"] = str(WORKERS)
    folder = work / "games.zertz"
    alone = imported(games, folder)
    row("seconds by a cluster (floor: by this machine)", imported(games, work / "b.zertz", f"local:{WORKERS}"), alone)
    whole = Path(f"ducklake:{work}/whole.ducklake data_path={work}/whole")
    row("seconds to put it into a lake (floor: the import)", merged([folder], whole), alone)
    files = sorted(games.iterdir())
    several = Path(f"ducklake:{work}/several.ducklake data_path={work}/several")
    for part in range(parts):
        own = work / f"part-{part}.zertz"
        import_paths(files[part::parts], own)
        last = merged([own], several)
    row(f"seconds to put the last of {parts} parts into it", last)
    with open_database(folder) as database:
        positions = database.connection().execute("SELECT count(*) FROM _position").fetchall()[0][0]
        in_folder = bytes_of(database.connection(), "position", "node") / positions
        for lake, what in ((whole, "1 import"), (several, f"{parts} imports")):
            with Lake(lake) as there:
                row(f"s to find {LOOK_UPS} positions, {what} (floor: a folder)", *look_ups(there, database))
                row(f"s for the first moves, {what} (floor: a folder)", *first_moves(there, database))
        with Lake(whole) as there:
            sizes = there.sizes()
            in_lake = (sizes["position"] + sizes["node"]) / positions
            row("bytes a position in a folder, nodes included", in_folder, goal=60, accepted=70)
            row("bytes a position in a lake, nodes included", in_lake, goal=24, accepted=28)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000, help="games")
    parser.add_argument("--parts", type=int, default=8, help="imports into the second lake")
    parser.add_argument("--games", type=Path, help="a folder of games that were generated before")
    parser.add_argument("--work", type=Path, help="a folder for what is made, emptied at the end")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=wanted.work) as work:
        games = wanted.games or Path(work) / "games"
        if not wanted.games:
            made_up(games, wanted.count)
        bench(games, wanted.count, wanted.parts, Path(work))


if __name__ == "__main__":
    main()
