"""List the chains of jumps of a marble. The kernel counts them without a list, since compiled code has no recursive generators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zertz_db.rules.board import Tables


class NumberedJump(NamedTuple):
    """A jump by numbers of rings: the one jumped over, and the one landed on."""

    over: int
    landing: int


def find_jumps(tables: Tables, marbles: int, vacant: int, ring: int) -> list[NumberedJump]:
    """Return the jumps of the marble on `ring`, with these sets of occupied and vacant rings."""
    return [
        NumberedJump(tables.neighbour[place], tables.landing[place])
        for place in range(6 * ring, 6 * ring + 6)
        if tables.landing[place] >= 0 and vacant >> tables.landing[place] & 1 and marbles >> tables.neighbour[place] & 1
    ]


def find_chains(tables: Tables, marbles: int, vacant: int, ring: int) -> Iterator[tuple[NumberedJump, ...]]:
    """Yield every complete chain of the marble on `ring`; the empty one if it can't jump."""
    jumps = find_jumps(tables, marbles, vacant, ring)
    if not jumps:
        yield ()
    for jump in jumps:
        moved, jumped = 1 << ring | 1 << jump.landing, 1 << jump.over
        for rest in find_chains(tables, (marbles ^ moved) & ~jumped, (vacant ^ moved) | jumped, jump.landing):
            yield (jump, *rest)
