"""How records name rings: the official notation's names, and those of other programs and papers, board by board.

Rings lie on a lattice of columns (from 0, the left) and half steps of height: the neighbours of (x, y) are (x, y±2) and (x±1, y±1).
Source: formats, sections 0.1 and 0.2.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from parser.record import Marble, Ply

Place: TypeAlias = tuple[int, int]

COLUMNS = "abcdefghijklmnopq"

_LENGTHS = {
    "37": (4, 5, 6, 7, 6, 5, 4),
    "40": (5, 6, 7, 7, 6, 5, 4),
    "43": (5, 6, 7, 7, 6, 5, 4, 3),
    "44": (5, 6, 7, 8, 7, 6, 5),
    "48": (5, 6, 7, 8, 7, 6, 5, 4),
    "61": (5, 6, 7, 8, 9, 8, 7, 6, 5),
}
"""Rings in each column."""

_BOTTOMS = {"40": (-5, -6, -7, -6, -5, -4, -3), "43": (-5, -6, -7, -6, -5, -4, -3, -2)}
"""The height of each column's first ring on boards that are not centred."""

COLUMN_NUMBERS, DIAGONAL_NUMBERS, RISING_NUMBERS, MIRRORED = "columns", "diagonals", "rising", "mirrored"
COORDINATES = (COLUMN_NUMBERS, DIAGONAL_NUMBERS, RISING_NUMBERS, MIRRORED)
"""The ways in which rings are named; `official_names` says what they mean."""


@cache
def places(board: str) -> dict[str, Place]:
    """Where each ring of a standard board lies, by its official name."""
    lengths = _LENGTHS[board]
    bottoms = _BOTTOMS.get(board, tuple(1 - length for length in lengths))
    return {
        f"{COLUMNS[x]}{number}": (x, bottom + 2 * (number - 1))
        for x, (length, bottom) in enumerate(zip(lengths, bottoms, strict=True))
        for number in range(1, length + 1)
    }


@cache
def rings(board: str) -> dict[Place, str]:
    """The official name of the ring in each place of a standard board."""
    return {place: ring for ring, place in places(board).items()}


@cache
def official_names(board: str, coordinates: str) -> dict[str, str]:
    """The official name of each ring of a standard board, by its name in other coordinates.

    "diagonals": numbers run along the lines that fall to the right, from column a's own; so on board 37 column g has g4 to g7.
    "rising": along those that rise to the right, from the last column's; so column a has a4 to a7. "mirrored": columns are counted
    from the right, on boards that are not their own mirror image.

    >>> official_names("37", "diagonals")["g5"], official_names("48", "mirrored")["e8"]
    ('g2', 'd8')
    """
    if coordinates == DIAGONAL_NUMBERS:
        first = places(board)["a1"][1]
        return {f"{ring[0]}{(x + y - first) // 2 + 1}": ring for ring, (x, y) in places(board).items()}
    if coordinates == RISING_NUMBERS:
        lowest = min(y - x for x, y in rings(board))
        return {f"{ring[0]}{(y - x - lowest) // 2 + 1}": ring for ring, (x, y) in places(board).items()}
    if coordinates == MIRRORED and not _is_its_mirror_image(board):
        last = len(_LENGTHS[board]) - 1
        return {f"{COLUMNS[last - x]}{ring[1:]}": ring for ring, (x, _) in places(board).items()}
    return {ring: ring for ring in places(board)}


def _is_its_mirror_image(board: str) -> bool:
    last = len(_LENGTHS[board]) - 1
    return all((last - x, y) in rings(board) for x, y in rings(board))


def renamed(ply: Ply, name: Callable[[str], str]) -> Ply:
    """A ply with other names of its rings."""

    def marbles(written: tuple[Marble, ...]) -> tuple[Marble, ...]:
        return tuple(Marble(colour, name(ring)) for colour, ring in written)

    return ply._replace(
        ring=name(ply.ring) if ply.ring else "",
        removed=name(ply.removed) if ply.removed else None,
        jumps=marbles(ply.jumps),
        claim=marbles(ply.claim),
    )


def named_rings(ply: Ply) -> list[str]:
    """The rings that a ply names, in the order of its parts."""
    single = [ring for ring in (ply.ring, ply.removed) if ring]
    return single + [marble.ring for marble in (*ply.jumps, *ply.claim)]
