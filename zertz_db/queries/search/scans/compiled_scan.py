"""Look for a pattern in millions of positions by compiled code: in a third of numpy's time, and without turns for Python's threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np

from zertz_db.queries.search.pattern import STATES
from zertz_db.queries.search.scans.bit_grid import BitGrid
from zertz_db.queries.search.scans.embeddings import NO_RING
from zertz_db.queries.search.scans.grid_kernel import AT_ONCE, BLOCK, Plan
from zertz_db.queries.search.scans.grid_scan import GridScan, Look, Sign, density
from zertz_db.rules import compiled

_ALL = (1 << 64) - 1
_FAR = 63
"""A shift after which no bit of a ring is left: no suited grid has a ring at the last bit."""
_NO_LOOK = (0, 0, _ALL)
"""A look that fits from everywhere."""


def choose_compiled(scan: GridScan) -> Callable[[Sequence[Any]], Any] | None:
    """Return what gives the rows of the positions that match; None where numba can't compile it, or on a board of several words.

    The first call on a machine compiles for one to two seconds.
    """
    if not scan.turned or not is_suited(scan.grid):
        return None
    try:
        find_matches = compiled.batch_function("find_matches", __package__, ("grid_kernel",))
        select = partial(select_matches, find_matches, build_plan(scan))
        select([np.zeros(0, np.int64)] * 3)
    except Exception:  # noqa: BLE001 - numba compiles and loads on the first call; whatever fails there
        return None
    return select


def is_suited(grid: BitGrid) -> bool:
    """Return whether the kernel can look on a grid: its bits have a word, with one to spare."""
    return grid.is_narrow and max(grid.bits.values()) < _FAR


def build_plan(scan: GridScan) -> Plan:
    """Return what the kernel looks for."""
    grid = scan.grid
    signs = sorted({sign for turned in scan.turned for sign, _ in turned.looks})
    looks = [list(_pad(sorted(turned.looks, key=lambda look: density(look[0])))) for turned in scan.turned]
    return Plan(
        states=_bits(_ALL if state in _list_held(sign) else 0 for sign in signs for state in "oWGB"),
        unlike=_bits(0 if NO_RING in sign else grid.inside((0, 0)) for sign in signs),
        rings=_bits(rings for rings, _ in grid.pieces),
        ups=_bits(max(up, 0) for _, up in grid.pieces),
        downs=_bits(max(-up, 0) for _, up in grid.pieces),
        anchors=_bits(int(turned.anchors) for turned in scan.turned),
        firsts=_indices([0, *accumulate(map(len, looks))]),
        signs=_indices(signs.index(look[0]) if look else 0 for some in looks for look in some),
        shifts=_bits(number for some in looks for look in some for number in _list_shifts(grid, look)),
    )


def _pad(looks: Sequence[Look]) -> Iterator[Look | None]:
    """Yield looks, and None until they are a multiple of AT_ONCE."""
    yield from looks
    yield from [None] * (-len(looks) % AT_ONCE)


def _list_held(sign: Sign) -> list[str]:
    """Return the states of rings that tell whether a cell fits: those that fit, or, if the cell may be no ring, those that do not."""
    return [state for number, state in enumerate(STATES) if (number in sign) != (NO_RING in sign)]


def _list_shifts(grid: BitGrid, look: Look | None) -> tuple[int, int, int]:
    if look is None:
        return _NO_LOOK
    sign, step = look
    down, up = grid.list_shifts(step, _FAR)
    return down, up, 0 if NO_RING in sign else _ALL & ~grid.inside(step)


def _bits(numbers: Iterable[int]) -> Any:
    return np.array([*numbers], np.uint64)


def _indices(numbers: Iterable[int]) -> Any:
    return np.array([*numbers], np.int64)


def select_matches(find_matches: Callable[..., None], plan: Plan, sets: Sequence[Any]) -> Any:
    """Return the rows of the positions that match, by `grid_kernel.find_matches`, compiled or not. sets: as for `scan.find_by_place`."""
    room = [np.empty(BLOCK, np.uint64) for _ in range(3)]
    fitting = np.empty(BLOCK * len(plan.unlike), np.uint64)
    is_match = np.empty(len(sets[0]), np.bool_)
    find_matches(plan, *(np.ascontiguousarray(held).view(np.uint64) for held in sets), *room, fitting, is_match)
    return np.flatnonzero(is_match)
