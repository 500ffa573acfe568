"""Look for a pattern on all places of a board at once, in many positions: what `grid_scan` does, compiled.

The functions use arrays only, so that numba can compile them (`zertz_db.rules.compiled`). All numbers but indices are uint64: sets of
rings, sets of bits of a grid, and shifts. The loops over positions are short and have no branches, so that the processor handles several
positions at once. The positions of a block, and what is known of them, fit its fastest cache.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple, TypeAlias

BLOCK = 256
"""Number of positions of a block."""
AT_ONCE = 4
"""Number of looks that are taken at once."""
STATES = 4
"""Number of numbers that tell the states of a sign."""
SHIFTS = 3
"""Number of numbers that tell how to look."""

Bits: TypeAlias = Sequence[int]
MutableBits: TypeAlias = MutableSequence[int]


class Plan(NamedTuple):
    """What to look for. The arrays have uint64, but `firsts` and `signs` int64.

    A sign is what may be on a cell. states: for each sign STATES numbers, one for empty rings, white, grey and black marbles: all bits if
    it counts, or none. unlike: for each sign the bits to invert, because the states that count are those that do not fit. rings, ups,
    downs: sets of rings, and how far each moves up or down on the grid. anchors: for each laying of the pattern where its anchor may lie.
    A laying has the looks firsts[n] to firsts[n+1]-1, a multiple of AT_ONCE, the rarest first. signs: for each look its sign. shifts: for
    each look SHIFTS numbers: how far to move down; how far to move up; and the places from which the look is beyond the edge, which fits.
    """

    states: Bits
    unlike: Bits
    rings: Bits
    ups: Bits
    downs: Bits
    anchors: Bits
    firsts: Sequence[int]
    signs: Sequence[int]
    shifts: Bits


def hold(rings: Bits, one: Bits, other: Bits, states: Bits, first: int, held: MutableBits) -> None:
    """Write the rings in some states."""
    empty, white, grey, black = states[first], states[first + 1], states[first + 2], states[first + 3]
    for place in range(len(held)):
        marble, another = one[place], other[place]
        held[place] = (
            (rings[place] & ~(marble | another) & empty)
            | (marble & ~another & white)
            | (another & ~marble & grey)
            | (marble & another & black)
        )


def fill(sets: MutableBits, bits: int) -> None:
    """Write the same bits everywhere."""
    for place in range(len(sets)):
        sets[place] = bits


def spread(held: Bits, rings: int, up: int, down: int, fitting: MutableBits) -> None:
    """Move some rings to their bits on the grid, and add them to what fits, or take them from it."""
    for place in range(len(fitting)):
        fitting[place] ^= (held[place] & rings) << up >> down


def narrow(places: MutableBits, a: Bits, b: Bits, c: Bits, d: Bits, shifts: Bits, at: int) -> int:
    """Keep the places from which AT_ONCE looks fit; return those of all positions. a to d: what fits the sign of each look."""
    down_a, up_a, edge_a = shifts[at], shifts[at + 1], shifts[at + 2]
    down_b, up_b, edge_b = shifts[at + 3], shifts[at + 4], shifts[at + 5]
    down_c, up_c, edge_c = shifts[at + 6], shifts[at + 7], shifts[at + 8]
    down_d, up_d, edge_d = shifts[at + 9], shifts[at + 10], shifts[at + 11]
    some = places[0] & ~places[0]
    for place in range(len(places)):
        left = (
            places[place]
            & ((a[place] >> down_a) | (a[place] << up_a) | edge_a)
            & ((b[place] >> down_b) | (b[place] << up_b) | edge_b)
            & ((c[place] >> down_c) | (c[place] << up_c) | edge_c)
            & ((d[place] >> down_d) | (d[place] << up_d) | edge_d)
        )
        places[place] = left
        some |= left
    return some


def add(places: Bits, union: MutableBits) -> None:
    """Add places to others."""
    for place in range(len(union)):
        union[place] |= places[place]


def note(union: Bits, is_match: MutableSequence[bool]) -> None:
    """Note the positions with a place."""
    for place in range(len(is_match)):
        is_match[place] = union[place] != 0


def find_matches(
    plan: Plan,
    rings: Bits,
    one: Bits,
    other: Bits,
    held: MutableBits,
    places: MutableBits,
    union: MutableBits,
    fitting: MutableBits,
    is_match: MutableSequence[bool],
) -> None:
    """Note for each position whether the pattern matches it somewhere.

    rings, one, other: the sets of each position. held, places, union: room for a block. fitting: room for a block for each sign.
    """
    for start in range(0, len(rings), BLOCK):
        end = min(start + BLOCK, len(rings))
        count = end - start
        for sign in range(len(plan.unlike)):
            fits = fitting[sign * BLOCK : sign * BLOCK + count]
            hold(rings[start:end], one[start:end], other[start:end], plan.states, STATES * sign, held[:count])
            fill(fits, plan.unlike[sign])
            for piece in range(len(plan.rings)):
                spread(held[:count], plan.rings[piece], plan.ups[piece], plan.downs[piece], fits)
        fill(union[:count], plan.anchors[0] & ~plan.anchors[0])
        for laying in range(len(plan.anchors)):
            fill(places[:count], plan.anchors[laying])
            some = plan.anchors[laying]
            for look in range(plan.firsts[laying], plan.firsts[laying + 1], AT_ONCE):
                a, b = BLOCK * plan.signs[look], BLOCK * plan.signs[look + 1]
                c, d = BLOCK * plan.signs[look + 2], BLOCK * plan.signs[look + 3]
                some = narrow(
                    places[:count],
                    fitting[a : a + count],
                    fitting[b : b + count],
                    fitting[c : c + count],
                    fitting[d : d + count],
                    plan.shifts,
                    SHIFTS * look,
                )
                if some == 0:
                    break
            if some != 0:
                add(places[:count], union[:count])
        note(union[:count], is_match[start:end])
