"""Store what the search proved of a position, in a table of fixed size. Runs on lists, or compiled.

An entry holds the whole position, so two positions are never confused and a proof stays a proof. The hash only finds the place.
"""

from __future__ import annotations

from zertz_db.rules.kernel import CAPTURED, MARBLES, PASSES, POOL, RINGS, SIDE, Integers
from zertz_db.tactics.search_moves import GENERATION, Work

# Places in an entry.
KEY_RINGS = 0
KEY_LOW = 1  # the rings with a white or a black marble
KEY_HIGH = 2  # the rings with a grey or a black marble
KEY_COUNTS = 3  # pool and captures, seven bits each
KEY_TURN = 4  # the side to move, who is the attacker, the passes, and the number of the search
FACTS = 5  # 64 * the least plies of a proven win (0: none) + the most plies within which there is none
ENTRY_SIZE = 6

COUNT_BITS = 7
LARGEST_COUNT = 127
"""Maximum number of marbles of one colour, on the board, in the pool and captured, that a key can hold."""

_HALF = (1 << 31) - 1
_FACTOR = 1_103_515_245


def pack_counts(state: Integers) -> int:
    """Return pool and captures as one number."""
    counts = 0
    for place in range(POOL, CAPTURED + 6):
        counts = counts << COUNT_BITS | state[place]
    return counts


def pack_turn(work: Work, state: Integers) -> int:
    """Return the side to move, the passes and the number of the search as one number."""
    return work.counters[GENERATION] * 4 + state[PASSES] * 2 + state[SIDE]


def stir(hashed: int, word: int) -> int:
    """Return a hash of 31 bits continued by a word that is not negative."""
    while True:
        hashed = ((hashed ^ (word & _HALF)) * _FACTOR) & ((1 << 62) - 1)
        hashed = (hashed ^ hashed >> 31) & _HALF
        word >>= 31
        if word == 0:
            return hashed


def entry_place(work: Work, state: Integers) -> int:
    """Return the place in the table at which this position's entry begins."""
    low, high = state[MARBLES] | state[MARBLES + 2], state[MARBLES + 1] | state[MARBLES + 2]
    hashed = stir(stir(stir(stir(stir(1, state[RINGS]), low), high), pack_counts(state)), pack_turn(work, state) & 3)
    entries = len(work.table) // ENTRY_SIZE
    return (hashed ^ hashed >> 11) % entries * ENTRY_SIZE


def holds_entry(work: Work, state: Integers, at: int) -> bool:
    """Return whether the entry at a place is this position's, from this search."""
    table = work.table
    return (
        table[at + KEY_RINGS] == state[RINGS]
        and table[at + KEY_TURN] == pack_turn(work, state)
        and table[at + KEY_LOW] == state[MARBLES] | state[MARBLES + 2]
        and table[at + KEY_HIGH] == state[MARBLES + 1] | state[MARBLES + 2]
        and table[at + KEY_COUNTS] == pack_counts(state)
    )


def find_facts(work: Work, state: Integers) -> int:
    """Return the facts known of a position with the attacker to move, 0 without an entry."""
    at = entry_place(work, state)
    return work.table[at + FACTS] if holds_entry(work, state, at) else 0


def store_fact(work: Work, state: Integers, remaining: int, is_won: bool) -> None:
    """Store that the attacker, who is to move, does or does not win within `remaining` plies."""
    table, at = work.table, entry_place(work, state)
    proven, refuted = 0, 0
    if holds_entry(work, state, at):
        proven, refuted = table[at + FACTS] >> 6, table[at + FACTS] & 63
    else:
        table[at + KEY_RINGS] = state[RINGS]
        table[at + KEY_LOW] = state[MARBLES] | state[MARBLES + 2]
        table[at + KEY_HIGH] = state[MARBLES + 1] | state[MARBLES + 2]
        table[at + KEY_COUNTS] = pack_counts(state)
        table[at + KEY_TURN] = pack_turn(work, state)
    if is_won:
        proven = remaining if proven == 0 else min(proven, remaining)
    else:
        refuted = max(refuted, remaining)
    table[at + FACTS] = proven * 64 + refuted
