"""Forced wins and win chances: nodes a second and time a position, on generated games: python -m tests.bench.bench_tactics --help."""

import argparse
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tests.bench.timing import heading, measure, row
from zertz_db.check.check_many import check_all
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.worker_pool import count_cores
from zertz_db.play.generate import generate_games
from zertz_db.play.write_files import write_archive
from zertz_db.rules.kernel import ENDING, STATE_SIZE
from zertz_db.rules.position import Position
from zertz_db.store.open_database import open_database
from zertz_db.tactics import judge_states, solve_states
from zertz_db.tactics.search_kernel import FORCED, SEARCHED
from zertz_db.tactics.win_chance import chance_states

_GOALS = {3: 0.1}
"""Milliseconds a position at most, by the depth of a complete search."""


def generated_states(games: int) -> tuple[np.ndarray, list[int]]:
    """Return the states of generated games on board 37, and whether each is followed by the next position of its game."""
    states, follows = [], []
    for checked in check_all(list(generate_games(games, seed=5))):
        rows = checked.attempt.rows if checked.attempt else []
        states += [row[:STATE_SIZE] for row in rows]
        follows += [1] * (len(rows) - 1) + [0]
    return np.array(states, np.int64), follows


def bench_depth(states: np.ndarray, depth: int, nodes: int, runs: int) -> None:
    start = Position.start("37")
    run = partial(solve_states, start.board, start.rules, states, depth, nodes)
    results = run()
    seconds = measure(run, runs).median
    searched = (states[:, ENDING] == 0).sum()
    print(
        f"{(results[:, FORCED] > 0).sum():,} of {searched:,} positions have a forced win within {depth} plies, {nodes:,} nodes"
    )
    row(f"milliseconds a position, {depth} plies", 1000 * seconds / searched, goal=_GOALS.get(depth))
    if depth > 1:
        row("nodes a second", results[:, SEARCHED].sum() / seconds, goal=2_000_000, at_least=True)


def bench_chance(states: np.ndarray, runs: int) -> None:
    start = Position.start("37")
    run = partial(chance_states, start.board, start.rules, states)
    run()
    row("microseconds a win chance", 1e6 * measure(run, runs).median / len(states), goal=30)


def bench_analyses(games: int) -> None:
    """Measure whole runs of `zertz analyse`: milliseconds and bytes a position."""
    with TemporaryDirectory() as folder:
        archive, database = Path(folder, "games.zip"), Path(folder, "games.zertz")
        with archive.open("wb") as file:
            write_archive(list(generate_games(games, seed=5)), file)
        import_paths([archive], database)
        with open_database(database) as opened:
            positions = opened.connection().execute("SELECT count(*) FROM positions").fetchall()[0][0]
            before = opened.size()
        heading(
            f"zertz analyse, {count_cores()} cores, whole processes",
            f"{games:,} generated games, {positions:,} positions",
        )
        for depth in ("3", "7"):
            command = [sys.executable, "-m", "zertz_db", "analyse", "--depth", depth, "--db", str(database)]
            began = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            row(f"milliseconds a position, {depth} plies", 1000 * (time.perf_counter() - began) / positions)
        with open_database(database) as opened:
            row("bytes a position", (opened.size() - before) / positions, goal=3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300, help="generated games (300)")
    parser.add_argument("--runs", type=int, default=3, help="number of runs for the median (3)")
    wanted = parser.parse_args()
    start = Position.start("37")
    states, follows = generated_states(wanted.games)
    heading("forced wins, compiled, one core", f"{wanted.games:,} generated games, {len(states):,} positions")
    for depth, nodes in ((1, 10**9), (3, 10**9), (5, 20_000), (7, 20_000)):
        bench_depth(states, depth, nodes, wanted.runs)
    run = partial(judge_states, start.board, start.rules, states, follows, 5, 20_000)
    row("milliseconds a judged ply, 5 plies, 20,000 nodes", 1000 * measure(run, wanted.runs).median / sum(follows))
    bench_chance(states, wanted.runs)
    bench_analyses(10 * wanted.games)


if __name__ == "__main__":
    main()
