"""Store what the alpha-beta search learnt of a position, in a table of fixed size. Runs on lists, or compiled.

An entry holds the whole position, so two positions are never confused. The hash only finds the place.
"""

from __future__ import annotations

from zertz_db.engine.evaluation import LONGEST_WIN, WIN
from zertz_db.rules.kernel import MARBLES, PASSES, RINGS, SIDE, Integers
from zertz_db.tactics.search_moves import Work
from zertz_db.tactics.transpositions import pack_counts, stir

# Places in an entry.
KEY_RINGS = 0
KEY_LOW = 1  # the rings with a white or a black marble
KEY_HIGH = 2  # the rings with a grey or a black marble
KEY_COUNTS = 3  # pool and captures
KEY_TURN = 4  # the side to move and the passes, + 4: an empty entry is no position's
DEPTH = 5  # placements searched
BOUND = 6
VALUE = 7
MOVE = 8  # the best move, -1 if none is known
MOVE_JUMPED = 9
ENTRY_SIZE = 10

# Bounds.
EXACT, AT_LEAST, AT_MOST = 0, 1, 2


def turn_key(state: Integers) -> int:
    """Return the side to move and the passes as one number, never 0."""
    return 4 + state[PASSES] * 2 + state[SIDE]


def entry_of(work: Work, state: Integers) -> int:
    """Return the place in the table at which this position's entry begins."""
    low, high = state[MARBLES] | state[MARBLES + 2], state[MARBLES + 1] | state[MARBLES + 2]
    hashed = stir(stir(stir(stir(stir(1, state[RINGS]), low), high), pack_counts(state)), turn_key(state))
    entries = len(work.table) // ENTRY_SIZE
    return (hashed ^ hashed >> 11) % entries * ENTRY_SIZE


def is_entry_of(work: Work, state: Integers, at: int) -> bool:
    """Return whether the entry at a place is this position's."""
    table = work.table
    return (
        table[at + KEY_TURN] == turn_key(state)
        and table[at + KEY_RINGS] == state[RINGS]
        and table[at + KEY_LOW] == state[MARBLES] | state[MARBLES + 2]
        and table[at + KEY_HIGH] == state[MARBLES + 1] | state[MARBLES + 2]
        and table[at + KEY_COUNTS] == pack_counts(state)
    )


def value_from(value: int, ply: int) -> int:
    """Return a stored value as seen from the first position: a win is as far as it is from the start of the search."""
    if value > WIN - LONGEST_WIN:
        return value - ply
    if value < LONGEST_WIN - WIN:
        return value + ply
    return value


def store_entry(
    work: Work, state: Integers, ply: int, depth: int, bound: int, value: int, move: int, jumped: int
) -> None:
    """Store a result; that of another position is replaced, unless it was searched deeper by two placements or more."""
    table, at = work.table, entry_of(work, state)
    if table[at + KEY_TURN] and table[at + DEPTH] > depth + 1 and not is_entry_of(work, state, at):
        table[at + DEPTH] -= 1  # an entry that is never replaced would fill the table with the past
        return
    table[at + KEY_RINGS] = state[RINGS]
    table[at + KEY_LOW] = state[MARBLES] | state[MARBLES + 2]
    table[at + KEY_HIGH] = state[MARBLES + 1] | state[MARBLES + 2]
    table[at + KEY_COUNTS] = pack_counts(state)
    table[at + KEY_TURN] = turn_key(state)
    table[at + DEPTH] = depth
    table[at + BOUND] = bound
    table[at + VALUE] = value_from(value, -ply)
    table[at + MOVE] = move
    table[at + MOVE_JUMPED] = jumped
