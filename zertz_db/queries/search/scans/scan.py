"""Look through positions for a pattern: on all places of a board at once where a cell must be a ring, otherwise place by place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from zertz_db.queries.search.lattice import Symmetry
from zertz_db.queries.search.pattern import Pattern
from zertz_db.queries.search.scans.compiled_scan import choose_compiled
from zertz_db.queries.search.scans.embeddings import Embedding, find_embeddings, list_layings
from zertz_db.queries.search.scans.grid_scan import GridScan
from zertz_db.rules.board import Board
from zertz_db.store.schema.position_columns import split_colours

Sets: TypeAlias = Sequence[Any]
"""Three arrays with an element for each position: its sets of rings (RING_SETS), as int64 or as Python's own integers."""

NONE = -1
_BLOCK = 1 << 13
"""Number of positions whose sets the processor's cache has room for. Arrays of twice the size are returned to the system each time."""


class Scan(NamedTuple):
    """How to look for a pattern on a board.

    find: gives for each position the number of the first way to lay the pattern that matches, or NONE, as an int64 array. way: gives the
    way with a number. select: gives the rows of few positions, in order, among which are all that match; it is faster than `find`. None
    if many may match, by the shares of their cells.
    """

    find: Callable[[Sets], Any]
    way: Callable[[int], Symmetry]
    select: Callable[[Sets], Any] | None


def plan_scan(pattern: Pattern, board: Board, *, is_large: bool = False) -> Scan:
    """Return how to look for a pattern on a board. is_large: in millions of positions, which are worth compiled code."""
    layings = list_layings(pattern, board)
    if all(laying.on_rings for laying in layings):
        scan = GridScan(layings, board)
        select = (is_large and choose_compiled(scan)) or scan.select
        return Scan(_in_blocks(scan.find), scan.way, select if scan.is_selective else None)
    embeddings = find_embeddings(layings, board)
    return Scan(
        _in_blocks(lambda sets: find_by_place(embeddings, sets)),
        lambda number: embeddings[number].way,
        select=None,
    )


def find_by_place(embeddings: Sequence[Embedding], sets: Sets) -> Any:
    """Return for each position the number of the first embedding that matches, or NONE."""
    rings, *marbles = sets
    states = (~rings, rings & ~(marbles[0] | marbles[1]), *split_colours(*marbles))
    found = np.full(len(rings), NONE, np.int64)
    for number, embedding in reversed(list(enumerate(embeddings))):
        wrong = np.zeros(len(rings), rings.dtype)
        for state, forbidden in zip(states, embedding.forbidden, strict=True):
            if forbidden:
                wrong |= state & forbidden
        found[wrong == 0] = number
    return found


def _in_blocks(find: Callable[[Sets], Any]) -> Callable[[Sets], Any]:
    def find_all(sets: Sets) -> Any:
        starts = range(0, len(sets[0]), _BLOCK)
        parts = [find([column[start : start + _BLOCK] for column in sets]) for start in starts]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    return find_all
