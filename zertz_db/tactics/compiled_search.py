"""Supply the functions and the memory of the search: compiled for boards of up to 63 rings, interpreted for larger ones.

If numba is missing or fails, all searches of the process are interpreted. numpy is imported with the first search: it takes 90 ms, which
`zertz moves` does not need.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from threading import Event
from typing import Any, NamedTuple, TypeVar

from zertz_db.errors import ZertzError
from zertz_db.rules import compiled
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board, for_each_board
from zertz_db.rules.kernel import STATE_SIZE
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.rules.start import rules_vector
from zertz_db.tactics import ply_kernel, puzzle_kernel, search_kernel, search_moves
from zertz_db.tactics.search_moves import COUNTERS_SIZE, FRAME_SIZE, LINK_SIZE, Work
from zertz_db.tactics.transpositions import ENTRY_SIZE

Result = TypeVar("Result")

_MODULES = (
    "search_moves",
    "instant_wins",
    "transpositions",
    "pooled_removals",
    "search_kernel",
    "ply_kernel",
    "puzzle_kernel",
)
_CALLED = frozenset(
    {
        "search",
        "deepen",
        "start_search",
        "judge_win",
        "judge_blunder",
        "is_only_move",
        "wins_by_playing",
        "find_ring",
    }
)
"""Large functions, which are compiled once each instead of in every function that calls them."""
LARGEST_TABLE = 1 << 20
"""Maximum number of entries in the table of positions."""
_SMALLEST_TABLE = 1 << 10


_compiler_failed = Event()
"""Set once numba has failed in this process."""


class SearchTables(NamedTuple):
    """The tables of a board that the search reads (`zertz_db.rules.board.Tables`): fewer arguments for compiled calls."""

    rings: int
    neighbour: Sequence[int]
    landing: Sequence[int]
    around: Sequence[int]


class Search(NamedTuple):
    """Functions and arguments of searches on one board under one rule set."""

    functions: Any
    tables: Any
    rules: Any
    work: Work

    @property
    def is_compiled(self) -> bool:
        """Return whether the functions are compiled."""
        return not isinstance(self.work.table, list)

    def row(self, numbers: Sequence[int]) -> Any:
        """Return a state as the functions take it."""
        return list(numbers) if not self.is_compiled else _array(numbers)

    def rows(self, count: int, size: int) -> Any:
        """Return `count` rows of `size` zeros."""
        return [[0] * size for _ in range(count)] if not self.is_compiled else _zeros((count, size))


class _Interpreted:
    """Offer the functions of the search interpreted."""

    solve_states = staticmethod(search_kernel.solve_states)
    start_search = staticmethod(search_kernel.start_search)
    set_limit = staticmethod(search_kernel.set_limit)
    deepen = staticmethod(search_kernel.deepen)
    search = staticmethod(search_kernel.search)
    list_moves = staticmethod(search_moves.list_moves)
    play_move = staticmethod(search_moves.play_move)
    judge_plies = staticmethod(ply_kernel.judge_plies)
    judge_puzzles = staticmethod(puzzle_kernel.judge_puzzles)


def run_search(search: Callable[[bool], Result], interpreted: bool) -> Result:
    """Return the result of a search, which takes whether it is to be interpreted. If the compiled functions fail, repeat it interpreted.

    numba compiles and loads each function on its first call: it can fail there. The failure is logged once. Raises what `search` raises
    interpreted.
    """
    if interpreted or _compiler_failed.is_set():
        return search(True)
    try:
        return search(False)
    except (ZertzError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever is wrong with numba
        _compiler_failed.set()
        cause = f"the compiled search fails ({type(error).__name__}: {error})"
        _log.warning("%s: forced wins are searched interpreted, some hundred times slower", cause)
        return search(True)


def is_compiled(board: Board) -> bool:
    """Return whether positions of this board are searched compiled."""
    return not _compiler_failed.is_set() and _compiled_functions(board) is not None


def open_search(board: Board, rules: RuleSet, depth: int, nodes: int, interpreted: bool = False) -> Search:
    """Return the means to search positions of a board within `depth` plies, with a table that suits a limit of `nodes`.

    The search is interpreted if the board is too large, numba is missing, or `interpreted` asks for it.
    """
    functions = None if interpreted else _compiled_functions(board)
    entries = _SMALLEST_TABLE
    while entries < min(nodes, LARGEST_TABLE):
        entries *= 2
    count = len(board.rings)
    plies, room = depth + 3, 2 * max(64, 3 * count * count)  # a placement: one of three colours, two rings
    tables = board.tables
    fields = (tables.neighbour, tables.landing, tables.around)
    vector = rules_vector(rules)
    sizes = (plies, STATE_SIZE), (plies, FRAME_SIZE), (plies, room), (count + 1, LINK_SIZE)
    if functions is None:
        states, frames, moves, chains = ([[0] * size for _ in range(high)] for high, size in sizes)
        work = Work(states, frames, moves, chains, [0] * (entries * ENTRY_SIZE), [0] * COUNTERS_SIZE)
        return Search(_Interpreted, SearchTables(count, *fields), vector, work)
    states, frames, moves, chains = (_zeros(size) for size in sizes)
    work = Work(states, frames, moves, chains, _zeros(entries * ENTRY_SIZE), _zeros(COUNTERS_SIZE))
    return Search(functions, _trimmed(board), _array(vector), work)


def _compiled_functions(board: Board) -> Any:
    if len(board.rings) > LARGEST_COMPILED_BOARD:
        return None
    try:
        return compiled.functions_with("zertz_db.tactics", _MODULES, _CALLED)
    except compiled.CompilerMissing:
        return None


@for_each_board
def _trimmed(board: Board) -> Any:
    tables = board.tables
    return SearchTables(len(board.rings), _array(tables.neighbour), _array(tables.landing), _array(tables.around))


def _array(numbers: Sequence[int]) -> Any:
    import numpy as np

    return np.array(numbers, np.int64)


def _zeros(size: int | tuple[int, int]) -> Any:
    import numpy as np

    return np.zeros(size, np.int64)


_log = logging.getLogger(__name__)
