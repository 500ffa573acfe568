"""Write the plies of a replay in canonical official notation, from the integers that the kernel played."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias, cast

from zertz_db.check.replay.attempt import Attempt
from zertz_db.check.replay.encode_plies import translation
from zertz_db.parser.packed_plies import NUMBER_SIZE, PackedPlies
from zertz_db.rules.board import Board, for_each_board
from zertz_db.rules.kernel import CLAIMED, JUMP, MARBLES, PLACE
from zertz_db.rules.rule_sets import COLOURS

SKIPPED = "-"
CAPTURE_SIGN = "x "
"""Start of a capture in official notation."""

_Numbers: TypeAlias = bytes | tuple[int, ...]
"""A ply in the kernel's or the packed form."""


class _Capture(NamedTuple):
    """A capture without the colours of the jumped marbles: for each jump a set with the jumped ring, and the landing ring's name."""

    start: str
    jumps: tuple[tuple[int, str], ...]


def list_notations(tried: Attempt) -> list[str]:
    """Return each played ply without its claims."""
    board = tried.start.board
    known = _known(board)
    plies = _numbers(tried)
    written = [known.get(numbers) or known.setdefault(numbers, _read(board, numbers)) for numbers in plies]
    whites, greys = column(tried, MARBLES), column(tried, MARBLES + 1)
    return [
        text if isinstance(text, str) else _coloured(text, white, grey)
        for text, white, grey in zip(written, whites, greys, strict=False)  # rows have the final position, too
    ]


def _coloured(capture: _Capture, white: int, grey: int) -> str:
    text, jumps = capture
    for ring, landing in jumps:
        text += f"{'W' if white & ring else 'G' if grey & ring else 'B'}{landing}"
    return text


def with_claims(tried: Attempt, written: list[str]) -> list[str]:
    """Return the plies of `notations`, each with its claims."""
    claims = column(tried, CLAIMED)[1 : tried.played + 1]
    if not any(claims):
        return written
    return [
        f"{text} {CAPTURE_SIGN}{_claimed(tried, ply, text, claimed)}" if claimed else text
        for ply, (text, claimed) in enumerate(zip(written, claims, strict=True))
    ]


def column(tried: Attempt, place: int) -> list[int]:
    """Return one column of a replay's rows."""
    table = tried.table
    return [row[place] for row in table] if isinstance(table, list) else cast(list[int], table[:, place].tolist())


def _numbers(tried: Attempt) -> Sequence[_Numbers]:
    if isinstance(tried.plies, PackedPlies):
        return tried.plies.codes[: tried.played]
    numbers, begins = tried.code.numbers, tried.code.begins
    return [tuple(numbers[begins[ply] : begins[ply + 1]]) for ply in range(tried.played)]


@for_each_board
def _known(board: Board) -> dict[_Numbers, str | _Capture]:  # noqa: ARG001 - a store for each board
    """Return the cache of decoded plies."""
    return {}


def _read(board: Board, packed: _Numbers) -> str | _Capture:
    numbers = packed
    if isinstance(packed, bytes):
        table = translation(board)
        numbers = tuple(cast(int, table[number]) for number in struct.unpack(f"={len(packed) // NUMBER_SIZE}q", packed))
    kind, *rest = numbers
    if kind == PLACE:
        colour, ring, removed = rest[:3]
        return f"{COLOURS[colour]}{board.rings[ring]}" + (f",{board.rings[removed]}" if removed >= 0 else "")
    if kind != JUMP:
        return SKIPPED
    rings = rest[::2]
    jumps = ((1 << jumped_ring(board, ring, landing), board.rings[landing]) for ring, landing in pairwise(rings))
    return _Capture(f"{CAPTURE_SIGN}{board.rings[rings[0]]}", tuple(jumps))


def _claimed(tried: Attempt, ply: int, placement: str, claimed: int) -> str:
    """Return the marbles that a placement claimed, including its own."""
    rings = tried.start.board.rings
    row = tried.table[ply]
    before = row if isinstance(row, list) else row.tolist()
    own, placed = placement[0], placement[1:].partition(",")[0]
    written = ""
    while claimed:
        ring = (claimed & -claimed).bit_length() - 1
        claimed &= claimed - 1
        written += f"{own if rings[ring] == placed else colour_in(before, ring)}{rings[ring]}"
    return written


def jumped_ring(board: Board, ring: int, landing: int) -> int:
    """Return the ring that a jump passes over."""
    return board.tables.neighbour[board.tables.landing.index(landing, 6 * ring)]


def colour_in(row: list[int], ring: int) -> str:
    """Return the letter of the marble on a ring in a replay's row."""
    bit = 1 << ring
    if row[MARBLES] & bit:
        return "W"
    return "G" if row[MARBLES + 1] & bit else "B"
