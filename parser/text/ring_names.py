"""Convert between the official names of rings and those of other programs and papers, board by board.

Rings are on a lattice of columns (from 0, the left) and half steps of height: the neighbours of (x, y) are (x, y±2) and (x±1, y±1). Source:
formats, sections 0.1 and 0.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.parser.record import Marble, Ply, Record
from zertz_db.parser.vocabulary.board_names import COLUMNS

Place: TypeAlias = tuple[int, int]

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
"""Systems of ring names; `official_names_of` defines them."""


@cache
def places(board: str) -> dict[str, Place]:
    """Return the place of each ring of a standard board, by its official name."""
    lengths = _LENGTHS[board]
    bottoms = _BOTTOMS.get(board, tuple(1 - length for length in lengths))
    return {
        f"{COLUMNS[x]}{number}": (x, bottom + 2 * (number - 1))
        for x, (length, bottom) in enumerate(zip(lengths, bottoms, strict=True))
        for number in range(1, length + 1)
    }


@cache
def rings(board: str) -> dict[Place, str]:
    """Return the official name of the ring in each place of a standard board."""
    return {place: ring for ring, place in places(board).items()}


def official_names(board: str, coordinates: str) -> dict[str, str]:
    """Return the official name of each ring of a standard board, by its name in other coordinates.

    >>> official_names("37", "diagonals")["g5"], official_names("48", "mirrored")["e8"]
    ('g2', 'd8')
    """
    return _official_names(board, coordinates)


@cache
def _official_names(board: str, coordinates: str) -> dict[str, str]:
    return official_names_of(places(board), coordinates)


def official_names_of(layout: Mapping[str, Place], coordinates: str) -> dict[str, str]:
    """Return the official name of each ring of any board, by its name in other coordinates; `layout` has each ring's place.

    "diagonals": numbers run along the lines that fall to the right, from the lowest of them; so on board 37 column g has g4 to g7.
    "rising": along those that rise to the right, from the lowest of them; so column a has a4 to a7. "mirrored": columns are counted from
    the right, on boards that are not their own mirror image.
    """
    if not layout:
        return {}
    if coordinates == DIAGONAL_NUMBERS:
        lowest = min(x + y for x, y in layout.values())
        return {f"{ring[0]}{(x + y - lowest) // 2 + 1}": ring for ring, (x, y) in layout.items()}
    if coordinates == RISING_NUMBERS:
        lowest = min(y - x for x, y in layout.values())
        return {f"{ring[0]}{(y - x - lowest) // 2 + 1}": ring for ring, (x, y) in layout.items()}
    columns = [x for x, _ in layout.values()]
    ends = min(columns) + max(columns)
    if coordinates == MIRRORED and {(ends - x, y) for x, y in layout.values()} != {*layout.values()}:
        return {f"{COLUMNS[ends - x]}{ring[1:]}": ring for ring, (x, _) in layout.items()}
    return {ring: ring for ring in layout}


def rename_rings(ply: Ply, name: Callable[[str], str]) -> Ply:
    """Return a ply with other names of its rings; its comments and variations stay unchanged."""

    def marbles(written: tuple[Marble, ...]) -> tuple[Marble, ...]:
        return tuple(Marble(colour, name(ring)) for colour, ring in written)

    return ply._replace(
        ring=name(ply.ring) if ply.ring else "",
        removed=name(ply.removed) if ply.removed else None,
        jumps=marbles(ply.jumps),
        claim=marbles(ply.claim),
    )


def renamed_record(record: Record, name: Callable[[str], str], names: Mapping[str, str]) -> Record:
    """Return a record with other names of the rings in its plies, by `name`, and in its drawing marks, variations and half turn, by
    `names`.
    """
    half = record.half_turn
    return replace(
        record,
        plies=tuple(_renamed_notes(rename_rings(ply, name), names) for ply in record.plies),
        comment=record.comment and with_names_in_drawings(record.comment, names),
        half_turn=half and half._replace(text=with_names(half.text, names)),
    )


def _renamed_notes(ply: Ply, names: Mapping[str, str]) -> Ply:
    if not ply.comment and not ply.variations:
        return ply
    return ply._replace(
        comment=ply.comment and with_names_in_drawings(ply.comment, names),
        variations=tuple(with_names(text, names) for text in ply.variations),
    )


_DRAWING = compile_on_use(r"\[%c[as]l [^\]]*\]")
_RING = compile_on_use(r"[a-q](?:1[0-2]|[1-9])(?![0-9])")


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with other names for the rings in it."""
    return _RING.sub(lambda match: names.get(match[0], match[0]), text)


def with_names_in_drawings(comment: str, names: Mapping[str, str]) -> str:
    """Return a comment with other names for the rings in its drawing marks, `[%cal Gb3c4]`."""
    return _DRAWING.sub(lambda marks: with_names(marks[0], names), comment)


def named_rings(ply: Ply) -> list[str]:
    """Return the rings that a ply names, in the order of its parts."""
    single = [ring for ring in (ply.ring, ply.removed) if ring]
    return single + [marble.ring for marble in (*ply.jumps, *ply.claim)]
