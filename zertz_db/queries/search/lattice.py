"""Cells of the lattice, and the ways to lay some of them onto others: turned, mirrored, moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from zertz_db.rules.board import TURNS, Board
from zertz_db.rules.position import Position

Cell = tuple[int, int]
"""Axial coordinates: the neighbours of (q, r) are (q, r±1), (q±1, r), (q+1, r-1) and (q-1, r+1), as in `Board.axial`."""


class Symmetry(NamedTuple):
    """A way to lay cells onto others: mirrored first if need be, then turned anticlockwise by sixths, then moved by (q, r)."""

    sixths: int
    mirrored: bool
    q: int = 0
    r: int = 0

    def lay(self, cell: Cell) -> Cell:
        """Where a cell comes to lie."""
        q, r = reversed(cell) if self.mirrored else cell
        for _ in range(self.sixths):
            q, r = -r, q + r
        return q + self.q, r + self.r

    def moved(self, q: int, r: int) -> Symmetry:
        """The same way, but with this move."""
        return Symmetry(self.sixths, self.mirrored, q, r)


STAY = Symmetry(0, False)
TURNING = tuple(Symmetry(sixths, mirrored) for sixths, mirrored in TURNS)
"""The twelve ways without a move."""


def holdings(position: Position) -> dict[Cell, str]:
    """The cells where a position has rings, with what they hold: `o` for vacant, `W`, `G`, `B`."""
    on = {cell: position.on(ring) for ring, cell in zip(position.board.rings, position.board.axial, strict=True)}
    return {cell: held for cell, held in on.items() if held}


def list_symmetries(some: Mapping[Cell, str], onto: Mapping[Cell, str]) -> Iterator[Symmetry]:
    """Every way to lay these holdings exactly onto those."""
    if sorted(some.values()) != sorted(onto.values()):
        return
    if not some:
        yield STAY
        return
    q, r = _corner(onto)
    for turning in TURNING:
        q0, r0 = _corner(map(turning.lay, some))
        way = turning.moved(q - q0, r - r0)
        if all(onto.get(way.lay(cell)) == held for cell, held in some.items()):
            yield way


def keeps(way: Symmetry, board: Board) -> bool:
    """Whether a way is a symmetry of a board: lays it onto itself."""
    return set(map(way.lay, board.axial)) == set(board.axial)


def symmetries(board: Board) -> list[Symmetry]:
    """The symmetries of a board."""
    everywhere = dict.fromkeys(board.axial, "o")
    return list(list_symmetries(everywhere, everywhere))


def _corner(cells: Iterable[Cell]) -> Cell:
    columns, rows = zip(*cells, strict=True)
    return min(columns), min(rows)
