"""Play random moves on integers alone, like the kernel: on lists as they are, and compiled on arrays (`compiled_random`).

The functions draw from `chance`, a sequence of numbers from 0 to 1; used[0] of them are spent. Before a move, at least
get_max_move_length() more must be available.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import (
    CAPTURED,
    CLAIMED,
    ENDING,
    JUMP,
    MARBLES,
    PLACE,
    PLACEMENT_SIZE,
    POOL,
    RACK_OWN,
    RACK_POOL,
    RINGS,
    SIDE,
    SKIP,
    WRITTEN,
    Integers,
    State,
    can_jump,
    colour_on,
    free_rings,
    full_groups,
    has_marble,
    must_pass,
    occupied,
    play,
    vacant,
    whole_groups,
)

Numbers: TypeAlias = Sequence[float]

BUFFER_FULL = -1


def get_max_move_length(tables: Tables) -> int:
    """Return the maximum number of integers in a move, which is more than the numbers drawn for it: a chain jumps each marble at most
    once.
    """
    return PLACEMENT_SIZE + 2 * tables.rings


def draw_below(chance: Numbers, used: State, limit: int) -> int:
    """Return a whole number from 0 to `limit` - 1."""
    number = chance[used[0]]
    used[0] += 1
    return int(number * limit)


def draw_ring(chance: Numbers, used: State, rings: int) -> int:
    """Return a random ring of a set that is not empty."""
    count = 0
    rest = rings
    while rest:
        rest &= rest - 1
        count += 1
    for _ in range(draw_below(chance, used, count)):
        rings &= rings - 1
    ring = 0
    while not rings >> ring & 1:
        ring += 1
    return ring


def random_move(tables: Tables, rules: Integers, state: Integers, chance: Numbers, used: State, move: State) -> int:
    """Write any legal move into `move` and return its length; under written claims, it claims a random choice of the groups that it
    fills.
    """
    length = random_capture(tables, state, chance, used, move)
    if length:
        return length
    if vacant(state) and has_marble(state):
        random_placement(tables, state, chance, used, move)
        if rules[WRITTEN]:
            random_claim(tables, state, chance, used, move)
        return PLACEMENT_SIZE
    move[0] = SKIP
    return 1


def random_capture(tables: Tables, state: Integers, chance: Numbers, used: State, move: State) -> int:
    """Write a chain of jumps: any marble that can jump, and any jump at each step. Return its length, 0 if no marble can jump."""
    marbles = occupied(state)
    vacant_rings = vacant(state)
    able = 0
    for ring in range(tables.rings):
        if marbles >> ring & 1 and can_jump(tables, marbles, vacant_rings, ring):
            able |= 1 << ring
    if not able:
        return 0
    ring = draw_ring(chance, used, able)
    move[0] = JUMP
    move[1] = ring
    length = 2
    while can_jump(tables, marbles, vacant_rings, ring):
        place = random_hop(tables, marbles, vacant_rings, ring, chance, used)
        over, landing = tables.neighbour[place], tables.landing[place]
        move[length] = colour_on(state, over)
        move[length + 1] = landing
        length += 2
        moved = 1 << ring | 1 << landing
        marbles = (marbles ^ moved) & ~(1 << over)
        vacant_rings = (vacant_rings ^ moved) | 1 << over
        ring = landing
    return length


def random_hop(tables: Tables, marbles: int, vacant_rings: int, ring: int, chance: Numbers, used: State) -> int:
    """Return a random jump of the marble on `ring`, as its index in the board's tables."""
    directions = 0
    for direction in range(6):
        landing = tables.landing[6 * ring + direction]
        if landing >= 0 and vacant_rings >> landing & 1 and marbles >> tables.neighbour[6 * ring + direction] & 1:
            directions |= 1 << direction
    return 6 * ring + draw_ring(chance, used, directions)


def random_placement(tables: Tables, state: Integers, chance: Numbers, used: State, move: State) -> None:
    """Write a placement of a marble of any colour on any ring, with any ring removed and no claim."""
    rack = RACK_POOL
    marbles = POOL
    if state[POOL] + state[POOL + 1] + state[POOL + 2] == 0:
        rack = RACK_OWN
        marbles = CAPTURED + 3 * state[SIDE]
    ring = draw_ring(chance, used, vacant(state))
    colours = 0
    for colour in range(3):
        if state[marbles + colour]:
            colours |= 1 << colour
    move[0] = PLACE
    move[1] = draw_ring(chance, used, colours)
    move[2] = ring
    removable = free_rings(tables, state) & ~(1 << ring)
    if removable:
        move[3] = draw_ring(chance, used, removable)
    else:
        used[0] += 1
        move[3] = -1
    move[4] = rack
    for place in range(5, PLACEMENT_SIZE):
        move[place] = 0


def random_claim(tables: Tables, state: Integers, chance: Numbers, used: State, move: State) -> None:
    """Claim each group that a placement fills, or not, by a coin toss."""
    marbles = occupied(state)
    rings = state[RINGS]
    before = full_groups(tables, rings, marbles)
    placed = 1 << move[2]
    if move[3] >= 0:
        rings &= ~(1 << move[3])
    full = full_groups(tables, rings, marbles | placed) & ~before
    claimed = 0
    while full:
        group = whole_groups(tables, rings, full & -full)
        full &= ~group
        if draw_below(chance, used, 2) == 0:
            claimed |= group
    if claimed:
        move[5] = 1
    for colour in range(3):
        move[6 + colour] = state[MARBLES + colour] & claimed
    move[6 + move[1]] |= placed & claimed


def random_game(
    tables: Tables,
    rules: Integers,
    state: State,
    longest: int,
    chance: Numbers,
    used: State,
    move: State,
    code: State,
    begins: State,
    claims: State,
) -> int:
    """Play until the game is over, or has `longest` plies and the mover can move; return the number of plies.

    Ply p is code[begins[p]:begins[p+1]], and its claimed white, grey and black marbles are the sets claims[3p:3p+3]; `move` is working
    space. Return BUFFER_FULL if one of these, or `chance`, is too short.
    """
    room = get_max_move_length(tables)
    plies = 0
    begins[0] = 0
    while not state[ENDING] and (plies < longest or must_pass(tables, state)):
        begin = begins[plies]
        if used[0] + room > len(chance) or begin + room > len(code) or plies + 2 > len(begins):
            return BUFFER_FULL
        length = random_move(tables, rules, state, chance, used, move)
        for place in range(length):
            code[begin + place] = move[place]
        for colour in range(3):
            claims[3 * plies + colour] = state[MARBLES + colour]
        if move[0] == PLACE:
            claims[3 * plies + move[1]] |= 1 << move[2]
        play(tables, rules, state, move, 0, length)
        for colour in range(3):
            claims[3 * plies + colour] &= state[CLAIMED]
        plies += 1
        begins[plies] = begin + length
    return plies
