"""Judge the plies of games by forced wins: missed wins, proven blunders, only moves. Single plies, or arrays of states of one board.

Missed win: a forced win in 3 or more plies before the move, and none found within two plies more than it needed at that point, with three
times the nodes, that search having been complete for the plies it needed. Blunder: a free move that gives the opponent a forced win within
a depth, although after another move none was found at the same limits. Only move: one class of moves wins within the plies of the forced
win.

numpy is imported where arrays of states are judged, as in `compiled_search`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zertz_db.rules import kernel
from zertz_db.rules.bit_counts import count_bits
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.tactics.compiled_search import Search, open_search, run_search
from zertz_db.tactics.limits import SearchError, check_limits, check_position, check_rules, check_state
from zertz_db.tactics.move_classes import unpack
from zertz_db.tactics.ply_kernel import (
    BETTER,
    BLUNDER,
    KEEPS,
    LOST_BEFORE,
    MISSED,
    MORE_NODES,
    ONLY_MOVE,
    VERDICT_SIZE,
    YES,
)
from zertz_db.tactics.search_kernel import COMPLETE_TO, FORCED, RESULT_SIZE, SEARCHED
from zertz_db.tactics.transpositions import LARGEST_COUNT

BLUNDER_DEPTH = 5


@dataclass(frozen=True, slots=True)
class PlyVerdict:
    """A judgement of one played move. None means that the limit did not suffice to decide.

    forced, complete_to: as in a solution of the position before the move. keeps: whether the move keeps the forced win. missed: whether it
    missed a forced win in 3 or more. only_move: whether one class of moves wins. blunder: plies of the opponent's forced win after a
    blunder, or None; better: a move after which no such win was found. lost_before: every move gives the opponent a forced win.
    """

    forced: int | None
    complete_to: int
    keeps: bool | None
    missed: bool
    only_move: bool | None
    blunder: int | None
    better: str | None
    lost_before: bool
    nodes: int


def judge_ply(
    before: Position,
    move: Move | str,
    depth: int = 5,
    nodes: int = 20_000,
    *,
    blunder_depth: int = BLUNDER_DEPTH,
    interpreted: bool = False,
) -> PlyVerdict:
    """Judge a move, with a number of nodes for each searched position. Raises IllegalMove, and SearchError like `solve`."""
    check_position(before)
    after = before.play(move)
    states = [before.state, after.state]
    found = judge_states(
        before.board,
        before.rules,
        states,
        [1, 0],
        depth,
        nodes,
        blunder_depth=blunder_depth,
        interpreted=interpreted or len(before.board.rings) > LARGEST_COMPILED_BOARD,
    )
    verdict = [int(number) for number in found[0]]
    better = verdict[BETTER]
    return PlyVerdict(
        forced=verdict[FORCED] or None,
        complete_to=verdict[COMPLETE_TO],
        keeps=_decided(verdict[KEEPS]),
        missed=verdict[MISSED] == YES,
        only_move=_decided(verdict[ONLY_MOVE]),
        blunder=verdict[BLUNDER] or None,
        better=before.notation(unpack(before, (better, 0))) if better >= 0 else None,
        lost_before=verdict[LOST_BEFORE] == YES,
        nodes=verdict[SEARCHED],
    )


def solve_states(
    board: Board, rules: RuleSet, states: Any, depth: int = 5, nodes: int = 20_000, *, interpreted: bool = False
) -> Any:
    """Search each of many positions of one board for a forced win of the player to move, with `nodes` nodes each.

    states: an int64 array (n, STATE_SIZE) of the kernel's states, or rows of integers. Return an int64 array (n, RESULT_SIZE), or rows if
    the search is interpreted, with FORCED (plies, 0 if none was found), COMPLETE_TO (plies; NOT_SEARCHED after the end of a game) and
    SEARCHED (nodes); `search_kernel` has these places. Raises SearchError.
    """

    def search_all(interpreted: bool) -> Any:
        search, rows = _opened(board, rules, states, depth, nodes, nodes, interpreted)
        results = search.memory.rows(len(rows), RESULT_SIZE)
        search.functions.solve_states(search.tables, search.rules, search.work, rows, depth, nodes, results)
        return results

    return run_search(search_all, interpreted)


def judge_states(
    board: Board,
    rules: RuleSet,
    states: Any,
    follows: Sequence[int],
    depth: int = 5,
    nodes: int = 20_000,
    *,
    blunder_depth: int = BLUNDER_DEPTH,
    interpreted: bool = False,
) -> Any:
    """Judge the plies between consecutive positions of games on one board, with `nodes` nodes for each searched position.

    states: as for `solve_states`. follows[r] is 1 if row r + 1 is the position after the move played from row r, or 0. Return an int64
    array (n, VERDICT_SIZE), or rows; `ply_kernel` has their places. Raises SearchError.
    """
    check_limits(blunder_depth, nodes)
    if blunder_depth > depth:
        raise SearchError(f"the depth for blunders ({blunder_depth}) is at most that of the search ({depth})")

    def judge_all(interpreted: bool) -> Any:
        search, rows = _opened(board, rules, states, depth, nodes, MORE_NODES * nodes, interpreted)
        if len(follows) != len(rows) or (len(rows) and follows[-1]):
            raise SearchError("`follows` has a 0 or 1 for each state, and a 0 for the last")
        verdicts = search.memory.rows(len(rows), VERDICT_SIZE)
        search.functions.judge_plies(
            search.tables,
            search.rules,
            search.work,
            rows,
            search.memory.row(follows),
            depth,
            blunder_depth,
            nodes,
            verdicts,
        )
        return verdicts

    return run_search(judge_all, interpreted)


def _opened(
    board: Board, rules: RuleSet, states: Any, depth: int, nodes: int, most: int, interpreted: bool
) -> tuple[Search, Any]:
    """Return the means to search, with a table for `most` nodes, and the states as they are taken. Raises SearchError."""
    check_limits(depth, nodes)
    check_rules(rules)
    search = open_search(board, rules, depth, most, interpreted)
    if not search.memory.is_compiled:
        listed = [[int(number) for number in state] for state in states]
        for row in listed:
            check_state(board, row)
        return search, listed
    return search, check_states(board, states)


def check_states(board: Board, states: Any) -> Any:
    """Return states of a board of up to 63 rings as an int64 array (n, STATE_SIZE). Raises SearchError if they are none, or too large."""
    import numpy as np

    rows = np.ascontiguousarray(states, np.int64)
    if rows.ndim != 2 or rows.shape[1] != kernel.STATE_SIZE:
        raise SearchError(f"states are rows of {kernel.STATE_SIZE} integers, not an array of shape {rows.shape}")
    for row in rows[_suspicious(board, rows)][:1]:
        check_state(board, row.tolist())
    return rows


def _suspicious(board: Board, rows: Any) -> Any:
    """Return which states can't be searched: `check_state` for many at once."""
    import numpy as np

    rings = rows[:, kernel.RINGS]
    white, grey, black = (rows[:, kernel.MARBLES + colour] for colour in range(3))
    wrong = (rings < 0) | ((rings & ~np.int64(board.everything)) != 0)
    wrong |= ((white | grey | black) & ~rings) != 0
    wrong |= (white & grey | (white | grey) & black) != 0
    counts = rows[:, kernel.POOL : kernel.CAPTURED + 6]
    on_board = count_bits(np.stack([white, grey, black], axis=1).astype(np.uint64))
    totals = counts.reshape(len(rows), 3, 3).sum(axis=1) + on_board
    return wrong | (counts < 0).any(axis=1) | (totals > LARGEST_COUNT).any(axis=1)


def _decided(answer: int) -> bool | None:
    return None if answer < 0 else answer == YES
