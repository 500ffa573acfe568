"""The functions for batches: machine code, numba and Python agree, and later processes need no numba."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.rules.processes import run_python
from zertz_db.check.replay.replay_many import ring_numbers
from zertz_db.ingest.plain_games.batch_scan import scan_batch
from zertz_db.parser.boardspace import scan
from zertz_db.parser.boardspace.writer import write
from zertz_db.play.generate import generate_games
from zertz_db.rules import compiled, replay
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import KEYS_SIZE
from zertz_db.rules.start import rules_vector

pytest.importorskip("numba")

GAMES = 12
CHECK_SOMETHING = """
import sys
import numpy as np
from zertz_db.ingest.plain_games.clean_records import load_compiled_functions
from zertz_db.rules import compiled

assert not compiled.is_loaded()
load_compiled_functions()
rate = compiled.batch_function("rate_games", "zertz_db.store.ratings", ("rating_kernel",))
numbers, none = np.zeros(0, np.int64), np.zeros(0)
rate(numbers, numbers, numbers, none, none, none)
assert compiled.is_loaded()
print("numba" in sys.modules)
"""


def _list_arguments() -> list[Any]:
    """Return the arguments of `replay_games` for some games on the board with 37 rings, as the rules read them: the tables, then arrays."""
    texts = [write(record).encode() for record in generate_games(GAMES, seed=5)]
    scanned = scan_batch(texts)
    start = Position.start("37")
    firsts = np.concatenate(([0], np.cumsum(scanned.facts[:, scan.PLIES])))
    assert len(firsts) == GAMES + 1
    numbers, misses = ring_numbers(start.board, scanned.numbers)
    assert not len(misses)
    return [
        start.board.tables,
        np.tile(np.array(rules_vector(start.rules, lenient=True), np.int64), (GAMES, 1)),
        np.tile(np.array(start.state, np.int64), (GAMES, 1)),
        numbers,
        scanned.begins,
        firsts,
        np.zeros(KEYS_SIZE, np.int64),
        np.zeros((firsts[-1] + GAMES, replay.ROW_SIZE), np.int64),
        np.zeros((GAMES, replay.OUTCOME_SIZE), np.int64),
        1,
    ]


def _to_lists(arguments: list[Any]) -> list[Any]:
    return [argument.tolist() if isinstance(argument, np.ndarray) else argument for argument in arguments]


def test_machine_code_numba_and_python_replay_alike() -> None:
    own, numbas, interpreted = _list_arguments(), _list_arguments(), _to_lists(_list_arguments())
    tables = compiled.board_arrays(Position.start("37").board)
    compiled.batch_function("replay_games")(tables, *own[1:])
    compiled.functions().replay_games(tables, *numbas[1:])
    replay.replay_games(*interpreted)
    assert _to_lists(own)[1:] == _to_lists(numbas)[1:] == interpreted[1:]
    assert any(row[0] for row in interpreted[7])


@pytest.mark.long
def test_a_later_process_needs_no_numba(tmp_path: Path) -> None:
    for is_first in (True, False):
        run = run_python(CHECK_SOMETHING, ZERTZ_CACHE=str(tmp_path))
        assert run.returncode == 0, run.stderr
        assert run.stdout == f"{is_first}\n"


def test_without_numba_there_is_no_function_for_batches(tmp_path: Path) -> None:
    code = """
import sys
sys.modules["numba"] = None
from zertz_db.rules import compiled
try:
    compiled.batch_function("replay_games")
except compiled.CompilerMissing as error:
    print(error)
"""
    run = run_python(code, ZERTZ_CACHE=str(tmp_path))
    assert run.stdout == "numba can't compile the rules (ModuleNotFoundError: No module named 'numba')\n", run.stderr
