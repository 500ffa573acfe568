"""Resolve captures: list the positions that captures lead to, until no jump is due. On lists, or compiled on arrays.

The positions of a batch form trees, which are stored as rows: a state, and the row of the position before it. A row is after the one that
it comes from, so values are carried back from the last row to the first.
"""

from __future__ import annotations

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import ENDING, SIDE, STATE_SIZE, WINNER, Integers, any_jump
from zertz_db.tactics.search_moves import LIMIT, NODES, ZERO, Rows, Work, is_spent, list_captures, play_move

# Kinds of rows.
FREE, OVER, BRANCH, UNRESOLVED = 0, 1, 2, 3

LARGEST_TREE = 400
"""Maximum number of rows for one position; beyond, it is valued as it is."""


def expand_one(
    tables: Tables, rules: Integers, work: Work, rows: Rows, parents: list[int], kinds: list[int], at: int
) -> int:
    """Write the positions that captures from row `at` lead to, after that row; return the number of the row after the last."""
    count = at + 1
    here = at
    while here < count:
        state = rows[here]
        kinds[here] = FREE
        if state[ENDING]:
            kinds[here] = OVER
        elif any_jump(tables, state):
            kinds[here] = BRANCH
            root = work.counters[ZERO]
            work.counters[NODES] = root
            work.counters[LIMIT] = LARGEST_TREE
            for place in range(STATE_SIZE):
                work.states[root][place] = state[place]
            moves = list_captures(tables, work, root)
            if is_spent(work) or count + moves > at + LARGEST_TREE:
                kinds[at] = UNRESOLVED
                return at + 1
            for number in range(moves):
                play_move(tables, rules, work, root, work.moves[root][2 * number], work.moves[root][2 * number + 1])
                for place in range(STATE_SIZE):
                    rows[count][place] = work.states[root + 1][place]
                parents[count] = here
                count += 1
        here += 1
    return count


def expand_captures(
    tables: Tables,
    rules: Integers,
    work: Work,
    states: Rows,
    begin: int,
    rows: Rows,
    parents: list[int],
    kinds: list[int],
    heads: list[int],
) -> int:
    """Write the trees of captures of states[begin:] while there is room in `rows`; return the number of the first state left out.

    heads[i - begin] is the row of state i, and after the last one the number of rows. parents[row] is -1 for a head.
    """
    count = 0
    number = begin
    while number < len(states) and count + LARGEST_TREE < len(rows):
        for place in range(STATE_SIZE):
            rows[count][place] = states[number][place]
        parents[count] = -1
        heads[number - begin] = count
        count = expand_one(tables, rules, work, rows, parents, kinds, count)
        number += 1
    heads[number - begin] = count
    return number


def propagate_values(states: Rows, parents: Integers, kinds: Integers, values: list[float]) -> None:
    """Carry values back: the mover's best capture, and the result where the game is over. `values` has those of the other rows."""
    for row in range(len(states)):
        if kinds[row] == BRANCH:
            values[row] = -1.0
    for row in range(len(states) - 1, -1, -1):
        state = states[row]
        if kinds[row] == OVER:
            values[row] = 0.5
            if state[WINNER]:
                values[row] = 1.0 if state[WINNER] == state[SIDE] + 1 else 0.0
        if parents[row] >= 0:
            parent = parents[row]
            values[parent] = max(values[parent], 1.0 - values[row])
