"""Compute keys of positions: rings and marbles as one number, equal for a position and all its images.

For every symmetry of the board, a Zobrist hash of the image (rings and marbles, nothing else) is updated with the game; the key is the
least of them. A shape is hashed likewise under the twelve symmetries of the lattice, moved into a corner, so its key does not depend on its
place on the board. A key only finds candidates: a comparison of the sets confirms a match. Runs on lists, or compiled on arrays.
"""

from __future__ import annotations

from typing import TypeAlias

from zertz_db.rules.board import SHAPE_SPAN, Tables
from zertz_db.rules.kernel import JUMP, MARBLES, PLACE, RINGS, Integers, lowest

Keys: TypeAlias = list[int]

LATTICE_SYMMETRIES = 12

# Places in `keys`, after one hash for each symmetry of the board.
SHAPES = 12  # the shape's hash under each symmetry of the lattice, moved into a corner
LEAST = SHAPES + LATTICE_SYMMETRIES  # the least coordinate on each axis, then on each reversed axis
CORNERS = LEAST + 6  # the number of the place that is moved into the corner, for each symmetry
KEYS_SIZE = CORNERS + LATTICE_SYMMETRIES

NO_CORNER = 3 * SHAPE_SPAN * SHAPE_SPAN
"""Further away than any corner can be."""

NO_MOVE_CODE = -1
LONGEST_CODED_CHAIN = 18


def holding(state: Integers, ring: int) -> int:
    """Return the content of a ring: 0 nothing, 1 white, 2 grey, 3 black."""
    white, grey, black = state[MARBLES] >> ring, state[MARBLES + 1] >> ring, state[MARBLES + 2] >> ring
    return (white & 1) + 2 * (grey & 1) + 3 * (black & 1)


def toggle(tables: Tables, keys: Keys, ring: int, held: int) -> None:
    """Add to every image's hash, or remove from it, that `ring` holds `held`."""
    at = (4 * ring + held) * tables.symmetries
    for symmetry in range(tables.symmetries):
        keys[symmetry] ^= tables.zobrist[at + symmetry]


def start_keys(tables: Tables, keys: Keys, state: Integers) -> None:
    """Hash a position, and its shape, from scratch; `keys` has KEYS_SIZE places."""
    for symmetry in range(tables.symmetries):
        keys[symmetry] = 0
    for ring in range(tables.rings):
        if state[RINGS] >> ring & 1:
            toggle(tables, keys, ring, holding(state, ring))
    start_shape(tables, keys, state)


def update_keys(tables: Tables, keys: Keys, before: Integers, after: Integers) -> None:
    """Update the hashes after a turn: hash the rings that changed between two states."""
    changed = before[RINGS] ^ after[RINGS]
    for colour in range(3):
        changed |= before[MARBLES + colour] ^ after[MARBLES + colour]
    corner_moves = False
    while changed:
        ring = lowest(changed)
        changed &= changed - 1
        held = holding(before, ring)
        toggle(tables, keys, ring, held)
        toggle_shape(tables, keys, ring, held)
        if after[RINGS] >> ring & 1:
            held = holding(after, ring)
            toggle(tables, keys, ring, held)
            toggle_shape(tables, keys, ring, held)
        elif empties_a_line(tables, after[RINGS], ring):
            corner_moves = True
    if corner_moves:
        move_into_corner(tables, keys, after)


def least_key(tables: Tables, keys: Keys) -> int:
    """Return the number of the first symmetry whose image has the least hash."""
    best = 0
    for symmetry in range(1, tables.symmetries):
        if keys[symmetry] < keys[best]:
            best = symmetry
    return best


def start_shape(tables: Tables, keys: Keys, state: Integers) -> None:
    """Hash a shape from scratch."""
    for turn in range(LATTICE_SYMMETRIES):
        keys[CORNERS + turn] = NO_CORNER
    move_into_corner(tables, keys, state)


def move_into_corner(tables: Tables, keys: Keys, state: Integers) -> None:
    """Find the corner into which each turned image is moved, and hash those again whose corner changed."""
    for axis in range(6):
        keys[LEAST + axis] = SHAPE_SPAN
    rest = state[RINGS]
    while rest:
        ring = lowest(rest)
        rest &= rest - 1
        for axis in range(3):
            coordinate = tables.axes[3 * ring + axis]
            keys[LEAST + axis] = min(keys[LEAST + axis], coordinate)
            keys[LEAST + axis + 3] = min(keys[LEAST + axis + 3], -coordinate)
    for turn in range(LATTICE_SYMMETRIES):
        first = keys[LEAST + tables.turned[2 * turn]]
        corner = first * SHAPE_SPAN + keys[LEAST + tables.turned[2 * turn + 1]]
        if corner != keys[CORNERS + turn]:
            keys[CORNERS + turn] = corner
            keys[SHAPES + turn] = hash_turned(tables, state, turn, corner)


def hash_turned(tables: Tables, state: Integers, turn: int, corner: int) -> int:
    """Return the hash of the shape under one of the lattice's symmetries, moved into its corner."""
    hashed = 0
    rest = state[RINGS]
    while rest:
        ring = lowest(rest)
        rest &= rest - 1
        place = tables.shape_place[LATTICE_SYMMETRIES * ring + turn] - corner
        hashed ^= tables.shape_zobrist[4 * place + holding(state, ring)]
    return hashed


def toggle_shape(tables: Tables, keys: Keys, ring: int, held: int) -> None:
    """Add to every turned shape's hash, or remove from it, that `ring` holds `held`."""
    at = LATTICE_SYMMETRIES * ring
    for turn in range(LATTICE_SYMMETRIES):
        place = tables.shape_place[at + turn] - keys[CORNERS + turn]
        keys[SHAPES + turn] ^= tables.shape_zobrist[4 * place + held]


def empties_a_line(tables: Tables, rings: int, ring: int) -> bool:
    """Return whether no ring is left on one of the three lines of `ring`: then the corner may change."""
    for axis in range(3):  # noqa: SIM110 (generators are not compiled)
        if not rings & tables.line[3 * ring + axis]:
            return True
    return False


def shape_key(keys: Keys) -> int:
    """Return the least hash of the shape, over the lattice's symmetries."""
    best = keys[SHAPES]
    for turn in range(1, LATTICE_SYMMETRIES):
        best = min(best, keys[SHAPES + turn])
    return best


def direction_between(tables: Tables, ring: int, landing: int) -> int:
    """Return the direction of a jump from `ring` to `landing`."""
    for direction in range(6):
        if tables.landing[6 * ring + direction] == landing:
            return direction
    return 0


def move_code(tables: Tables, symmetry: int, move: Integers, at: int, until: int) -> int:
    """Return a move as one number, in a symmetry's orientation (claims are left out, because they follow).

    The last two bits are the kind. A placement adds 4 x (colour + 4 x (ring + 256 x (removed ring + 1))); a capture adds 4 x (ring + 256 x
    the directions of its jumps plus one, as digits to base 7, the first lowest; at most 18 jumps).
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
    """Return the move's code in canonical orientation: the least under all symmetries that give the position's key."""
    first = least_key(tables, keys)
    best = move_code(tables, first, move, at, until)
    for symmetry in range(first + 1, tables.symmetries):
        if keys[symmetry] == keys[first]:
            best = min(best, move_code(tables, symmetry, move, at, until))
    return best
