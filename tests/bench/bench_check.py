"""Checking against its floors: server archives, official notation, the kernel alone: python -m tests.bench.bench_check --help."""

import argparse
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from tests.bench.material import made_up, real_archives, unzip_and_scan
from tests.bench.timing import heading, least, limits, measure, row, run_zertz, side_by_side
from zertz_db.check.replay.encode_plies import encode
from zertz_db.ingest import worker_pool
from zertz_db.ingest.check_files import CheckOptions, check_batch
from zertz_db.ingest.sources.discover import list_places
from zertz_db.ingest.sources.place import Place
from zertz_db.parser.gipf.grammar import slow_parser, split
from zertz_db.parser.gipf.writer import write
from zertz_db.play.generate import generate_games
from zertz_db.rules.compiled import arrays, functions
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import KEYS_SIZE
from zertz_db.rules.replay import OUTCOME_SIZE, ROW_SIZE
from zertz_db.rules.start import rules_vector


def found_in(archives: list[Path]) -> list[Place]:
    return [place for place in list_places((str(path), True) for path in archives) if isinstance(place, Place)]


def check(found: list[Place]) -> None:
    worker_pool.count_cores = lambda: 1  # type: ignore[assignment]
    for _ in worker_pool.run_batches(partial(check_batch, wanted=CheckOptions()), found):
        pass


def bench_archives(archives: list[Path], material: str, runs: int, *, is_whole: bool) -> None:
    """Measure whole processes. is_whole: these are all real archives, for which the accepted values are."""
    records = len(found_in(archives))
    heading("zertz check, whole processes", f"{material}, {len(archives)} archives, {records:,} records")
    floor = least(partial(unzip_and_scan, archives), runs)
    one, two = (least(partial(run_zertz, "check", *archives, "--jobs", jobs), runs) for jobs in (1, 2))
    row("zertz check --jobs 1, seconds", one, floor, **limits(1.4, 1.7, is_whole))
    row("records a second", records / one)
    row("two jobs: times as fast", one / two, **limits(1.6, 1.4, is_whole), at_least=True)


def bench_notation(folder: Path, games: int, runs: int) -> None:
    file = folder / "games.txt"
    text = "\n".join(write(record) for record in generate_games(games, seed=7))
    file.write_text(text, encoding="utf-8")
    found = found_in([file])
    heading("check of official notation", f"{games:,} made-up games, {len(text):,} characters")
    check(found)
    took = side_by_side({"check": partial(check, found), "parse": partial(parse_plainly, text)}, runs)
    row(
        "times as fast as a parse by Lark alone, character by character",
        took["parse"].median / took["check"].median,
        goal=10,
        accepted=8,
        at_least=True,
    )
    row("games a second: check", games / took["check"].median)
    row("games a second: Lark alone", games / took["parse"].median)


def parse_plainly(text: str) -> None:
    for start, end in split(text):
        slow_parser().parse(text[start:end])


def bench_kernel(games: int, runs: int) -> None:
    plies, whole = kernel_run(games, full=1)
    _, verdict = kernel_run(games, full=0)
    heading("the kernel alone, compiled", f"board 37, {plies:,} plies")
    for run in (whole, verdict):
        run()
    row(
        "plies a second, keys and counts of moves included",
        plies / measure(whole, runs).median,
        goal=1_500_000,
        at_least=True,
    )
    row("plies a second, verdicts only", plies / measure(verdict, runs).median)


def kernel_run(games: int, full: int) -> tuple[int, Callable[[], None]]:
    start = Position.start("37")
    numbers: list[int] = []
    begins, ends = [0], [0]
    for record in generate_games(games, seed=3):
        code = encode(start.board, record.plies)
        begins += [len(numbers) + begin for begin in code.begins[1:]]
        numbers += code.numbers
        ends.append(len(begins) - 1)
    tables, rules = arrays(start.board.tables), rules_vector(start.rules, lenient=True)
    rows = np.zeros((ends[-1] + games, ROW_SIZE), np.int64)
    fixed = (np.array(numbers, np.int64), np.array(begins, np.int64), np.array(ends, np.int64))

    def run() -> None:
        functions().replay_games(
            tables,
            np.array([rules] * games, np.int64),
            np.array([start.state] * games, np.int64),
            *fixed,
            np.zeros(KEYS_SIZE, np.int64),
            rows,
            np.zeros((games, OUTCOME_SIZE), np.int64),
            full,
        )

    return ends[-1], run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", type=int, default=1, help="take every part-th real archive (1, all of them)")
    parser.add_argument("--games", type=int, default=4000, help="made-up games (4000)")
    parser.add_argument("--runs", type=int, default=3, help="number of runs for the median (3)")
    wanted = parser.parse_args()
    bench_kernel(wanted.games, wanted.runs)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        bench_notation(work, wanted.games, wanted.runs)
        bench_archives(made_up(work / "made-up", wanted.games), "made-up games", wanted.runs, is_whole=False)
        real = real_archives(wanted.part)
        if real:
            bench_archives(real, "real games", wanted.runs, is_whole=wanted.part == 1)
        else:
            print("\nno real archive here (ZERTZ_ARCHIVE): skipped")


if __name__ == "__main__":
    main()
