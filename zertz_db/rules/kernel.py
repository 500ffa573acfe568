"""Define the rules of the game, once, as small functions over integers.

A set of rings is an integer with a bit for each ring. A state is a vector of integers (with the places below), changed in place. A move is
a range of a sequence of integers. Every function runs unchanged on lists (any board), and compiled on int64 arrays (boards of up to 63
rings): see `zertz_db.rules.compiled`. A refusal is a small number (`FINE` is 0); the catalogue of findings has the words. After a refusal
the state is unusable. Source: rules, sections 3 to 6.

A placement is `PLACE, colour, ring, removed ring or -1, rack, claim written (0 or 1), claimed white, grey, black`; a capture is `JUMP,
ring, (jumped colour or -1, landing ring)…`; a pass is `SKIP`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from zertz_db.rules.board import Tables

Integers: TypeAlias = Sequence[int]
State: TypeAlias = list[int]

# Places in a state.
RINGS = 0
MARBLES = 1  # three sets: white, grey, black
POOL = 4  # three counts
CAPTURED = 7  # three counts of player 1, then three of player 2
SIDE = 13  # 0 or 1: the side to move
PASSES = 14  # passes in a row
ENDING = 15
WINNER = 16  # 1 or 2; 0 is a tie, both lost, or not over
SETS = 17  # the winner's sets: bits for white, grey, black, each
CLAIMED = 18  # the rings claimed by the last turn
LENIENCY = 19  # the leniencies of the last turn
EDGE = 20  # the rings that could be slid out if they were vacant; 0 until computed
STATE_SIZE = 21

# Places in a rule set's vector.
GOAL = 0  # three counts
EACH = 3
TOURNAMENT = 4
WRITTEN = 5
LENIENT = 6  # whether the two leniencies of replay apply

# Kinds of moves.
PLACE, JUMP, SKIP = 0, 1, 2
PLACEMENT_SIZE = 9

# Stated origins of a marble.
RACK_UNSAID, RACK_POOL, RACK_OWN, RACK_OTHER = -1, 0, 1, 2

# Endings.
ONGOING, BY_SET, BOARD_FILLED, BOTH_LOSE, NO_MOVE = 0, 1, 2, 3, 4

# Leniencies.
CHAIN_STOPPED = 1  # a chain that already held a winning set stopped, though it could go on
RING_KEPT = 2  # the last marble won by filling a group, and no ring was removed

# Refusals.
FINE = 0
GAME_OVER = 1
MUST_CAPTURE = 2
PLACE_ON_NO_RING = 3
PLACE_ON_MARBLE = 4
NOT_IN_POOL = 5
NOT_IN_CAPTURES = 6
POOL_NOT_EMPTY = 7
POOL_EMPTY = 8
OTHERS_MARBLE = 9
RING_DUE = 10
REMOVED_NO_RING = 11
REMOVED_OCCUPIED = 12
REMOVED_NOT_FREE = 13
NO_RING_IS_FREE = 14
JUMP_BY_NOTHING = 15
JUMP_CROOKED = 16
JUMP_OVER_NOTHING = 17
LANDING_NO_RING = 18
LANDING_OCCUPIED = 19
JUMPED_COLOUR = 20
CHAIN_UNFINISHED = 21
CLAIM_NO_MARBLE = 22
CLAIM_COLOUR = 23
CLAIM_NOT_FULL = 24
CLAIM_PARTIAL = 25
CLAIM_OLD_GROUP = 26
CLAIM_INCOMPLETE = 27
PASS_WITH_MOVES = 28
NO_JUMP = 29


def size(rings: int) -> int:
    """Return the number of rings in a set."""
    return rings.bit_count()


def lowest(rings: int) -> int:
    """Return the first ring of a set that is not empty."""
    return (rings & -rings).bit_length() - 1


def occupied(state: Integers) -> int:
    """Return the rings that hold a marble."""
    return state[MARBLES] | state[MARBLES + 1] | state[MARBLES + 2]


def vacant(state: Integers) -> int:
    """Return the rings without a marble."""
    return state[RINGS] & ~occupied(state)


def colour_on(state: Integers, ring: int) -> int:
    """Return 0 for white, 1 for grey, 2 for black, -1 for none."""
    for colour in range(3):
        if state[MARBLES + colour] >> ring & 1:
            return colour
    return -1


def is_free(tables: Tables, rings: int, ring: int) -> bool:
    """Return whether a vacant ring can be slid out: two consecutive sides have no ring (section 3.3)."""
    before = tables.neighbour[6 * ring + 5]
    gap_before = before < 0 or not rings >> before & 1
    for direction in range(6):
        beside = tables.neighbour[6 * ring + direction]
        gap = beside < 0 or not rings >> beside & 1
        if gap and gap_before:
            return True
        gap_before = gap
    return False


def edge_rings(tables: Tables, rings: int) -> int:
    """Return the rings that could be slid out if they were vacant."""
    edge = 0
    for ring in range(tables.rings):
        if rings >> ring & 1 and is_free(tables, rings, ring):
            edge |= 1 << ring
    return edge


def free_rings(tables: Tables, state: Integers) -> int:
    """Return the vacant rings that may be removed."""
    edge = state[EDGE]
    if edge == 0:
        edge = edge_rings(tables, state[RINGS])
    return vacant(state) & edge


def slide_out(tables: Tables, state: State, ring: int) -> None:
    """Remove a ring from the board; its neighbours may now be on the edge."""
    rings = state[RINGS] & ~(1 << ring)
    state[RINGS] = rings
    if state[EDGE] == 0:
        return
    edge = state[EDGE] & ~(1 << ring)
    for place in range(6 * ring, 6 * ring + 6):
        beside = tables.neighbour[place]
        if beside >= 0 and rings >> beside & 1 and not edge >> beside & 1 and is_free(tables, rings, beside):
            edge |= 1 << beside
    state[EDGE] = edge


def can_jump(tables: Tables, marbles: int, vacant_rings: int, ring: int) -> bool:
    """Return whether the marble on `ring` can jump over another."""
    if not marbles & tables.around[ring]:
        return False
    for place in range(6 * ring, 6 * ring + 6):
        landing = tables.landing[place]
        if landing >= 0 and vacant_rings >> landing & 1 and marbles >> tables.neighbour[place] & 1:
            return True
    return False


def any_jump(tables: Tables, state: Integers) -> bool:
    """Return whether the player to move must capture."""
    marbles = occupied(state)
    vacant_rings = state[RINGS] & ~marbles
    rest = marbles
    while rest:
        if can_jump(tables, marbles, vacant_rings, lowest(rest)):
            return True
        rest &= rest - 1
    return False


def has_marble(state: Integers) -> bool:
    """Return whether the player to move has a marble to place, from the pool or else from the captures."""
    mine = CAPTURED + 3 * state[SIDE]
    return state[POOL] + state[POOL + 1] + state[POOL + 2] > 0 or state[mine] + state[mine + 1] + state[mine + 2] > 0


def must_pass(tables: Tables, state: Integers) -> bool:
    """Return whether the player to move has neither jump nor placement (section 3.5)."""
    if vacant(state) and has_marble(state):
        return False
    return not any_jump(tables, state)


def full_groups(tables: Tables, rings: int, marbles: int) -> int:
    """Return all rings of full groups (section 4), which no vacant ring can reach."""
    waiting = marbles
    reached = rings & ~marbles
    spread = True
    while spread and waiting:
        spread = False
        rest = waiting
        while rest:
            ring = rest & -rest
            rest ^= ring
            if tables.around[lowest(ring)] & reached:
                reached |= ring
                waiting ^= ring
                spread = True
    return waiting


def whole_groups(tables: Tables, rings: int, some: int) -> int:
    """Return `some` of the rings, with all that are connected to them."""
    group = some
    spread = True
    while spread:
        spread = False
        for ring in range(tables.rings):
            if rings >> ring & 1 and not group >> ring & 1 and tables.around[ring] & group:
                group |= 1 << ring
                spread = True
    return group


def winning_sets(rules: Integers, state: Integers, side: int) -> int:
    """Return the winning sets that a player holds, as bits: white, grey, black, each."""
    mine = CAPTURED + 3 * side
    sets = 0
    least = state[mine]
    for colour in range(3):
        if state[mine + colour] >= rules[GOAL + colour]:
            sets |= 1 << colour
        least = min(least, state[mine + colour])
    if least >= rules[EACH]:
        sets |= 8
    return sets


def nobody_captured(state: Integers) -> bool:
    """Return whether pool and both players' captures are empty: every marble is on the board."""
    for place in range(POOL, CAPTURED + 6):  # noqa: SIM110 (generators are not compiled)
        if state[place]:
            return False
    return True


def take(state: State, rings: int) -> None:
    """Give these rings and the marbles on them to the mover."""
    mine = CAPTURED + 3 * state[SIDE]
    for colour in range(3):
        marbles = state[MARBLES + colour] & rings
        state[MARBLES + colour] ^= marbles
        state[mine + colour] += size(marbles)
    state[RINGS] &= ~rings
    state[EDGE] &= ~rings  # a whole group goes: no remaining ring was next to it
    state[CLAIMED] |= rings


def end(state: State, ending: int, winner: int) -> None:
    """End the game."""
    state[ENDING] = ending
    state[WINNER] = winner


def end_turn(rules: Integers, state: State) -> None:
    """Finish a turn after its claims: winning sets, filled board, both lose, the other player's turn (section 5)."""
    side = state[SIDE]
    filled = not vacant(state)
    if rules[TOURNAMENT] and nobody_captured(state):
        end(state, BOTH_LOSE, 0)
    else:
        if filled:
            take(state, state[RINGS])
        sets = winning_sets(rules, state, side)
        state[SETS] = sets
        if sets:
            end(state, BY_SET, side + 1)
        elif filled:
            end(state, BOARD_FILLED, side + 1)
    state[SIDE] = 1 - side


def check_written_claim(state: Integers, move: Integers, at: int) -> int:
    """Return whether the marbles of a placement's written claim are there, in those colours."""
    for colour in range(3):
        written = move[at + 6 + colour]
        if written & ~occupied(state):
            return CLAIM_NO_MARBLE
        if written & ~state[MARBLES + colour]:
            return CLAIM_COLOUR
    return FINE


def claim(tables: Tables, rules: Integers, state: State, full_before: int, move: Integers, at: int) -> int:
    """Apply the claims of a placement (section 4)."""
    marbles = occupied(state)
    if move[at + 5]:
        refusal = check_written_claim(state, move, at)
        if refusal:
            return refusal
    if marbles == state[RINGS]:
        return FINE  # the whole board is filled: all of it goes to the mover, written or not
    full = full_groups(tables, state[RINGS], marbles)
    written = move[at + 6] | move[at + 7] | move[at + 8]
    if written & ~full:
        return CLAIM_NOT_FULL
    if rules[WRITTEN]:
        if written & full_before:
            return CLAIM_OLD_GROUP
        if whole_groups(tables, state[RINGS], written) != written:
            return CLAIM_PARTIAL
        take(state, written)
    else:
        if move[at + 5] and written != full:
            if whole_groups(tables, state[RINGS], written) != written:
                return CLAIM_PARTIAL
            return CLAIM_INCOMPLETE
        take(state, full)
    return FINE


def spend(state: State, colour: int, rack: int) -> int:
    """Take the marble to be placed from the pool, or from the mover's captures once the whole pool is empty (section 3.2)."""
    if rack == RACK_OTHER:
        return OTHERS_MARBLE
    if state[POOL] + state[POOL + 1] + state[POOL + 2] > 0:
        if rack == RACK_OWN:
            return POOL_NOT_EMPTY
        if state[POOL + colour] == 0:
            return NOT_IN_POOL
        state[POOL + colour] -= 1
        return FINE
    mine = CAPTURED + 3 * state[SIDE]
    if rack == RACK_POOL:
        return POOL_EMPTY
    if state[mine + colour] == 0:
        return NOT_IN_CAPTURES
    state[mine + colour] -= 1
    return FINE


def remove_ring(tables: Tables, state: State, ring: int) -> int:
    """Slide a ring out of the board (section 3.3)."""
    free = free_rings(tables, state)
    if ring < 0:
        return RING_DUE if free else FINE
    if not state[RINGS] >> ring & 1:
        return REMOVED_NO_RING
    if occupied(state) >> ring & 1:
        return REMOVED_OCCUPIED
    if not free >> ring & 1:
        return REMOVED_NOT_FREE if free else NO_RING_IS_FREE
    slide_out(tables, state, ring)
    return FINE


def place(tables: Tables, rules: Integers, state: State, move: Integers, at: int) -> int:
    """Play a placement."""
    colour = move[at + 1]
    ring = move[at + 2]
    if any_jump(tables, state):
        return MUST_CAPTURE
    if not state[RINGS] >> ring & 1:
        return PLACE_ON_NO_RING
    if occupied(state) >> ring & 1:
        return PLACE_ON_MARBLE
    full_before = 0
    if rules[WRITTEN]:
        full_before = full_groups(tables, state[RINGS], occupied(state))
    refusal = spend(state, colour, move[at + 4])
    if refusal:
        return refusal
    state[MARBLES + colour] |= 1 << ring
    refusal = remove_ring(tables, state, move[at + 3])
    ring_kept = refusal == RING_DUE and rules[LENIENT] != 0
    if refusal and not ring_kept:
        return refusal
    refusal = claim(tables, rules, state, full_before, move, at)
    if refusal:
        return refusal
    filled_group = state[CLAIMED] >> ring & 1
    end_turn(rules, state)
    if ring_kept:
        if state[ENDING] != BY_SET or not filled_group:
            return RING_DUE
        state[LENIENCY] = RING_KEPT
    return FINE


def hop(tables: Tables, state: State, start: int, landing: int, stated_colour: int) -> int:
    """Play one jump of the marble on `start`; the jumped marble leaves at once (section 3.4)."""
    direction = 0
    while direction < 6 and tables.landing[6 * start + direction] != landing:
        direction += 1
    if direction == 6:
        return JUMP_CROOKED
    if not state[RINGS] >> landing & 1:
        return LANDING_NO_RING
    jumped = tables.neighbour[6 * start + direction]
    if not occupied(state) >> jumped & 1:
        return JUMP_OVER_NOTHING
    if occupied(state) >> landing & 1:
        return LANDING_OCCUPIED
    jumped_colour = colour_on(state, jumped)
    if stated_colour >= 0 and stated_colour != jumped_colour:
        return JUMPED_COLOUR
    colour = colour_on(state, start)
    state[MARBLES + colour] ^= 1 << start | 1 << landing
    state[MARBLES + jumped_colour] ^= 1 << jumped
    state[CAPTURED + 3 * state[SIDE] + jumped_colour] += 1
    return FINE


def capture(tables: Tables, rules: Integers, state: State, move: Integers, at: int, until: int) -> int:
    """Play a chain of jumps, to its end."""
    ring = move[at + 1]
    if not occupied(state) >> ring & 1:
        return JUMP_BY_NOTHING
    for jump in range(at + 2, until, 2):
        refusal = hop(tables, state, ring, move[jump + 1], move[jump])
        if refusal:
            return refusal
        ring = move[jump + 1]
    if until <= at + 2:
        return NO_JUMP
    if can_jump(tables, occupied(state), vacant(state), ring):
        if not rules[LENIENT] or not winning_sets(rules, state, state[SIDE]):
            return CHAIN_UNFINISHED
        state[LENIENCY] = CHAIN_STOPPED
    end_turn(rules, state)
    return FINE


def skip(tables: Tables, state: State) -> int:
    """Pass; two passes in a row end the game (section 5)."""
    if not must_pass(tables, state):
        return PASS_WITH_MOVES
    state[PASSES] += 1
    state[SIDE] = 1 - state[SIDE]
    if state[PASSES] == 2:
        end(state, NO_MOVE, 0)
    return FINE


def play(tables: Tables, rules: Integers, state: State, move: Integers, at: int, until: int) -> int:
    """Play the move at move[at:until]; return FINE or a refusal."""
    if state[ENDING]:
        return GAME_OVER
    state[CLAIMED] = 0
    state[LENIENCY] = 0
    if move[at] == SKIP:
        return skip(tables, state)
    state[PASSES] = 0
    if move[at] == PLACE:
        return place(tables, rules, state, move, at)
    return capture(tables, rules, state, move, at, until)


def count_chains(tables: Tables, marbles: int, vacant_rings: int, ring: int) -> int:
    """Return the number of complete chains of the marble on `ring`; 1 if it can't jump (the chain that ends here)."""
    if not can_jump(tables, marbles, vacant_rings, ring):
        return 1
    chains = 0
    for place in range(6 * ring, 6 * ring + 6):
        landing = tables.landing[place]
        if landing >= 0 and vacant_rings >> landing & 1 and marbles >> tables.neighbour[place] & 1:
            jumped = 1 << tables.neighbour[place]
            moved = 1 << ring | 1 << landing
            chains += count_chains(tables, (marbles ^ moved) & ~jumped, (vacant_rings ^ moved) | jumped, landing)
    return chains


def count_placements(tables: Tables, state: Integers) -> int:
    """Return the number of (colour, ring, removed ring) triples; a placement without a removable ring counts once."""
    racks = POOL
    if state[POOL] + state[POOL + 1] + state[POOL + 2] == 0:
        racks = CAPTURED + 3 * state[SIDE]
    colours = 0
    for colour in range(3):
        if state[racks + colour] > 0:
            colours += 1
    places = size(vacant(state))
    free = size(free_rings(tables, state))
    if free <= 1:  # on the only free ring itself, or without a free ring: no ring to remove
        return colours * places
    return colours * (places * free - free)


def count_captures(tables: Tables, state: Integers) -> int:
    """Return the number of captures, each a complete chain; 0 after the end of the game."""
    if state[ENDING]:
        return 0
    marbles = occupied(state)
    vacant_rings = state[RINGS] & ~marbles
    captures = 0
    rest = marbles
    while rest:
        ring = lowest(rest)
        rest &= rest - 1
        if can_jump(tables, marbles, vacant_rings, ring):
            captures += count_chains(tables, marbles, vacant_rings, ring)
    return captures


def count_moves(tables: Tables, state: Integers) -> int:
    """Return the number of legal moves: a placement is a triple, a chain one move, a pass one; 0 after the end of the game.

    Claims that may be declined do not multiply placements. Source: rules, section 8.
    """
    if state[ENDING]:
        return 0
    captures = count_captures(tables, state)
    if captures:
        return captures
    return max(count_placements(tables, state), 1)
