"""List the moves that the alpha-beta search tries, and order them. Runs on lists, or compiled.

Placements that differ in the removed ring alone are many. Beyond the first position, a ring that touches no marble is removed for all of
its kind: only one such removal is tried for each colour and ring.
"""

from __future__ import annotations

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import PLACE, RINGS, SKIP, Integers, free_rings, lowest, occupied, size
from zertz_db.tactics.search_moves import (
    Rows,
    Work,
    add_placements,
    is_spent,
    list_captures,
    move_colour,
    move_kind,
    move_other,
    move_ring,
    rack_place,
)

# Places in the history: the success of a colour on a ring, and of a removed ring, at 256 * (colour or 3) + ring + 1.
HISTORY_ROW = 256
HISTORY_SIZE = 4 * HISTORY_ROW


def list_candidates(tables: Tables, work: Work, ply: int, is_first: int) -> int:
    """List the captures of a position, or else placements, all of them if `is_first`, or else the pass; return their number."""
    count = list_captures(tables, work, ply)
    if count or is_spent(work):
        return count
    state = work.states[ply]
    rack = rack_place(state)
    if state[RINGS] != occupied(state) and state[rack] + state[rack + 1] + state[rack + 2] > 0:
        return list_some_placements(tables, work, ply, is_first)
    work.moves[ply][0] = SKIP
    work.moves[ply][1] = 0
    return 1


def list_some_placements(tables: Tables, work: Work, ply: int, is_first: int) -> int:
    """List placements, without most of those that remove a ring that touches no marble; return their number."""
    state = work.states[ply]
    marbles = occupied(state)
    vacant_rings = state[RINGS] & ~marbles
    free = free_rings(tables, state)
    near = 0
    rest = marbles
    while rest:
        near |= tables.around[lowest(rest)]
        rest &= rest - 1
    count = 0
    places = vacant_rings
    while places:
        ring = lowest(places)
        places &= places - 1
        removable = free & ~(1 << ring)
        if not is_first:
            far = removable & ~near & ~tables.around[ring]
            removable ^= far ^ (far & -far)
        count = add_placements(work, ply, count, ring, removable)
    return count


def history_of(history: Integers, first: int) -> int:
    """Return how often a placement's ring and removed ring cut the search short."""
    return (
        history[HISTORY_ROW * move_colour(first) + move_ring(first) + 1]
        + history[3 * HISTORY_ROW + move_other(first) + 1]
    )


def score_moves(work: Work, history: Integers, scores: Rows, ply: int, count: int, best: int, best_jumped: int) -> None:
    """Write a score for each listed move; the move `best` of the table is first, then those that cut the search short."""
    moves, row = work.moves[ply], scores[ply]
    for number in range(count):
        first, jumped = moves[2 * number], moves[2 * number + 1]
        if first == best and jumped == best_jumped:
            row[number] = 1 << 60
        elif move_kind(first) == PLACE:
            row[number] = history_of(history, first)
        else:
            row[number] = size(jumped)
