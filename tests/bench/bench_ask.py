"""Answers from a database, warm: look-ups of positions, patterns, filters. python -m tests.bench.bench_ask --help.

A benchmark is a function `bench_…(database, runs)` that gives named timings and is listed in BENCHMARKS with its limits: in seconds, for a
database of about a million positions and for one of thirty times as many.
"""

import argparse
import gc
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from tests.bench.material import made_up, real_archives
from tests.bench.timing import Timing, heading, row
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.games.game_list import count_games, list_games
from zertz_db.queries.games.one_game import find_game
from zertz_db.queries.search.patterns import find_pattern
from zertz_db.queries.search.positions import MODES, find_position
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.open_database import open_database

LARGE = 5_000_000
"""Number of positions above which the goals for large databases apply."""
LOOK_UPS = 60
PATTERNS = ("W o / < o B . / o *", "G # o / < . W / # B", "o o / < o * o / . W", "!W G / < o * # / [GB] .")
"""Of seven cells; some are frequent, some rare."""

FILTERS = (
    "board:48", "player:greedy* not kind:bot", "date:2010..2012 ending:set sets:6B", "(winner:first or plies:<20) -ending:resign",
    "plies:25..30 by:claim", "kind:human-human rules:standard", "board:37,61 result:0-1 text:a*",
)  # fmt: skip

Timings = Mapping[str, Timing]
_growth: dict[str, list[tuple[int, float]]] = {}


def bench_positions(database: Database, runs: int) -> Timings:
    """Look-ups with hits, continuations and years of positions that were reached, from all phases of games."""
    asked = list(some_positions(database))
    return {
        f"position, {mode}": median(partial(find_position, database, position, mode) for position in asked * runs)
        for mode in MODES
    }


def bench_patterns(database: Database, runs: int) -> Timings:
    """Patterns anywhere, in all symmetries."""
    find_pattern(database, PATTERNS[0])  # compiles
    return {"pattern of 7 cells": median(partial(find_pattern, database, text) for text in PATTERNS * runs)}


def bench_filters(database: Database, runs: int) -> Timings:
    """Measure a list of twenty games and their number, under filters of all kinds."""
    asked = FILTERS * runs
    return {
        "filter: list of twenty": median(partial(list_games, database, text, limit=20) for text in asked),
        "filter: count": median(partial(count_games, database, text) for text in asked),
    }


BENCHMARKS: tuple[tuple[Callable[[Database, int], Timings], Mapping[str, tuple[float, float]]], ...] = (
    (
        bench_positions,
        {
            "position, exact": (0.010, 0.020),
            "position, symmetry": (0.010, 0.020),
            "position, shape": (0.020, 0.100),
        },
    ),
    (bench_patterns, {"pattern of 7 cells": (0.1, 0.8)}),
    (bench_filters, {"filter: list of twenty": (0.05, 0.5), "filter: count": (0.05, 0.5)}),
)


ACCEPTED = {"pattern of 7 cells": (0.2, 1.2)}
"""Accepted values, in seconds, for the same sizes."""


def some_positions(database: Database) -> Iterator[Position]:
    connection = database.connection()
    count = connection.execute("SELECT count(*) FROM _position").fetchall()[0][0]
    step = max(1, count // LOOK_UPS)
    sql = f"SELECT id_text(game), ply FROM _position WHERE rowid % {step} = {step // 2} LIMIT {LOOK_UPS}"
    for number, ply in connection.execute(sql).fetchall():
        yield find_game(database, number).positions[ply]


def median(functions: Iterator[Callable[[], object]]) -> Timing:
    """Return the time of such calls: the median, and the spread of the middle half."""
    taken = []
    gc.collect()
    for function in functions:
        begin = time.perf_counter()
        function()
        taken.append(time.perf_counter() - begin)
    low, middle, high = statistics.quantiles(taken, n=4)
    return Timing(middle, high - low)


def bench(folder: Path, material: str, runs: int) -> None:
    with open_database(folder) as database:
        connection = database.connection()
        stored, positions = (
            connection.execute(f"SELECT count(*) FROM _{t}").fetchall()[0][0] for t in ("game", "position")
        )
        heading("asking", f"{material}, {stored:,} games, {positions:,} positions")
        for function, goals in BENCHMARKS:
            for what, took in function(database, runs).items():
                is_large = positions >= LARGE
                accepted = ACCEPTED[what][is_large] if what in ACCEPTED else None
                row(what, took, goal=goals[what][is_large], accepted=accepted)
                _growth.setdefault(what, []).append((positions, took.median))


def grown() -> None:
    """Return the growth of time against the growth of positions."""
    print(
        "\nas the work grows (positions, then seconds; the last column is time per position against the smallest database)"
    )
    for what, taken in _growth.items():
        first, *_ = ordered = sorted(taken)
        for positions, seconds in ordered:
            ratio = (seconds / positions) / (first[1] / first[0])
            print(f"{what:<24}{positions:>12,}{seconds:>10.4f}{ratio:>8.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=2_000, help="made-up games (2000)")
    parser.add_argument("--part", type=int, default=20, help="of the private archive, every so-manieth zip (20)")
    parser.add_argument("--full", action="store_true", help="the whole private archive, and 1,000,000 made-up games")
    parser.add_argument(
        "--db", type=Path, action="append", default=[], help="only this database, unchanged; may be repeated"
    )
    parser.add_argument("--runs", type=int, default=3, help="runs of everything (3)")
    parser.add_argument("--work", type=Path, help="a folder for some gigabytes, emptied at the end")
    wanted = parser.parse_args()
    for folder in wanted.db:
        bench(folder, f"database {folder.name}", wanted.runs)
    with tempfile.TemporaryDirectory(dir=wanted.work) as work:
        for material, archives in {} if wanted.db else sources(wanted, Path(work)):
            folder = Path(work) / f"{material}.zertz"
            import_paths(archives, folder)
            bench(folder, material, wanted.runs)
    grown()


def sources(wanted: argparse.Namespace, work: Path) -> Iterator[tuple[str, list[Path]]]:
    """Yield what to import: real games, if there are any, and made-up ones."""
    real = real_archives(1 if wanted.full else wanted.part)
    if real:
        yield "real games", real
    else:
        print("no private archive (ZERTZ_ARCHIVE): made-up games only")
    yield "made-up games", made_up(work / "games", 1_000_000 if wanted.full else wanted.games)


if __name__ == "__main__":
    main()
