"""Keys of positions: what lies where, as one number, the same for a position and all its images.

For every symmetry of the board a Zobrist hash of the image (rings and marbles, nothing else) travels with the game; the key is the
least of them. A shape is hashed likewise under the twelve symmetries of the lattice, moved into a corner, so that its key does not
depend on where on the board it lies. A key only finds: a match is confirmed on the sets. Runs on lists, or compiled on arrays.
"""

from __future__ import annotations

from typing import TypeAlias

from zertz_db.rules.board import SHAPE_SPAN, Tables
from zertz_db.rules.kernel import JUMP, MARBLES, PLACE, RINGS, Integers, colour_on

Keys: TypeAlias = list[int]

LATTICE_SYMMETRIES = 12
NO_MOVE_CODE = -1
LONGEST_CODED_CHAIN = 18


def holding(state: Integers, ring: int) -> int:
    """What a ring holds: 0 nothing, 1 white, 2 grey, 3 black."""
    return colour_on(state, ring) + 1


def toggle(tables: Tables, keys: Keys, ring: int, held: int) -> None:
    """Put into every image's hash, or take out again, that `ring` holds `held`."""
    for symmetry in range(tables.symmetries):
        keys[symmetry] ^= tables.zobrist[4 * tables.image[symmetry * tables.rings + ring] + held]


def start_keys(tables: Tables, keys: Keys, state: Integers) -> None:
    """Hash a position from nothing; `keys` has a place for each symmetry."""
    for symmetry in range(tables.symmetries):
        keys[symmetry] = 0
    for ring in range(tables.rings):
        if state[RINGS] >> ring & 1:
            toggle(tables, keys, ring, holding(state, ring))


def update_keys(tables: Tables, keys: Keys, before: Integers, after: Integers) -> None:
    """Follow a turn: hash anew the rings that changed between two states."""
    changed = before[RINGS] ^ after[RINGS]
    for colour in range(3):
        changed |= before[MARBLES + colour] ^ after[MARBLES + colour]
    for ring in range(tables.rings):
        if changed >> ring & 1:
            if before[RINGS] >> ring & 1:
                toggle(tables, keys, ring, holding(before, ring))
            if after[RINGS] >> ring & 1:
                toggle(tables, keys, ring, holding(after, ring))


def least_key(tables: Tables, keys: Keys) -> int:
    """The number of the first symmetry whose image has the least hash."""
    best = 0
    for symmetry in range(1, tables.symmetries):
        if keys[symmetry] < keys[best]:
            best = symmetry
    return best


def shape_key(tables: Tables, state: Integers) -> int:
    """The least hash of the shape, over the lattice's symmetries."""
    best = 0
    for turn in range(LATTICE_SYMMETRIES):
        at = turn * tables.rings
        corner_q = SHAPE_SPAN
        corner_r = SHAPE_SPAN
        for ring in range(tables.rings):
            if state[RINGS] >> ring & 1:
                corner_q = min(corner_q, tables.shape_q[at + ring])
                corner_r = min(corner_r, tables.shape_r[at + ring])
        key = 0
        for ring in range(tables.rings):
            if state[RINGS] >> ring & 1:
                place = (tables.shape_q[at + ring] - corner_q) * SHAPE_SPAN + tables.shape_r[at + ring] - corner_r
                key ^= tables.shape_zobrist[4 * place + holding(state, ring)]
        if turn == 0 or key < best:
            best = key
    return best


def direction_between(tables: Tables, ring: int, landing: int) -> int:
    """In which direction a jump from `ring` to `landing` goes."""
    for direction in range(6):
        if tables.landing[6 * ring + direction] == landing:
            return direction
    return 0


def move_code(tables: Tables, symmetry: int, move: Integers, at: int, until: int) -> int:
    """A move as one number, in a symmetry's orientation (claims left out, they follow).

    The last two bits are the kind. A placement adds 4 x (colour + 4 x (ring + 256 x (removed ring + 1))); a capture adds
    4 x (ring + 256 x the directions of its jumps plus one, as digits to base 7, the first lowest; at most 18 jumps).
    """
    image = symmetry * tables.rings
    if move[at] == PLACE:
        removed = 0
        if move[at + 3] >= 0:
            removed = tables.image[image + move[at + 3]] + 1
        return PLACE + 4 * (move[at + 1] + 4 * (tables.image[image + move[at + 2]] + 256 * removed))
    if move[at] == JUMP:
        ring = tables.image[image + move[at + 1]]
        start = ring
        digits = 0
        power = 1
        for jump in range(at + 3, min(until, at + 3 + 2 * LONGEST_CODED_CHAIN), 2):
            landing = tables.image[image + move[jump]]
            digits += power * (direction_between(tables, ring, landing) + 1)
            power *= 7
            ring = landing
        return JUMP + 4 * (start + 256 * digits)
    return move[at]


def least_move_code(tables: Tables, keys: Keys, move: Integers, at: int, until: int) -> int:
    """The move's code in canonical orientation: the least under all symmetries that give the position's key."""
    least = keys[least_key(tables, keys)]
    best = NO_MOVE_CODE
    for symmetry in range(tables.symmetries):
        if keys[symmetry] == least:
            code = move_code(tables, symmetry, move, at, until)
            if best == NO_MOVE_CODE or code < best:
                best = code
    return best
