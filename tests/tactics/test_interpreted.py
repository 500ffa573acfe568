"""The search, interpreted and compiled: equal in every number, and stored for other processes."""

from __future__ import annotations

import logging
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest

from tests.rules.processes import run_python
from tests.tactics.samples import SAMPLES, Sample, late_positions
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.position import Position
from zertz_db.tactics import (
    SearchError,
    compiled_search,
    judge_ply,
    judge_states,
    refute,
    search_kernel,
    solve,
    solve_states,
)
from zertz_db.tactics.search_kernel import COMPLETE_TO, FORCED, NOT_SEARCHED, SEARCHED

RULES = ("standard", "blitz", "standard+tournament")


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.plies} plies, {sample.position[:12]}")
def test_samples_have_the_same_solution(sample: Sample) -> None:
    depth = min(sample.plies, 5)
    assert solve(sample.position, depth, 2000, interpreted=True) == solve(sample.position, depth, 2000)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_positions_have_the_same_results(board: str, rules: str) -> None:
    positions = late_positions(21, 3, board, rules, 8)
    start, states = positions[0], [position.state for position in positions]
    results = solve_states(start.board, start.rules, np.array(states, np.int64), 5, 300)
    assert results.tolist() == solve_states(start.board, start.rules, states, 5, 300, interpreted=True)
    assert results[:, SEARCHED].max() > 0


@pytest.mark.parametrize("rules", RULES)
def test_plies_have_the_same_verdicts(rules: str) -> None:
    positions = late_positions(22, 4, "37 48", rules, 6)
    for board in {position.board for position in positions}:
        mine = [position for position in positions if position.board is board]
        states = [position.state for position in mine]
        follows = [1, 1, 1, 1, 1, 0] * (len(mine) // 6)
        compiled = judge_states(board, mine[0].rules, np.array(states, np.int64), follows, 3, 60, blunder_depth=3)
        interpreted = judge_states(board, mine[0].rules, states, follows, 3, 60, blunder_depth=3, interpreted=True)
        assert compiled.tolist() == interpreted


def test_refuting_all_removals_at_once_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = late_positions(25, 5, "37", "blitz", 18)
    start, states = positions[0], [position.state for position in positions]
    pooled = solve_states(start.board, start.rules, np.array(states, np.int64), 3, 10**6)
    monkeypatch.setattr(search_kernel, "may_pool", lambda *_: False)
    single = np.array(solve_states(start.board, start.rules, states, 3, 10**6, interpreted=True))
    assert pooled[:, :SEARCHED].tolist() == single[:, :SEARCHED].tolist()
    assert pooled[:, SEARCHED].sum() < single[:, SEARCHED].sum() / 2
    assert {0, 1, 3} == set(pooled[:, FORCED].tolist())


def test_a_batch_has_the_results_of_single_positions() -> None:
    positions = late_positions(23, 6, "37", "standard", 8)
    states = np.array([position.state for position in positions], np.int64)
    together = solve_states(positions[0].board, positions[0].rules, states, 5, 2000)
    backwards = solve_states(positions[0].board, positions[0].rules, states[::-1], 5, 2000)
    assert together.tolist() == backwards[::-1].tolist()
    for position, result in zip(positions, together.tolist(), strict=True):
        alone = solve(position, 5, 2000)
        assert [alone.forced or 0, alone.complete_to, alone.nodes] == result


def test_a_final_position_is_not_searched() -> None:
    position = late_positions(24, 1, "37", "standard", 1)[0]
    final = position.play(next(move for move in position.legal_moves() if position.play(move).is_over))
    result = solve_states(position.board, position.rules, np.array([final.state], np.int64))[0]
    assert (result[FORCED], result[COMPLETE_TO], result[SEARCHED]) == (0, NOT_SEARCHED, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((0, -1), "outside of board"),
        ((0, 1 << 40), "outside of board"),
        ((1, 1 << 38), "outside of board"),
        ((4, 200), "at most 127"),
        ((4, -1), "at most 127"),
    ],
)
def test_absurd_states_of_a_batch_are_refused(change: tuple[int, int], message: str) -> None:
    start = Position.start("37")
    states = np.array([start.state, start.state], np.int64)
    states[1, change[0]] = change[1]
    with pytest.raises(SearchError, match=message):
        solve_states(start.board, start.rules, states)
    with pytest.raises(SearchError, match=message):
        solve_states(start.board, start.rules, states.tolist(), interpreted=True)


def test_two_marbles_on_a_ring_are_refused() -> None:
    start = Position.start("37")
    states = np.array([start.state], np.int64)
    states[0, 1] = states[0, 3] = 2
    with pytest.raises(SearchError, match="two marbles"):
        solve_states(start.board, start.rules, states)


def test_states_of_another_shape_are_refused() -> None:
    start = Position.start("37")
    with pytest.raises(SearchError, match="rows of 21 integers"):
        solve_states(start.board, start.rules, np.zeros((2, 20), np.int64))


def test_no_positions_have_no_results() -> None:
    start = Position.start("37")
    assert solve_states(start.board, start.rules, np.zeros((0, 21), np.int64)).shape == (0, 3)


@pytest.mark.long
def test_stored_code_runs_in_another_process_without_compiling() -> None:
    sample = SAMPLES[2]
    code = f"""
from zertz_db.tactics import judge_ply, solve
from zertz_db.rules.position import Position
from zertz_db.tactics.compiled_search import open_search
position = Position.parse({sample.position!r})
print(solve(position, 3).forced, judge_ply(position, position.legal_moves()[0], 3, blunder_depth=3).forced)
functions = open_search(position.board, position.rules, 3, 100).functions
print([len(function.stats.cache_misses) for function in (functions.search, functions.deepen, functions.judge_plies)])
"""
    for _ in range(2):
        run = run_python(code)
        assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == ["3 3", "[0, 0, 0]"]


def test_without_a_compiler_the_search_is_interpreted(tmp_path: Path) -> None:
    code = f"""
import sys
sys.modules["numba"] = None
from zertz_db.tactics import solve
print(solve({SAMPLES[2].position!r}, 3).forced)
"""
    run = run_python(code, ZERTZ_CACHE=str(tmp_path))
    assert run.returncode == 0, run.stderr
    assert run.stdout == "3\n"


@pytest.mark.parametrize("failing", ["start_search", "solve_states", "judge_plies", "list_moves", "play_move"])
def test_where_numba_fails_at_a_call_the_search_is_interpreted_from_then_on(
    failing: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = []

    def fail(*_: object) -> None:
        asked.append(failing)
        raise RuntimeError("a damaged cache")

    working = compiled_search._compiled_functions(Position.start("37").board)
    broken = SimpleNamespace(**{**vars(working), failing: fail})
    monkeypatch.setattr(compiled_search, "_compiled_functions", lambda _: broken)
    monkeypatch.setattr(compiled_search, "_compiler_failed", Event())
    position = Position.parse(SAMPLES[0].position)
    move, states = position.legal_moves()[0], np.array([position.state], np.int64)
    assert compiled_search.is_compiled(position.board)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert solve(position, 3) == solve(position, 3, interpreted=True)
            assert refute(position, move, 3) == refute(position, move, 3, interpreted=True)
            assert judge_ply(position, move, 3, blunder_depth=3).forced == 3
            assert list(solve_states(position.board, position.rules, states, 3)[0])[FORCED] == 3
    assert asked == [failing]
    assert [record.message for record in caplog.records] == [
        "the compiled search fails (RuntimeError: a damaged cache): forced wins are searched interpreted, some hundred times slower"
    ]
    assert not compiled_search.is_compiled(position.board)


def test_a_mistake_in_a_question_is_no_failure_of_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_search, "_compiler_failed", Event())
    start = Position.start("37")
    with pytest.raises(SearchError):
        solve_states(start.board, start.rules, np.zeros((2, 20), np.int64))
    assert compiled_search.is_compiled(start.board)
