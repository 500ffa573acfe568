"""Look for the one ring that wins, on integers like the kernel: on lists, or compiled on arrays."""

from __future__ import annotations

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import PLACE, SIDE, Integers
from zertz_db.tactics.ply_kernel import CLASSES_NODES, NO, UNDECIDED, YES, is_only_move
from zertz_db.tactics.search_kernel import STOPPED, WON, start_search, try_move
from zertz_db.tactics.search_moves import (
    NODES,
    ZERO,
    Rows,
    Work,
    list_moves,
    move_colour,
    move_kind,
    move_ring,
)

# Places in the answer about a position.
IS_PUZZLE = 0  # YES if placements on one ring alone win within the plies of the forced win; NO or UNDECIDED
RING = 1  # that ring, by its number on the board; -1 before one is found
WINNING_COLOURS = 2  # the colours that win there: bits of white, grey and black
IS_ONLY_LATER = 3  # YES if one colour wins, and no other colour or ring does within two plies more either
LEGAL_MOVES = 4  # legal moves, captures counted once for each start, landing and set of jumped rings
RING_NODES = 5  # nodes searched
ANSWER_SIZE = 6

_MORE_PLIES = 2


def find_ring(
    tables: Tables, rules: Integers, work: Work, before: Integers, plies: int, limit: int, answer: list[int]
) -> int:
    """Write the ring and the colours whose placements win within `plies`; return YES, or NO with the second ring or a capture."""
    start_search(tables, work, before, limit)
    attacker = before[SIDE]
    root = work.counters[ZERO]
    moves = work.moves[root]
    for number in range(list_moves(tables, work, root, int(plies > 1))):
        first, jumped = moves[2 * number], moves[2 * number + 1]
        if move_kind(first) != PLACE:
            return NO
        ring, colour = move_ring(first), 1 << move_colour(first)
        if ring == answer[RING] and answer[WINNING_COLOURS] & colour:
            continue
        found = try_move(tables, rules, work, root, attacker, first, jumped, plies)
        if found == STOPPED:
            return UNDECIDED
        if found == WON:
            if answer[RING] >= 0 and answer[RING] != ring:
                return NO
            answer[RING] = ring
            answer[WINNING_COLOURS] |= colour
    return YES if answer[RING] >= 0 else UNDECIDED


def judge_puzzles(
    tables: Tables, rules: Integers, work: Work, states: Rows, lengths: Integers, limit: int, answers: Rows
) -> None:
    """Judge whether each position, with a shortest forced win of a length, is a puzzle; write an answer for each.

    `limit` is the number of nodes for one position; each search of all its moves may take ten times as many.
    """
    for row in range(len(states)):
        state, answer, plies = states[row], answers[row], lengths[row]
        for place in range(ANSWER_SIZE):
            answer[place] = 0
        answer[RING] = -1
        start_search(tables, work, state, limit)
        root = work.counters[ZERO]
        answer[LEGAL_MOVES] = list_moves(tables, work, root, root)
        answer[IS_PUZZLE] = find_ring(tables, rules, work, state, plies, CLASSES_NODES * limit, answer)
        answer[RING_NODES] = work.counters[NODES]
        colours = answer[WINNING_COLOURS]
        if answer[IS_PUZZLE] == YES and colours & (colours - 1) == 0:
            answer[IS_ONLY_LATER] = is_only_move(tables, rules, work, state, plies + _MORE_PLIES, CLASSES_NODES * limit)
            answer[RING_NODES] += work.counters[NODES]
