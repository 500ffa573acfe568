"""Look for a pattern on all places of a board at once, by shifts on its bit grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from zertz_db.queries.search.lattice import Cell, Symmetry
from zertz_db.queries.search.pattern import STATES
from zertz_db.queries.search.scans.bit_grid import BitGrid, find_grid
from zertz_db.queries.search.scans.embeddings import NO_RING, Laying
from zertz_db.rules.board import LARGEST_BOARD, Board

Sign: TypeAlias = tuple[int, ...]
"""The numbers of the states that a cell must not have."""
Look: TypeAlias = tuple[Sign, Cell]
"""A sign, and the step that leads to its cell."""


_DENSITIES = (0.4, 0.6, 0.03, 0.03, 0.03)
"""Share of the cells of a position in each of STATES, roughly."""
_RARE = 3
"""Number of cells by which positions are left out."""
_BLOCK = 1 << 14
"""Number of positions whose sets the processor's cache has room for, while the rarest cells are looked for."""


class GridScan:
    """A pattern on a board. At least one of its cells must be a ring."""

    def __init__(self, layings: Sequence[Laying], board: Board) -> None:
        """Plan the scan."""
        grid = find_grid(board)
        distinct = {_shape(laying): laying for laying in reversed(layings)}  # keeps the first of each shape
        chosen = [laying for laying in layings if distinct[_shape(laying)] is laying]
        rare = _choose_rare(chosen[0]) if chosen else ()  # cells have the same places in each laying
        anchor = _choose_anchor(chosen[0], rare) if chosen else 0
        turned = [Turned(laying, board, grid, anchor, rare) for laying in chosen]
        self.grid = grid
        self.turned = [one for one in turned if one.anchors]
        self._rooms: list[Sequence[Any]] = []
        share = math.prod(density(chosen[0].cells[place][1]) for place in rare)
        self.is_selective = share * sum(int(one.anchors).bit_count() for one in self.turned) < 1
        """Whether `select` leaves out most positions. It costs a fifth of `find`."""

    def select(self, sets: Sequence[Any]) -> Any:
        """Return the rows of the positions in which the rarest cells match somewhere. sets: as for `find`."""
        try:
            room = self._rooms.pop()
        except IndexError:
            room = [np.empty(_BLOCK, self.grid.kind) for _ in range(4 + _RARE)]
        starts = range(0, len(sets[0]), _BLOCK)
        found = [start + self._select([held[start : start + _BLOCK] for held in sets], room) for start in starts]
        self._rooms.append(room)
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def _select(self, sets: Sequence[Any], room: Sequence[Any]) -> Any:
        """Return the rows of a block. room: arrays to use."""
        union, places, looked, piece, *kept = (array[: len(sets[0])] for array in room)
        sets = [held.view(union.dtype) if self.grid.is_narrow else held for held in sets]
        signs = {sign for turned in self.turned[:1] for sign, _ in turned.rare}
        fitting = {sign: _fit(self.grid, sets, sign, (out, piece, places)) for sign, out in zip(signs, kept)}  # noqa: B905
        union.fill(0)
        for turned in self.turned:
            first, *others = turned.rare
            np.bitwise_and(_step(self.grid, fitting[first[0]], first, looked, piece), turned.anchors, out=places)
            for look in others:
                places &= _step(self.grid, fitting[look[0]], look, looked, piece)
            union |= places
        return np.flatnonzero(union)

    def find(self, sets: Sequence[Any]) -> Any:
        """Return for each position a number of the first way that matches, or -1. sets: as for `scan.find_by_place`, of some positions."""
        seen = _Seen(self.grid, sets)
        found = np.full(len(sets[0]), -1, np.int64)
        matches = [seen.matches(turned, turned.looks) for turned in self.turned]
        left = np.flatnonzero(_union(matches)) if matches else ()
        for number, (turned, anchors) in enumerate(zip(self.turned, matches, strict=True)):
            if not len(left):
                break
            bits = anchors[left]
            hits = bits != 0
            found[left[hits]] = turned.first_ring(bits[hits]) + number * LARGEST_BOARD
            left = left[~hits]
        return found

    def way(self, number: int) -> Symmetry:
        """Return the way with a number."""
        turned, ring = divmod(number, LARGEST_BOARD)
        return self.turned[turned].way(ring)


def _shape(laying: Laying) -> object:
    """Return what two layings have in common that match in the same places."""
    q0, r0 = (0, 0) if laying.is_fixed else min(cell for cell, _ in laying.cells)
    return frozenset(((q - q0, r - r0), others) for (q, r), others in laying.cells)


class Turned:
    """A turned pattern, and where one of its cells that must be rings, the anchor, may lie."""

    def __init__(self, laying: Laying, board: Board, grid: BitGrid, anchor: int, rare: Sequence[int]) -> None:
        """anchor, rare: places of cells of the laying."""
        self._laying = laying
        self._board = board
        self.grid = grid
        self._anchor = q, r = laying.cells[anchor][0]
        self.looks: list[Look] = [(others, (cell[0] - q, cell[1] - r)) for cell, others in laying.cells]
        """The cells, seen from the anchor."""
        self.rare = [self.looks[place] for place in rare]
        """The cells that match the fewest positions."""
        anchors = ~0
        for others, step in self.looks:
            if NO_RING in others:
                anchors &= grid.inside(step)
        if laying.is_fixed:
            anchors &= 1 << grid.bits[self._anchor] if self._anchor in grid.bits else 0
        self.anchors = grid.number(anchors)

    def way(self, ring: int) -> Symmetry:
        """Return the way that lays the anchor onto a ring."""
        way = self._laying.way
        q, r = self._board.axial[ring]
        return way.moved(way.q + q - self._anchor[0], way.r + r - self._anchor[1])

    @cached_property
    def _rank(self) -> Any:
        """Return for each ring how many moves come before the one that lays the anchor there."""
        rank = np.full(len(self._board.rings), LARGEST_BOARD)
        at = {cell: ring for ring, cell in enumerate(self._board.axial)}
        for number, (q, r) in enumerate(self._laying.moves(self._board)):
            ring = at.get((self._anchor[0] + q, self._anchor[1] + r))
            if ring is not None:
                rank[ring] = number
        return rank

    def first_ring(self, sets: Any) -> Any:
        """Return for each set of places of the anchor the ring with the first move; no set may be empty."""
        first = self.grid.rings[self.grid.lowest(sets)]
        rows = np.arange(len(sets))
        while True:
            sets = sets & (sets - self.grid.number(1))  # without the lowest
            more = np.flatnonzero(sets)
            if not len(more):
                return first
            rows, sets = rows[more], sets[more]
            others = self.grid.rings[self.grid.lowest(sets)]
            first[rows] = np.where(self._rank[others] < self._rank[first[rows]], others, first[rows])


def _choose_rare(laying: Laying) -> Sequence[int]:
    """Return the indexes of the cells that match the fewest positions."""
    densities = [density(others) for _, others in laying.cells]
    return sorted(range(len(densities)), key=densities.__getitem__)[:_RARE]


def density(sign: Sign) -> float:
    """Return the share of cells that fit a sign, roughly."""
    return sum(share for number, share in enumerate(_DENSITIES) if number not in sign)


def _choose_anchor(laying: Laying, rare: Sequence[int]) -> int:
    """Return the place of a cell that must be a ring, a rare one if there is one, and of those the one in the middle.

    The look at the anchor itself is no shift; from the middle turned patterns have most steps in common.
    """

    def distance(place: int) -> int:
        q0, r0 = laying.cells[place][0]
        steps = [(q - q0, r - r0) for (q, r), _ in laying.cells]
        return sum(max(abs(q), abs(r), abs(q + r)) for q, r in steps)

    solid = [place for place, (_, others) in enumerate(laying.cells) if NO_RING in others]
    return min([place for place in solid if place in rare] or solid, key=distance)


class _Seen:
    """Some positions on a grid; each look is kept, for it serves several turned patterns."""

    def __init__(self, grid: BitGrid, sets: Sequence[Any]) -> None:
        self.grid = grid
        self._sets = sets
        self._looked: dict[Look, Any] = {}

    def matches(self, turned: Turned, looks: Sequence[Look]) -> Any:
        """Return the places of the anchor where some cells of a turned pattern match."""
        first, *others = looks
        places = self._look(first) & turned.anchors
        for look in others:
            places &= self._look(look)
        return places

    def _look(self, look: Look) -> Any:
        if look not in self._looked:
            sign, step = look
            is_here = step == (0, 0)
            self._looked[look] = (
                _fit(self.grid, self._sets, sign) if is_here else _step(self.grid, self._look((sign, (0, 0))), look)
            )
        return self._looked[look]


def _step(grid: BitGrid, fitting: Any, look: Look, out: Any = None, piece: Any = None) -> Any:
    """Return the places from which one step leads to a cell that fits a sign. fitting: these cells. out, piece: arrays to use."""
    sign, step = look
    if step == (0, 0):
        return fitting
    looked = grid.look(fitting, step, out, piece)
    if NO_RING not in sign:
        looked |= grid.number(~grid.inside(step))
    return looked


def _fit(grid: BitGrid, sets: Sequence[Any], sign: Sign, room: Sequence[Any] = (None, None, None)) -> Any:
    """Return the places that fit a sign; those without a ring fit unless the sign forbids them. room: arrays to use."""
    out, piece, held = room
    if NO_RING not in sign:
        forbidden = "".join(STATES[number] for number in sign)
        return np.invert(grid.spread(hold(sets, forbidden, held), out, piece), out=out)
    states = "".join(state for number, state in enumerate(STATES) if number not in sign)
    return grid.spread(hold(sets, states, held), out, piece)


def hold(sets: Sequence[Any], states: str, out: Any = None) -> Any:
    """Return the rings in one of some states: letters of STATES, in that order. out: an array to use."""
    rings, one, other = sets
    if "o" not in states:
        return _MARBLES[states](one, other, out)
    others = "".join(state for state in "WGB" if state not in states)
    return np.bitwise_and(rings, np.invert(_MARBLES[others](one, other, out), out=out), out=out) if others else rings


def _only(one: Any, other: Any, out: Any) -> Any:
    return np.bitwise_and(one, np.invert(other, out=out), out=out)


_MARBLES: dict[str, Callable[[Any, Any, Any], Any]] = {
    "W": _only,
    "G": lambda one, other, out: _only(other, one, out),
    "B": lambda one, other, out: np.bitwise_and(one, other, out=out),
    "WG": lambda one, other, out: np.bitwise_xor(one, other, out=out),
    "WB": lambda one, _other, _out: one,
    "GB": lambda _one, other, _out: other,
    "WGB": lambda one, other, out: np.bitwise_or(one, other, out=out),
}
"""For each choice of colours what returns the rings with a marble of one of them: by both sets of marbles, and an array to use."""


def _union(sets: Sequence[Any]) -> Any:
    """Return what is in any of several sets. `np.bitwise_or.reduce` would copy them into one array first."""
    first, *others = sets
    if not others:
        return first
    union = np.bitwise_or(first, others[0])
    for one in others[1:]:
        union |= one
    return union
