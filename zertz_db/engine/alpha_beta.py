"""Search for the best move by alpha-beta, on integers like the kernel: on lists, or compiled on arrays.

The depth is a number of placements: compulsory captures are played at no cost, so every line ends where nothing can be captured. Each
position is first tested for a win in one. The stack is explicit: compiled functions that call themselves can't be stored, and the search
can pause, for a look at the clock, and go on.
"""

from __future__ import annotations

from zertz_db.engine.candidates import HISTORY_ROW, list_candidates, score_moves
from zertz_db.engine.evaluation import LONGEST_WIN, WIN, evaluate
from zertz_db.engine.position_table import (
    AT_LEAST,
    AT_MOST,
    BOUND,
    DEPTH,
    EXACT,
    MOVE,
    MOVE_JUMPED,
    VALUE,
    entry_of,
    is_entry_of,
    store_entry,
    value_from,
)
from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import (
    ENDING,
    PLACE,
    SIDE,
    WINNER,
    Integers,
    State,
    any_jump,
)
from zertz_db.tactics.instant_wins import wins_now
from zertz_db.tactics.search_moves import (
    COUNTERS_SIZE,
    NODES,
    ZERO,
    Rows,
    Work,
    is_spent,
    move_colour,
    move_kind,
    move_other,
    move_ring,
    play_move,
)

# Further places in the counters.
PLY = COUNTERS_SIZE  # where a paused search goes on
STEP = COUNTERS_SIZE + 1
REPLY = COUNTERS_SIZE + 2
MARGIN = COUNTERS_SIZE + 3  # the values of first moves are exact if they are less than this below the best
TRIED = COUNTERS_SIZE + 4  # first moves searched to the end in this iteration
ALL_COUNTERS = COUNTERS_SIZE + 5

# Places in a frame, one for each ply.
LEFT = 0  # placements left
ALPHA = 1
BETA = 2
COUNT = 3  # moves listed
NEXT = 4  # the number of the next move to try
BEST = 5  # the best value so far
BEST_MOVE = 6
BEST_JUMPED = 7
FLOOR = 8  # alpha at the start
FRAME_SIZE = 9

# Steps.
OPEN, TRY, CLOSE = 0, 1, 2

# What a run of the search ends with.
DONE, PAUSED, SPENT = 0, 1, 2

MOST_PLIES = 48
"""Maximum number of plies of a line."""
_SORTED = 12
"""Moves of a position that are tried in the order of their scores; the others follow as listed."""


def list_first_moves(tables: Tables, work: Work) -> int:
    """List all moves of the first position, and return their number."""
    count = list_candidates(tables, work, work.counters[ZERO], 1 - work.counters[ZERO])
    work.frames[0][COUNT] = count
    return count


def start_iteration(work: Work, depth: int, margin: int) -> None:
    """Begin the search of the listed first moves to a number of placements."""
    frame, counters = work.frames[0], work.counters
    frame[LEFT] = depth
    frame[ALPHA] = -WIN
    frame[FLOOR] = -WIN
    frame[BETA] = WIN
    frame[NEXT] = 0
    frame[BEST] = -WIN
    frame[BEST_MOVE] = -1
    frame[BEST_JUMPED] = 0
    counters[PLY] = 0
    counters[STEP] = TRY
    counters[REPLY] = 0
    counters[MARGIN] = margin
    counters[TRIED] = 0


def open_position(
    tables: Tables, rules: Integers, weights: Integers, work: Work, history: State, scores: Rows, ply: int
) -> bool:
    """Return True with the value in the counters if a position's value is known without its moves; otherwise list them."""
    state, frame, counters = work.states[ply], work.frames[ply], work.counters
    left = frame[LEFT]
    best, best_jumped = -1, 0
    at = 0
    if left > 0:
        at = entry_of(work, state)
        if is_entry_of(work, state, at):
            table = work.table
            best, best_jumped = table[at + MOVE], table[at + MOVE_JUMPED]
            if table[at + DEPTH] >= left:
                value, bound = value_from(table[at + VALUE], ply), table[at + BOUND]
                if (
                    bound == EXACT
                    or (bound == AT_LEAST and value >= frame[BETA])
                    or (bound == AT_MOST and value <= frame[ALPHA])
                ):
                    counters[REPLY] = value
                    return True
    if wins_now(tables, rules, work, ply):
        counters[REPLY] = WIN - ply - 1
        return True
    if ply == MOST_PLIES or (left == 0 and not any_jump(tables, state)):
        counters[REPLY] = evaluate(rules, weights, state)
        return True
    count = list_candidates(tables, work, ply, counters[ZERO])
    score_moves(work, history, scores, ply, count, best, best_jumped)
    frame[COUNT] = count
    frame[NEXT] = 0
    frame[BEST] = -WIN
    frame[BEST_MOVE] = -1
    frame[BEST_JUMPED] = 0
    frame[FLOOR] = frame[ALPHA]
    return False


def bring_forward(work: Work, scores: Rows, ply: int, number: int) -> None:
    """Swap the move with the best score from `number` on to that place."""
    moves, row, count = work.moves[ply], scores[ply], work.frames[ply][COUNT]
    best = number
    for other in range(number + 1, count):
        if row[other] > row[best]:
            best = other
    if best != number:
        first, jumped, score = moves[2 * best], moves[2 * best + 1], row[best]
        moves[2 * best], moves[2 * best + 1], row[best] = moves[2 * number], moves[2 * number + 1], row[number]
        moves[2 * number], moves[2 * number + 1], row[number] = first, jumped, score


def try_next(tables: Tables, rules: Integers, work: Work, scores: Rows, ply: int) -> bool:
    """Play the next move of a position; return whether that ends the game, with the value for its loser in the counters."""
    frame, counters = work.frames[ply], work.counters
    number = frame[NEXT]
    if ply > 0 and number < _SORTED:
        bring_forward(work, scores, ply, number)
    frame[NEXT] = number + 1
    first, jumped = work.moves[ply][2 * number], work.moves[ply][2 * number + 1]
    play_move(tables, rules, work, ply, first, jumped)
    below, after = work.frames[ply + 1], work.states[ply + 1]
    if after[ENDING]:
        counters[REPLY] = 0
        if after[WINNER]:
            counters[REPLY] = WIN - ply - 1 if after[WINNER] == after[SIDE] + 1 else ply + 1 - WIN
        return True
    is_placement = move_kind(first) == PLACE
    below[LEFT] = max(0, frame[LEFT] - is_placement)
    alpha = frame[ALPHA]
    if ply == 0:
        alpha = max(-WIN, alpha - counters[MARGIN])
    below[ALPHA] = -frame[BETA]
    below[BETA] = -alpha
    return False


def take_reply(work: Work, history: State, scores: Rows, ply: int) -> None:
    """Take over the value of the move tried last, and remember a move that cuts the search short."""
    frame, counters = work.frames[ply], work.counters
    number = frame[NEXT] - 1
    first, jumped = work.moves[ply][2 * number], work.moves[ply][2 * number + 1]
    value = -counters[REPLY]
    if ply == 0:
        scores[0][number] = value
        counters[TRIED] = number + 1
    if value > frame[BEST]:
        frame[BEST] = value
        frame[BEST_MOVE] = first
        frame[BEST_JUMPED] = jumped
        frame[ALPHA] = max(frame[ALPHA], value)
    if value >= frame[BETA]:
        frame[NEXT] = frame[COUNT]
        if move_kind(first) == PLACE:
            depth_squared = (frame[LEFT] + 1) * (frame[LEFT] + 1)
            history[HISTORY_ROW * move_colour(first) + move_ring(first) + 1] += depth_squared
            history[3 * HISTORY_ROW + move_other(first) + 1] += depth_squared


def close_position(work: Work, ply: int) -> None:
    """Store the value of a position whose moves have been tried."""
    frame = work.frames[ply]
    value = frame[BEST]
    work.counters[REPLY] = value
    if frame[LEFT] > 0 and ply > 0:
        bound = EXACT
        if value <= frame[FLOOR]:
            bound = AT_MOST
        elif value >= frame[BETA]:
            bound = AT_LEAST
        store_entry(work, work.states[ply], ply, frame[LEFT], bound, value, frame[BEST_MOVE], frame[BEST_JUMPED])


def run_iteration(
    tables: Tables, rules: Integers, weights: Integers, work: Work, history: State, scores: Rows, nodes: int
) -> int:
    """Go on with an iteration for a number of nodes; return DONE, PAUSED, or SPENT if the limit of nodes is exceeded.

    scores[0] then has a value for each of the first TRIED moves: exact for the best, and for those less than the margin below it.
    """
    counters = work.counters
    pause = counters[NODES] + nodes
    ply, step = counters[PLY], counters[STEP]
    while True:
        if is_spent(work) or counters[NODES] > pause:
            counters[PLY] = ply
            counters[STEP] = step
            return SPENT if is_spent(work) else PAUSED
        if step == OPEN:
            step = TRY
            if open_position(tables, rules, weights, work, history, scores, ply):
                step = CLOSE
        elif step == TRY:
            if work.frames[ply][NEXT] < work.frames[ply][COUNT]:
                step = OPEN
                if try_next(tables, rules, work, scores, ply):
                    step = CLOSE
                ply += 1
            else:
                close_position(work, ply)
                step = CLOSE
        else:
            if ply == 0:
                return DONE
            ply -= 1
            take_reply(work, history, scores, ply)
            step = TRY


def is_decided(value: int) -> bool:
    """Return whether a value is that of a forced win or loss."""
    return abs(value) > WIN - LONGEST_WIN
