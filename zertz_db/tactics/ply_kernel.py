"""Judge played moves by forced wins, on integers like the kernel: on lists, or compiled on arrays."""

from __future__ import annotations

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import ENDING, PLACE, SIDE, WINNER, Integers
from zertz_db.tactics.search_kernel import (
    COMPLETE_TO,
    FORCED,
    NOT_SEARCHED,
    NOT_WON,
    RESULT_SIZE,
    SEARCHED,
    STOPPED,
    WON,
    deepen,
    forget,
    search,
    start_search,
    try_move,
)
from zertz_db.tactics.search_moves import (
    NODES,
    ZERO,
    Rows,
    Work,
    is_spent,
    list_moves,
    move_kind,
    play_move,
    set_limit,
)

# Places in the verdict on a ply, after those of the result for the position before it.
KEEPS = RESULT_SIZE  # YES if the played move keeps a forced win, within two plies more
MISSED = RESULT_SIZE + 1  # YES if it let a forced win in 3 or more go
ONLY_MOVE = RESULT_SIZE + 2  # YES if one class of moves wins within the plies of the forced win
BLUNDER = (
    RESULT_SIZE + 3
)  # plies of the forced win that the played move gave the opponent, although another move did not; or 0
BETTER = RESULT_SIZE + 4  # that other move, packed; -1 without a blunder
LOST_BEFORE = RESULT_SIZE + 5  # YES if every legal move gives the opponent a forced win within the blunder's depth
VERDICT_SIZE = RESULT_SIZE + 6

NO, YES, UNDECIDED = 0, 1, -1

MORE_NODES = 3
"""Factor of the limit for the search after the played move, which must not overlook what the search before it found."""
CLASSES_NODES = 10
"""Factor of the limit for the search of all classes of winning moves."""
TRIES_NODES = 50
"""Factor of the limit for the search of a better move."""
_STRIDE = 613
"""Step through the list of moves when a better one is sought: neighbours in the list are alike."""


def judge_win(
    tables: Tables, rules: Integers, work: Work, before: Integers, after: Integers, limit: int, verdict: list[int]
) -> None:
    """Write whether the move played from a position with a forced win keeps it or misses it."""
    attacker = before[SIDE]
    forced = verdict[FORCED]
    if after[ENDING]:
        keeps = after[WINNER] == attacker + 1
        verdict[KEEPS] = YES if keeps else NO
        verdict[MISSED] = YES if not keeps and forced >= 3 else NO
        return
    start_search(tables, work, after, MORE_NODES * limit)
    root = work.counters[ZERO]
    found = search(tables, rules, work, root, attacker, forced - 1) if forced > 1 else NOT_WON
    verdict[SEARCHED] += work.counters[NODES]
    if found == NOT_WON:
        set_limit(work, MORE_NODES * limit)
        wider = search(tables, rules, work, root, attacker, forced + 1)
        verdict[SEARCHED] += work.counters[NODES]
        verdict[KEEPS] = YES if wider == WON else NO if wider == NOT_WON else UNDECIDED
        verdict[MISSED] = YES if wider != WON and forced >= 3 else NO
    else:
        verdict[KEEPS] = YES if found == WON else UNDECIDED


def is_only_move(tables: Tables, rules: Integers, work: Work, before: Integers, forced: int, limit: int) -> int:
    """Return whether one class of moves wins within `forced` plies, which some move does: YES, NO or UNDECIDED."""
    start_search(tables, work, before, limit)
    attacker = before[SIDE]
    root = work.counters[ZERO]
    winning = -1
    moves = work.moves[root]
    for number in range(list_moves(tables, work, root, int(forced > 1))):
        first, jumped = moves[2 * number], moves[2 * number + 1]
        kind = number + 4096 if move_kind(first) != PLACE else first & 4095  # a placement's class is colour and ring
        if kind == winning:
            continue
        found = try_move(tables, rules, work, root, attacker, first, jumped, forced)
        if found == STOPPED:
            return UNDECIDED
        if found == WON:
            if winning >= 0:
                return NO
            winning = kind
    return YES


def judge_blunder(
    tables: Tables,
    rules: Integers,
    work: Work,
    before: Integers,
    plies: int,
    depth: int,
    limit: int,
    verdict: list[int],
) -> None:
    """Write whether a free move that gave the opponent a forced win in `plies` is a blunder, or the game was lost before it."""
    start_search(tables, work, before, limit)
    root = work.counters[ZERO]
    moves = work.moves[root]
    count = list_moves(tables, work, root, root)
    if count < 2 or move_kind(moves[0]) != PLACE or is_spent(work):
        return
    step = _STRIDE
    while count % step == 0 or step % count == 0 or not is_coprime(step, count):
        step += 1
    spent = 0
    all_lose = True
    scratch = work.frames[len(work.frames) - 1]  # no search is as deep: its places serve as a result
    for number in range(count):
        at = number * step % count
        forget(work)
        set_limit(work, limit)
        play_move(tables, rules, work, root, moves[2 * at], moves[2 * at + 1])
        after = work.states[1]
        safe = True
        if not after[ENDING]:
            deepen(tables, rules, work, root + 1, depth, scratch)
            safe = scratch[FORCED] == 0
        elif after[WINNER] != before[SIDE] + 1:
            safe = after[WINNER] == 0
        spent += work.counters[NODES]
        if safe:
            verdict[BLUNDER] = plies
            verdict[BETTER] = moves[2 * at]
            all_lose = False
            break
        if spent > TRIES_NODES * limit:
            all_lose = False
            break
    verdict[SEARCHED] += spent
    verdict[LOST_BEFORE] = YES if all_lose else NO


def is_coprime(one: int, other: int) -> bool:
    """Return whether two positive numbers have no common factor."""
    while other:
        one, other = other, one % other
    return one == 1


def judge_plies(
    tables: Tables,
    rules: Integers,
    work: Work,
    states: Rows,
    follows: Integers,
    depth: int,
    blunder_depth: int,
    limit: int,
    verdicts: Rows,
) -> None:
    """Judge each ply from row r to row r + 1 of `states` for which follows[r] is 1; write a verdict for each row.

    `limit` is the number of nodes for one position.
    """
    for row in range(len(states) - 1, -1, -1):
        state, verdict = states[row], verdicts[row]
        for place in range(VERDICT_SIZE):
            verdict[place] = 0
        verdict[BETTER] = -1
        if state[ENDING]:
            verdict[COMPLETE_TO] = NOT_SEARCHED
            continue
        start_search(tables, work, state, limit)
        deepen(tables, rules, work, work.counters[ZERO], depth, verdict)
        forced = verdict[FORCED]
        if forced:
            verdict[ONLY_MOVE] = is_only_move(tables, rules, work, state, forced, CLASSES_NODES * limit)
            verdict[SEARCHED] += work.counters[NODES]
        if not follows[row]:
            continue
        after = states[row + 1]
        if forced:
            judge_win(tables, rules, work, state, after, limit, verdict)
        plies = verdicts[row + 1][FORCED]  # the search from there was the same as that of a possible blunder
        if 0 < plies <= blunder_depth:
            judge_blunder(tables, rules, work, state, plies, blunder_depth, limit, verdict)
