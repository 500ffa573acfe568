"""Run Python in separate processes: what another process finds on disk, and what happens without a compiler."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

USE_EVERYTHING = """
import numpy as np
from zertz_db.rules.compiled import arrays, functions
from zertz_db.rules.position import Position
from zertz_db.rules.start import rules_vector
from zertz_db.rules.position_keys import KEYS_SIZE
from zertz_db.rules.replay import ROW_SIZE

compiled = functions()
position = Position.start("37")
tables = arrays(position.board.tables)
code = np.array(position.encode(position.move("Wd4,d1")), np.int64)
numbers = lambda *values: np.array(values, np.int64)
rules, state, begins = numbers(*rules_vector(position.rules)), numbers(*position.state), numbers(0, len(code))
rows, outcomes, keys = np.zeros((2, ROW_SIZE), np.int64), np.zeros((1, 2), np.int64), np.zeros(KEYS_SIZE, np.int64)
print(compiled.perft(tables, rules, state, 2, -1))
compiled.replay_games(tables, numbers(rules), numbers(state), code, begins, numbers(0, 1), keys, rows, outcomes, 1)
print(outcomes.tolist(), rows[0].tolist(), rows[1].tolist())
print(sum(compiled.perft.stats.cache_misses.values()) + sum(compiled.replay_games.stats.cache_misses.values()))
"""
"""Code that runs the two functions that call all others, and prints their results and the number of compilations."""


def run_python(code: str, root: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a separate process, with the packages of `root`."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(root), **environment},
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
