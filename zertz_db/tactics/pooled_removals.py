"""Refute placements for all removed rings at once, where the attacker has three plies left. Runs on lists, or compiled.

A reply that lands on another ring than the removed one is as legal with that ring as without it. If the attacker then wins at once, he
wins by a capture that would be possible with the ring too, or by isolating marbles with three vacant neighbours at most, of which the
removal, the placement and its removal take one each. So if neither is possible with the ring on the board, the reply refutes the placement
whichever ring it removes, but for the ring on which the reply lands.
"""

from __future__ import annotations

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import MARBLES, PLACE, RINGS, SIDE, STATE_SIZE, Integers, free_rings, lowest, occupied, size
from zertz_db.tactics.instant_wins import CAPTURE_WINS, cluster_of, try_captures, wins_by_placing
from zertz_db.tactics.search_moves import (
    NODES,
    Work,
    is_spent,
    jump_landings,
    list_captures,
    may_close,
    move_other,
    pack_move,
    play_move,
    rack_place,
)

MOST_GATES = 3
"""Maximum number of vacant rings next to marbles that two removals and a placement can cut off."""
FEWEST_VACANT = 9
"""Minimum number of vacant rings for which nothing here can fill the board."""


def may_isolate(tables: Tables, rules: Integers, state: Integers) -> bool:
    """Return False if no placement wins by isolation, whichever vacant ring was removed just before."""
    marbles = occupied(state)
    vacant_rings = state[RINGS] & ~marbles
    claimable = 0
    rest = marbles
    while rest:
        ring = rest & -rest
        rest ^= ring
        if size(tables.around[lowest(ring)] & vacant_rings) > MOST_GATES:
            continue
        cluster = cluster_of(tables, marbles, ring)
        rest &= ~cluster
        gates = 0
        inside = cluster
        while inside:
            gates |= tables.around[lowest(inside)] & vacant_rings
            inside &= inside - 1
        if size(gates) <= MOST_GATES:
            claimable |= cluster
    is_corner_vacant = False
    rest = vacant_rings
    while rest and not is_corner_vacant:
        is_corner_vacant = size(tables.around[lowest(rest)] & vacant_rings) < MOST_GATES
        rest &= rest - 1
    return wins_by_placing(rules, state, claimable, is_corner_vacant or claimable != 0)


def unrefuted_removals(
    tables: Tables, rules: Integers, work: Work, ply: int, colour: int, ring: int, removable: int
) -> int:
    """Return the rings out of `removable` for which no single jump was found to refute a placement."""
    before, state = work.states[ply], work.states[ply + 1]
    for place in range(STATE_SIZE):
        state[place] = before[place]
    state[rack_place(state) + colour] -= 1
    state[MARBLES + colour] |= 1 << ring
    state[SIDE] = 1 - state[SIDE]
    work.counters[NODES] += 1
    left = removable
    for number in range(list_captures(tables, work, ply + 1)):
        first, jumped = work.moves[ply + 1][2 * number], work.moves[ply + 1][2 * number + 1]
        kept = left & 1 << move_other(first)
        if jumped & (jumped - 1) or kept == left:
            continue
        play_move(tables, rules, work, ply + 1, first, jumped)
        is_won = try_captures(tables, rules, work, ply + 2) == CAPTURE_WINS
        if is_spent(work):
            return removable
        if not is_won and not may_isolate(tables, rules, work.states[ply + 2]):
            left = kept
            if not left:
                break
    return left


def list_unrefuted(tables: Tables, rules: Integers, work: Work, ply: int) -> int:
    """List the placements that leave a jump and are not refuted for all removed rings at once; return their number."""
    state, moves = work.states[ply], work.moves[ply]
    marbles, rings = occupied(state), state[RINGS]
    vacant_rings = rings & ~marbles
    free = free_rings(tables, state)
    rack = rack_place(state)
    count = 0
    places = vacant_rings
    while places:
        ring = lowest(places)
        places &= places - 1
        landings = jump_landings(tables, marbles, vacant_rings, ring)
        if not landings:
            continue
        removable = free & ~(1 << ring)
        if not landings & (landings - 1):
            removable &= ~landings
        closing = 0
        rest = removable
        while rest:
            removed = lowest(rest)
            rest &= rest - 1
            if may_close(tables, rings & ~(1 << removed), marbles | 1 << ring, ring, removed):
                closing |= 1 << removed
        for colour in range(3):
            if state[rack + colour] == 0:
                continue
            left = removable & ~closing
            if left:
                left = unrefuted_removals(tables, rules, work, ply, colour, ring, left)
            left |= closing
            is_forced = free & ~(1 << ring) == 0  # no ring is removed
            while left or is_forced:
                removed = -1
                if left:
                    removed = lowest(left)
                    left &= left - 1
                is_forced = False
                moves[2 * count] = pack_move(PLACE, colour, ring, removed)
                moves[2 * count + 1] = 0
                count += 1
    return count
