"""Supply the searches over the kernel with compiled functions, a fallback, and memory as lists or arrays.

numpy is imported with the first compiled search: it takes 90 ms, which `zertz moves` does not need.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from threading import Event
from typing import Any, NamedTuple, TypeVar

from zertz_db.errors import ZertzError
from zertz_db.rules import compiled
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board
from zertz_db.rules.kernel import STATE_SIZE
from zertz_db.tactics.search_moves import LINK_SIZE, Work

Result = TypeVar("Result")

_SMALLEST_TABLE = 1 << 10


def find_functions(board: Board, package: str, modules: tuple[str, ...], called: frozenset[str]) -> Any:
    """Return the compiled functions of modules of a package; None if the board is too large or numba is missing.

    called: large functions, which are compiled once each instead of in every function that calls them.
    """
    if len(board.rings) > LARGEST_COMPILED_BOARD:
        return None
    try:
        return compiled.functions_with(package, modules, called)
    except compiled.CompilerMissing:
        return None


def run_with_fallback(
    search: Callable[[bool], Result], interpreted: bool, failed: Event, name: str, subject: str
) -> Result:
    """Return the result of a search, which takes whether it is to be interpreted. If the compiled functions fail, repeat it interpreted.

    numba compiles and loads each function on its first call: it can fail there. `failed` notes that for later searches. The failure is
    logged once, with the search's name and what it searches (`subject`). Raises what `search` raises interpreted.
    """
    if interpreted or failed.is_set():
        return search(True)
    try:
        return search(False)
    except (ZertzError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever is wrong with numba
        failed.set()
        cause = f"the compiled {name} fails ({type(error).__name__}: {error})"
        _log.warning("%s: %s are searched interpreted, some hundred times slower", cause, subject)
        return search(True)


def count_entries(nodes: int, largest: int) -> int:
    """Return the number of entries of a table of positions that suits a limit of nodes: a power of two, at most `largest`."""
    entries = _SMALLEST_TABLE
    while entries < min(nodes, largest):
        entries *= 2
    return entries


class Memory(NamedTuple):
    """The kind of memory that the functions of a search work on: int64 arrays if they are compiled, or else lists."""

    is_compiled: bool

    def row(self, numbers: Sequence[int]) -> Any:
        """Return whole numbers, such as those of a state."""
        return make_array(numbers) if self.is_compiled else list(numbers)

    def zeros(self, size: int) -> Any:
        """Return a row of zeros."""
        return _make_zeros(size) if self.is_compiled else [0] * size

    def rows(self, count: int, size: int) -> Any:
        """Return `count` rows of `size` zeros."""
        return _make_zeros((count, size)) if self.is_compiled else [[0] * size for _ in range(count)]

    def work(self, board: Board, plies: int, frame_size: int, table_size: int, counters: int) -> Work:
        """Return the memory of a search on a board, for lines of a number of plies."""
        return Work(
            self.rows(plies, STATE_SIZE),
            self.rows(plies, frame_size),
            self.rows(plies, 2 * count_moves(board)),
            self.rows(len(board.rings) + 1, LINK_SIZE),
            self.zeros(table_size),
            self.zeros(counters),
        )


def count_moves(board: Board) -> int:
    """Return the maximum number of moves that are listed in a position."""
    return max(64, 3 * len(board.rings) ** 2)  # a placement: one of three colours, two rings


def make_array(numbers: Sequence[int]) -> Any:
    """Return whole numbers as an array."""
    import numpy as np

    return np.array(numbers, np.int64)


def _make_zeros(size: int | tuple[int, int]) -> Any:
    import numpy as np

    return np.zeros(size, np.int64)


_log = logging.getLogger(__name__)
