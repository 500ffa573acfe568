"""Search for forced wins, on integers like the kernel: on lists, or compiled on arrays.

A player, the attacker, wins by force within n plies if he wins against every legal defence, and each placement of his that does not win
leaves the opponent a jump. A node with an odd number of plies left has the attacker to move and needs one move that wins; an even one needs
every move to lose. The stack is explicit, because compiled functions that call themselves can't be stored.
"""

from __future__ import annotations

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import (
    CAPTURED,
    EACH,
    ENDING,
    MARBLES,
    POOL,
    SIDE,
    WINNER,
    Integers,
    any_jump,
    has_marble,
    size,
    vacant,
)
from zertz_db.tactics.instant_wins import wins_now
from zertz_db.tactics.pooled_removals import FEWEST_VACANT, list_unrefuted
from zertz_db.tactics.search_moves import (
    COUNT,
    GENERATION,
    KILLER,
    KILLER_JUMPED,
    NEXT,
    NODES,
    OLD_GROUP,
    REMAINING,
    ZERO,
    Rows,
    Work,
    is_spent,
    list_moves,
    play_move,
    put_first,
    start_position,
)
from zertz_db.tactics.transpositions import find_facts, store_fact

SOLVER_VERSION = 1
"""Number of the solver's behaviour: it grows if equal limits may give other results. To be stored with results."""

# Verdicts on a node.
OPEN, WON, NOT_WON, STOPPED, UNOPENED = 0, 1, 2, 3, 4

# Places in the result for a position.
FORCED = 0  # plies of the shortest forced win of the player to move; 0 if none was found
COMPLETE_TO = 1  # plies within which the search was complete; NOT_SEARCHED after the end of the game
SEARCHED = 2  # nodes
RESULT_SIZE = 3

NOT_SEARCHED = -1


def is_reachable(rules: Integers, state: Integers, attacker: int, remaining: int) -> bool:
    """Return False if the attacker, to move, can't hold a winning set, nor fill the board, within `remaining` plies.

    Each placement of the attacker is answered by a jump, so one marble at most is placed in each of his turns and its answer.
    """
    placed = (remaining + 1) // 2
    if size(vacant(state)) <= 2 * placed:
        return True
    pool = state[POOL] + state[POOL + 1] + state[POOL + 2]
    mine, other = CAPTURED + 3 * attacker, CAPTURED + 3 * (1 - attacker)
    lacking = 0
    for colour in range(3):
        rack = state[POOL + colour]
        if pool < placed:
            rack += state[other + colour]
        have = state[mine + colour] + size(state[MARBLES + colour])
        if have + min(placed, rack) >= rules[colour]:
            return True
        lacking += max(0, rules[EACH] - have)
        if have + min(placed, rack) < rules[EACH]:
            lacking += placed + 1
    return lacking <= placed


def open_node(tables: Tables, rules: Integers, work: Work, ply: int, attacker: int) -> int:
    """Return the verdict on a node if one is known without its moves; otherwise list them and return OPEN."""
    state, frame = work.states[ply], work.frames[ply]
    remaining = frame[REMAINING]
    is_attacking = remaining & 1
    if is_attacking:
        if not is_reachable(rules, state, attacker, remaining):
            return NOT_WON
        if remaining > 1:
            facts = find_facts(work, state)
            if facts >> 6 and facts >> 6 <= remaining:
                return WON
            if facts & 63 >= remaining:
                return NOT_WON
        if wins_now(tables, rules, work, ply):
            return WON
        if remaining == 1:
            return NOT_WON
    if remaining == 3 and may_pool(tables, work, state):
        count = list_unrefuted(tables, rules, work, ply)
    else:
        count = list_moves(tables, work, ply, is_attacking)
    put_first(work, ply, count)
    frame[COUNT] = count
    frame[NEXT] = 0
    return OPEN


def may_pool(tables: Tables, work: Work, state: Integers) -> bool:
    """Return whether placements may be refuted for all removed rings at once."""
    if work.counters[OLD_GROUP] or size(vacant(state)) < FEWEST_VACANT:
        return False
    return has_marble(state) and not any_jump(tables, state)


def answer_parent(work: Work, ply: int, child: int) -> int:
    """Return the verdict on a node after that on the move tried last, OPEN if others are needed; remember a move that decides."""
    frame = work.frames[ply]
    decides = WON if frame[REMAINING] & 1 else NOT_WON
    if child != decides:
        return OPEN
    number = frame[NEXT] - 1
    frame[KILLER] = work.moves[ply][2 * number]
    frame[KILLER_JUMPED] = work.moves[ply][2 * number + 1]
    return decides


def search(tables: Tables, rules: Integers, work: Work, base: int, attacker: int, remaining: int) -> int:
    """Return whether the attacker wins by force within `remaining` plies from the position of ply `base`: WON, NOT_WON or STOPPED.

    The attacker is to move if `remaining` is odd. After WON, the killer move of ply `base` wins unless a win in one was there.
    """
    ply = base
    work.frames[base][REMAINING] = remaining
    verdict = UNOPENED
    while not is_spent(work):
        frame = work.frames[ply]
        if verdict == UNOPENED:
            verdict = open_node(tables, rules, work, ply, attacker)
        elif verdict != OPEN:
            if frame[REMAINING] & 1 and frame[REMAINING] > 1:
                store_fact(work, work.states[ply], frame[REMAINING], verdict == WON)
            if ply == base:
                return verdict
            ply -= 1
            verdict = answer_parent(work, ply, verdict)
        elif frame[NEXT] == frame[COUNT]:
            verdict = NOT_WON if frame[REMAINING] & 1 else WON
        else:
            number = frame[NEXT]
            frame[NEXT] = number + 1
            play_move(tables, rules, work, ply, work.moves[ply][2 * number], work.moves[ply][2 * number + 1])
            ply += 1
            work.frames[ply][REMAINING] = frame[REMAINING] - 1
            after = work.states[ply]
            verdict = UNOPENED
            if after[ENDING]:
                ply -= 1
                verdict = answer_parent(work, ply, WON if after[WINNER] == attacker + 1 else NOT_WON)
    return STOPPED


def try_move(
    tables: Tables, rules: Integers, work: Work, base: int, attacker: int, first: int, jumped: int, plies: int
) -> int:
    """Play a move of the attacker, and return whether it wins by force within `plies`, itself included: WON, NOT_WON or STOPPED."""
    play_move(tables, rules, work, base, first, jumped)
    after = work.states[base + 1]
    found = NOT_WON
    if after[ENDING]:
        found = WON if after[WINNER] == attacker + 1 else NOT_WON
    elif plies > 1:
        found = search(tables, rules, work, base + 1, attacker, plies - 1)
    return STOPPED if is_spent(work) else found


def start_search(tables: Tables, work: Work, state: Integers, limit: int) -> None:
    """Set a position as the first of a search, void the table and the killer moves, and set the limit of nodes."""
    start_position(tables, work, state, limit)
    forget(work)


def forget(work: Work) -> None:
    """Void the table and the killer moves."""
    for ply in range(len(work.frames)):
        work.frames[ply][KILLER] = -1
    work.counters[GENERATION] += 1


def deepen(tables: Tables, rules: Integers, work: Work, base: int, depth: int, result: list[int]) -> None:
    """Search the position of a ply for forced wins of the player to move within 1, 3, 5 … `depth` plies; write the result."""
    state = work.states[base]
    result[FORCED] = 0
    result[COMPLETE_TO] = 0
    before = work.counters[NODES]
    for remaining in range(1, depth + 1, 2):
        verdict = search(tables, rules, work, base, state[SIDE], remaining)
        if verdict == STOPPED:
            break
        result[COMPLETE_TO] = remaining
        if verdict == WON:
            result[FORCED] = remaining
            break
    result[SEARCHED] = work.counters[NODES] - before


def solve_states(
    tables: Tables, rules: Integers, work: Work, states: Rows, depth: int, limit: int, results: Rows
) -> None:
    """Search each position on its own, with `limit` nodes, and write its result."""
    for row in range(len(states)):
        state, result = states[row], results[row]
        if state[ENDING]:
            result[FORCED] = 0
            result[COMPLETE_TO] = NOT_SEARCHED
            result[SEARCHED] = 0
        else:
            start_search(tables, work, state, limit)
            deepen(tables, rules, work, work.counters[ZERO], depth, result)
