"""Supply the searches over the kernel with compiled functions, a fallback, and memory as lists or arrays.

numpy is imported with the first compiled search: it takes 90 ms, which `zertz moves` does not need.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from threading import Event
from typing import Any, TypeVar

from zertz_db.errors import ZertzError
from zertz_db.rules import compiled
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board

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


def make_array(numbers: Sequence[int]) -> Any:
    """Return whole numbers as an array."""
    import numpy as np

    return np.array(numbers, np.int64)


def make_zeros(size: int | tuple[int, int]) -> Any:
    """Return an array of zeros."""
    import numpy as np

    return np.zeros(size, np.int64)


_log = logging.getLogger(__name__)
