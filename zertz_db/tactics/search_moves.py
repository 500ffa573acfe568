"""List and play moves for the search, on integers like the kernel: on lists, or compiled on arrays.

A move is two integers: `first` packs its kind, colour, ring and other ring (`pack_move`); `jumped` is the set of rings that a capture
jumps. Captures with the same start, landing and jumped set lead to the same position and are one move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from zertz_db.rules.board import Tables
from zertz_db.rules.kernel import (
    CAPTURED,
    CLAIMED,
    EDGE,
    JUMP,
    LENIENCY,
    MARBLES,
    NO_MOVE,
    PASSES,
    PLACE,
    POOL,
    RINGS,
    SIDE,
    SKIP,
    STATE_SIZE,
    Integers,
    State,
    can_jump,
    edge_rings,
    end,
    end_turn,
    free_rings,
    full_groups,
    lowest,
    occupied,
    size,
    slide_out,
    take,
)

Rows: TypeAlias = Sequence[list[int]]

# Places in the counters.
NODES = 0  # positions reached by a move since the limit was set
LIMIT = 1  # the search stops beyond this number of nodes
GENERATION = 2  # the number of the search: entries of the table with another number are void
OLD_GROUP = 3  # whether the first position may hold a full group that no placement has claimed yet
ZERO = 4  # always 0: a function to which a literal is passed would be compiled again for it
COUNTERS_SIZE = 5

# Places in a frame, one for each ply.
REMAINING = 0  # plies left: odd if the attacker moves
COUNT = 1  # moves listed
NEXT = 2  # the number of the next move to try
KILLER = 3  # the move that last decided a position of this ply
KILLER_JUMPED = 4
FRAME_SIZE = 5

# Places in a link of a chain.
LINK_RING = 0
LINK_DIRECTION = 1
LINK_JUMPED = 2
LINK_SIZE = 3

FREE_STEPS = 64
"""Number of jumps of one position that are walked without being counted as nodes."""


class Work(NamedTuple):
    """The memory of a search: lists, or int64 arrays once compiled.

    states, frames, moves: a row for each ply. chains: a row for each jump of a chain. table: the table of positions.
    """

    states: Rows
    frames: Rows
    moves: Rows
    chains: Rows
    table: State
    counters: State


def pack_move(kind: int, colour: int, ring: int, other: int) -> int:
    """Return the first integer of a move; `other` is the removed ring or -1, or a capture's landing."""
    return kind + 4 * colour + 16 * ring + 4096 * (other + 1)


def move_kind(first: int) -> int:
    """Return PLACE, JUMP or SKIP."""
    return first & 3


def move_colour(first: int) -> int:
    """Return the colour of a placement."""
    return first >> 2 & 3


def move_ring(first: int) -> int:
    """Return the ring of a placement, or the start of a capture."""
    return first >> 4 & 255


def move_other(first: int) -> int:
    """Return the removed ring or -1, or the landing of a capture."""
    return (first >> 12) - 1


def start_position(tables: Tables, work: Work, state: Integers, limit: int) -> None:
    """Set the first position of a search, and the limit of nodes."""
    first = work.states[0]
    for place in range(STATE_SIZE):
        first[place] = state[place]
    first[CLAIMED] = 0
    first[LENIENCY] = 0
    if first[EDGE] == 0:
        first[EDGE] = edge_rings(tables, first[RINGS])
    work.counters[OLD_GROUP] = 0
    if full_groups(tables, first[RINGS], occupied(first)):
        work.counters[OLD_GROUP] = 1
    set_limit(work, limit)


def set_limit(work: Work, limit: int) -> None:
    """Begin to count nodes."""
    work.counters[NODES] = 0
    work.counters[LIMIT] = limit


def spend_nodes(work: Work, nodes: int) -> None:
    """Count nodes."""
    work.counters[NODES] += nodes


def is_spent(work: Work) -> bool:
    """Return whether the limit is exceeded."""
    return work.counters[NODES] > work.counters[LIMIT]


def rack_place(state: Integers) -> int:
    """Return the place in the state of the marbles that can be placed: the pool, or the mover's captures once it is empty."""
    if state[POOL] + state[POOL + 1] + state[POOL + 2] > 0:
        return POOL
    return CAPTURED + 3 * state[SIDE]


def may_close(tables: Tables, rings: int, marbles: int, ring: int, removed: int) -> bool:
    """Return whether a placement may have filled or cut off a group, if no group was full before."""
    vacant_rings = rings & ~marbles
    if not tables.around[ring] & vacant_rings:
        return True
    if removed < 0:
        return False
    beside = tables.around[removed] & marbles
    while beside:
        if not tables.around[lowest(beside)] & vacant_rings:
            return True
        beside &= beside - 1
    return False


def play_placement(tables: Tables, rules: Integers, work: Work, state: State, first: int) -> None:
    """Play a legal placement; all full groups are claimed."""
    colour, ring, removed = move_colour(first), move_ring(first), move_other(first)
    state[rack_place(state) + colour] -= 1
    state[MARBLES + colour] |= 1 << ring
    if removed >= 0:
        slide_out(tables, state, removed)
    marbles = occupied(state)
    rings = state[RINGS]
    if marbles != rings and (work.counters[OLD_GROUP] or may_close(tables, rings, marbles, ring, removed)):
        take(state, full_groups(tables, rings, marbles))
    end_turn(rules, state)


def play_capture(rules: Integers, state: State, first: int, jumped: int) -> None:
    """Play a whole chain of jumps."""
    start, landing = move_ring(first), move_other(first)
    mine = CAPTURED + 3 * state[SIDE]
    for colour in range(3):
        marbles = state[MARBLES + colour]
        taken = marbles & jumped
        state[mine + colour] += size(taken)
        marbles ^= taken
        if marbles >> start & 1:
            marbles = marbles ^ 1 << start | 1 << landing
        state[MARBLES + colour] = marbles
    end_turn(rules, state)


def play_move(tables: Tables, rules: Integers, work: Work, ply: int, first: int, jumped: int) -> None:
    """Play a legal move from the position of a ply into the row of the next ply."""
    before, state = work.states[ply], work.states[ply + 1]
    for place in range(STATE_SIZE):
        state[place] = before[place]
    state[CLAIMED] = 0
    state[LENIENCY] = 0
    work.counters[NODES] += 1
    kind = move_kind(first)
    if kind == SKIP:
        state[PASSES] += 1
        state[SIDE] = 1 - state[SIDE]
        if state[PASSES] == 2:
            end(state, NO_MOVE, 0)
        return
    state[PASSES] = 0
    if kind == PLACE:
        play_placement(tables, rules, work, state, first)
    else:
        play_capture(rules, state, first, jumped)


def list_captures(tables: Tables, work: Work, ply: int) -> int:
    """List the captures of a position, and return their number; the walk of too many chains exhausts the limit."""
    state, moves, chains = work.states[ply], work.moves[ply], work.chains
    marbles, rings = occupied(state), state[RINGS]
    room = len(moves) // 2
    count = 0
    steps = 0
    starts = marbles
    while starts:
        start = lowest(starts)
        starts &= starts - 1
        if not can_jump(tables, marbles, rings & ~marbles, start):
            continue
        others = marbles ^ 1 << start
        same_start = count
        depth = 0
        link = chains[0]
        link[LINK_RING], link[LINK_DIRECTION], link[LINK_JUMPED] = start, 0, 0
        while depth >= 0:
            link = chains[depth]
            ring, jumped = link[LINK_RING], link[LINK_JUMPED]
            present = others & ~jumped
            if link[LINK_DIRECTION] == 6:
                depth -= 1
                continue
            place = 6 * ring + link[LINK_DIRECTION]
            link[LINK_DIRECTION] += 1
            landing = tables.landing[place]
            if landing < 0 or not (rings & ~present) >> landing & 1 or not present >> tables.neighbour[place] & 1:
                continue
            steps += 1
            if steps > FREE_STEPS:
                spend_nodes(work, 1)
                if is_spent(work):
                    return count
            jumped |= 1 << tables.neighbour[place]
            present = others & ~jumped
            if can_jump(tables, present, rings & ~present, landing):
                depth += 1
                link = chains[depth]
                link[LINK_RING], link[LINK_DIRECTION], link[LINK_JUMPED] = landing, 0, jumped
                continue
            first = pack_move(JUMP, 0, start, landing)
            is_new = True
            for earlier in range(same_start, count):
                if moves[2 * earlier] == first and moves[2 * earlier + 1] == jumped:
                    is_new = False
            if is_new:
                if count == room:
                    spend_nodes(work, work.counters[LIMIT] + 1)
                    return count
                moves[2 * count] = first
                moves[2 * count + 1] = jumped
                count += 1
    return count


def jump_landings(tables: Tables, marbles: int, vacant_rings: int, ring: int) -> int:
    """Return the rings on which jumps land that a marble on `ring` allows, over it or by it, if there is no jump without it."""
    landings = 0
    beside = tables.around[ring] & marbles
    if not beside:
        return 0
    for direction in range(6):
        near = tables.neighbour[6 * ring + direction]
        if near < 0 or not marbles >> near & 1:
            continue
        beyond = tables.landing[6 * ring + direction]
        if beyond >= 0 and vacant_rings >> beyond & 1:
            landings |= 1 << beyond
        opposite = tables.neighbour[6 * ring + (direction + 3) % 6]
        if opposite >= 0 and vacant_rings >> opposite & 1:
            landings |= 1 << opposite
    return landings


def list_placements(tables: Tables, work: Work, ply: int, forcing: int) -> int:
    """List the placements of a position without a jump, if `forcing` only those that leave a jump; return their number."""
    state = work.states[ply]
    marbles = occupied(state)
    vacant_rings = state[RINGS] & ~marbles
    free = free_rings(tables, state)
    count = 0
    places = vacant_rings
    while places:
        ring = lowest(places)
        places &= places - 1
        removable = free & ~(1 << ring)
        if forcing:
            landings = jump_landings(tables, marbles, vacant_rings, ring)
            if not landings:
                continue
            if not landings & (landings - 1):
                if removable == landings:
                    continue  # the only ring to remove is needed for the jump
                removable &= ~landings
        count = add_placements(work, ply, count, ring, removable)
    return count


def add_placements(work: Work, ply: int, count: int, ring: int, removable: int) -> int:
    """Add the placements on a ring to the list of a ply: each colour, each removed ring, or none; return the new number of moves."""
    state, moves = work.states[ply], work.moves[ply]
    rack = rack_place(state)
    is_whole = removable == 0  # no ring is removed
    while removable or is_whole:
        removed = -1
        if removable:
            removed = lowest(removable)
            removable &= removable - 1
        is_whole = False
        for colour in range(3):
            if state[rack + colour] > 0:
                moves[2 * count] = pack_move(PLACE, colour, ring, removed)
                moves[2 * count + 1] = 0
                count += 1
    return count


def list_moves(tables: Tables, work: Work, ply: int, forcing: int) -> int:
    """List the legal moves of a position, if `forcing` without the placements that leave no jump; return their number."""
    count = list_captures(tables, work, ply)
    if count or is_spent(work):
        return count
    state = work.states[ply]
    rack = rack_place(state)
    has_vacant = state[RINGS] != occupied(state)
    if has_vacant and state[rack] + state[rack + 1] + state[rack + 2] > 0:
        return list_placements(tables, work, ply, forcing)
    work.moves[ply][0] = SKIP
    work.moves[ply][1] = 0
    return 1


def put_first(work: Work, ply: int, count: int) -> None:
    """Swap the ply's killer move to the front of its list if it is there."""
    moves, frame = work.moves[ply], work.frames[ply]
    killer, jumped = frame[KILLER], frame[KILLER_JUMPED]
    if killer < 0:
        return
    for number in range(1, count):
        if moves[2 * number] == killer and moves[2 * number + 1] == jumped:
            moves[2 * number] = moves[0]
            moves[2 * number + 1] = moves[1]
            moves[0] = killer
            moves[1] = jumped
            return
