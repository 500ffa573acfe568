"""Bit grids: the rings of a board as bits of a number, such that a step on the lattice is a shift of all bits."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from zertz_db.queries.search.lattice import Cell
from zertz_db.rules.board import Board

_WORD = 64
"""Number of bits of a number that numpy computes with; others are Python's own, and slow."""
_CACHED_BOARDS = 256


class BitGrid:
    """The grid of a board: the ring at (q, r) is bit `stride * q + r`, modulo `size`; without a size, the lowest of them is bit 0."""

    def __init__(self, board: Board, stride: int, size: int | None) -> None:
        """Build the grid; no two rings may have the same bit."""
        self._stride = stride
        self._size = size
        places = [stride * q + r for q, r in board.axial]
        bits = [place - min(places) if size is None else place % size for place in places]
        self.bits: dict[Cell, int] = dict(zip(board.axial, bits, strict=True))
        """The bit of each ring."""
        self.is_narrow = max(bits) < _WORD
        self.kind = np.dtype(np.uint64 if self.is_narrow else object)
        """The type of its numbers in arrays."""
        self.rings = np.zeros(max(bits) + 1, np.int64)
        """The number of the ring of each bit."""
        self.rings[bits] = range(len(bits))
        self._inside: dict[Cell, int] = {}

    def number(self, bits: int) -> Any:
        """Return a set of bits as a number for its arrays."""
        return np.uint64(bits & (1 << _WORD) - 1) if self.is_narrow else bits

    @cached_property
    def pieces(self) -> list[tuple[int, int]]:
        """Return sets of rings by their numbers, and how far the bits of each set move up."""
        pieces: dict[int, int] = defaultdict(int)
        for ring, bit in enumerate(self.bits.values()):
            pieces[bit - ring] |= 1 << ring
        return [(rings, up) for up, rings in pieces.items()]

    def spread(self, sets: Any, out: Any = None, piece: Any = None) -> Any:
        """Return sets of rings by their numbers, int64, uint64 or Python's own integers, as sets of the grid's bits.

        out, piece: arrays to use, of the grid's numbers.
        """
        sets = sets.view(np.uint64) if self.is_narrow else sets.astype(object)
        out, piece = (np.empty_like(sets) if one is None else one for one in (out, piece))
        for place, (rings, up) in enumerate(self.pieces):
            some = piece if place else out
            np.bitwise_and(sets, self.number(rings), out=some)
            if up:
                shift = np.left_shift if up > 0 else np.right_shift
                shift(some, self._count(abs(up)), out=some)
            if place:
                out |= piece
        return out

    def look(self, sets: Any, step: Cell, out: Any = None, piece: Any = None) -> Any:
        """Return sets in which each ring's bit is what the bit of the place one step away was; of no use where that is beyond the edge.

        out, piece: as for `spread`.
        """
        down = self._stride * step[0] + step[1]
        if self._size is None:
            return self._shift(sets, -down, out)
        down %= self._size
        piece = np.bitwise_and(sets, self.number((1 << self._size) - 1), out=piece)
        looked = self._shift(piece, self._size - down, out)
        looked |= self._shift(piece, -down, piece)
        return looked

    def list_shifts(self, step: Cell, far: int) -> tuple[int, int]:
        """Return how far a look one step away moves sets down, and how far up. far: so far that no bit of a ring is left."""
        down = self._stride * step[0] + step[1]
        if self._size is not None:
            return down % self._size, self._size - down % self._size
        return (min(down, far), far) if down >= 0 else (far, min(-down, far))

    def inside(self, step: Cell) -> int:
        """Return the set of rings from which one step leads to a ring."""
        if step not in self._inside:
            q, r = step
            self._inside[step] = sum(1 << bit for (q0, r0), bit in self.bits.items() if (q0 + q, r0 + r) in self.bits)
        return self._inside[step]

    def _shift(self, sets: Any, up: int, out: Any) -> Any:
        if self.is_narrow and abs(up) >= _WORD:
            return np.bitwise_and(sets, self.number(0), out=out)
        shift = np.left_shift if up > 0 else np.right_shift
        return shift(sets, self._count(abs(up)), out=out)

    def _count(self, bits: int) -> Any:
        return np.uint64(bits) if self.is_narrow else bits

    def lowest(self, sets: Any) -> Any:
        """Return the number of the lowest bit of each set; none may be empty."""
        lowest = sets & -sets
        if self.is_narrow:
            return np.frexp(lowest.astype(np.float64))[1] - 1  # float64 has every power of two
        return np.array([bit.bit_length() - 1 for bit in lowest], np.int64)


@lru_cache(_CACHED_BOARDS)
def find_grid(board: Board) -> BitGrid:
    """Return the grid of a board, of at most 64 bits if there is one."""
    rings = len(board.rings)
    linear = (BitGrid(board, stride, None) for stride in range(1, _WORD) if _is_distinct(board, stride, None))
    # A wound grid takes three times as many shifts.
    wound = (
        BitGrid(board, stride, size)
        for size in range(rings, _WORD)
        for stride in range(size)
        if _is_distinct(board, stride, size)
    )
    first = next(linear)
    if first.is_narrow:
        return first
    return next(wound, first)


def _is_distinct(board: Board, stride: int, size: int | None) -> bool:
    places = [stride * q + r for q, r in board.axial]
    return len(set(places if size is None else [place % size for place in places])) == len(places)
