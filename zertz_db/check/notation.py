"""The plies of a replay in canonical official notation, from the integers that the kernel played."""

from __future__ import annotations

from functools import cache

from zertz_db.check.attempt import Attempt
from zertz_db.rules.board import Board
from zertz_db.rules.kernel import CLAIMED, JUMP, MARBLES, PLACE
from zertz_db.rules.ruleset import COLOURS

KINDS = ("placement", "capture", "pass")
"""The kernel's kinds of moves in words."""


def kinds(tried: Attempt) -> list[str]:
    """What each played ply is: placement, capture or pass."""
    numbers, begins = tried.code.numbers, tried.code.begins
    return [KINDS[numbers[begin]] for begin in begins[: tried.played]]


def notations(tried: Attempt) -> list[str]:
    """Each played ply, without what it claimed."""
    numbers, begins, rows = tried.code.numbers, tried.code.begins, tried.rows
    board = tried.start.board
    placements = _placements(board)
    written = []
    for ply in range(tried.played):
        at = begins[ply]
        kind = numbers[at]
        if kind == PLACE:
            key = (numbers[at + 1], numbers[at + 2], numbers[at + 3])
            written.append(placements.get(key) or placements.setdefault(key, _placement(board, key)))
        elif kind == JUMP:
            written.append(_capture(board, rows[ply], numbers[at + 1 : begins[ply + 1]]))
        else:
            written.append("-")
    return written


def with_claims(tried: Attempt, written: list[str]) -> list[str]:
    """The plies of `notations`, each with what it claimed."""
    numbers, begins, rows, board = tried.code.numbers, tried.code.begins, tried.rows, tried.start.board
    return [
        text if not rows[ply + 1][CLAIMED] else f"{text} x {_claimed(board, rows, ply, numbers, begins[ply])}"
        for ply, text in enumerate(written)
    ]


@cache
def _placements(board: Board) -> dict[tuple[int, int, int], str]:  # noqa: ARG001 - a store for each board
    """Placements that were written before, by colour, ring and removed ring."""
    return {}


def _placement(board: Board, key: tuple[int, int, int]) -> str:
    colour, ring, removed = key
    return f"{COLOURS[colour]}{board.rings[ring]}" + (f",{board.rings[removed]}" if removed >= 0 else "")


def _claimed(board: Board, rows: list[list[int]], ply: int, numbers: list[int], at: int) -> str:
    colour, placed = numbers[at + 1], numbers[at + 2]
    claimed, before = rows[ply + 1][CLAIMED], rows[ply]
    return "".join(
        f"{COLOURS[colour] if ring == placed else colour_in(before, ring)}{name}"
        for ring, name in enumerate(board.rings)
        if claimed >> ring & 1
    )


def _capture(board: Board, before: list[int], hops: list[int]) -> str:
    """`hops` are the ring, then a colour or -1 and a landing ring for each jump."""
    ring = hops[0]
    text = f"x {board.rings[ring]}"
    for landing in hops[2::2]:
        text += f"{colour_in(before, jumped(board, ring, landing))}{board.rings[landing]}"
        ring = landing
    return text


def jumped(board: Board, ring: int, landing: int) -> int:
    """The ring between two rings of a jump."""
    return board.tables.neighbour[board.tables.landing.index(landing, 6 * ring)]


def colour_in(row: list[int], ring: int) -> str:
    """The letter of the marble on a ring in a replay's row."""
    bit = 1 << ring
    if row[MARBLES] & bit:
        return "W"
    return "G" if row[MARBLES + 1] & bit else "B"
