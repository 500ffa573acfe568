"""Embeddings of a pattern on a board, as sets of rings that forbid a match."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from zertz_db.queries.search.lattice import STAY, TURNING, Cell, Symmetry, symmetries
from zertz_db.queries.search.pattern import STATES, Pattern, allowed
from zertz_db.rules.board import Board

NO_RING = STATES.index(".")


class Embedding(NamedTuple):
    """A pattern at a place: for each of STATES the set of rings that must not be so, and the way that laid it there.

    A ring of number r is bit r. A position matches if no ring is in a state that is forbidden for it.
    """

    forbidden: tuple[int, ...]
    way: Symmetry


class Laying(NamedTuple):
    """A pattern as it was turned: the way, its cells with the numbers of the states that are forbidden, and whether it stays there."""

    way: Symmetry
    cells: Sequence[tuple[Cell, tuple[int, ...]]]
    is_fixed: bool

    @property
    def on_rings(self) -> list[Cell]:
        """Return the cells that must be rings."""
        return [cell for cell, others in self.cells if NO_RING in others]

    def moves(self, board: Board) -> Collection[Cell]:
        """Return the moves that bring a cell that must be a ring onto each ring of the board; where none must be, any of the cells."""
        if self.is_fixed:
            return [(0, 0)]
        solid = self.on_rings[:1] or [cell for cell, _ in self.cells]
        return {(q1 - q0, r1 - r0) for q0, r0 in solid for q1, r1 in board.axial}


def list_layings(pattern: Pattern, board: Board) -> list[Laying]:
    """Return each way to turn a pattern. Empty if the board lacks a ring that it names."""
    cells = embedded_cells(pattern, board)
    if cells is None:
        return []
    asked = {cell: others for cell, sign in cells.items() if (others := _others(sign))}
    is_fixed = pattern.is_named or not asked
    return [
        Laying(turning, [(turning.lay(cell), others) for cell, others in asked.items()], is_fixed)
        for turning in (_turnings(pattern, board) if asked else [STAY])
    ]


def find_embeddings(layings: Iterable[Laying], board: Board) -> list[Embedding]:
    """Return the embeddings, each set of rings once. Empty if the pattern does not fit on the board."""
    at = {cell: ring for ring, cell in enumerate(board.axial)}
    found: dict[tuple[int, ...], Symmetry] = {}
    for laying in layings:
        for q, r in laying.moves(board):
            forbidden = _forbidden(laying.cells, q, r, at)
            if forbidden is not None and forbidden not in found:
                found[forbidden] = laying.way.moved(laying.way.q + q, laying.way.r + r)
    return [Embedding(forbidden, way) for forbidden, way in found.items()]


def embedded_cells(pattern: Pattern, board: Board) -> Mapping[Cell, str] | None:
    """The pattern's cells by coordinates; those named by rings as they lie on the board, None where it lacks such a ring."""
    cells: dict[Cell, str] = {}
    for cell, sign in pattern.cells.items():
        if not isinstance(cell, str):
            cells[cell] = sign
        elif cell in board.index:
            cells[board.axial[board.index[cell]]] = sign
        else:
            return None
    return cells


_Laid: TypeAlias = Sequence[tuple[Cell, tuple[int, ...]]]
"""Cells with the numbers of the states that are forbidden there."""


def _others(sign: str) -> tuple[int, ...]:
    states = allowed(sign)
    return tuple(number for number, state in enumerate(STATES) if state not in states)


def _turnings(pattern: Pattern, board: Board) -> Sequence[Symmetry]:
    if not pattern.is_named:
        return TURNING
    return symmetries(board) if pattern.turned else [STAY]


def _forbidden(laid: _Laid, q: int, r: int, at: Mapping[Cell, int]) -> tuple[int, ...] | None:
    """The forbidden sets of cells that are moved by (q, r); None where one that must be a ring lies beyond the edge."""
    forbidden = [0] * len(STATES)
    for (q0, r0), others in laid:
        ring = at.get((q0 + q, r0 + r))
        if ring is not None:
            for number in others:
                forbidden[number] |= 1 << ring
        elif NO_RING in others:
            return None
    return tuple(forbidden)
