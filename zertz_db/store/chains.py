"""What stands for what in the end, where one thing after the other is said to be another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

Thing = TypeVar("Thing", bound=Hashable)


def ends(pairs: Iterable[tuple[Thing, Thing]]) -> dict[Thing, Thing]:
    """For each thing that is said to be another the one that stands for it in the end; what would lead back counts for nothing.

    >>> ends([(1, 2), (2, 3), (3, 1)])
    {1: 3, 2: 3}
    """
    of: dict[Thing, Thing] = {}

    def end(one: Thing) -> Thing:
        while one in of:
            one = of[one]
        return one

    for pair in pairs:
        one, other = map(end, pair)
        if one != other:
            of[one] = other
    return {one: end(one) for one in of}
