"""Supply the functions and the memory of the search: compiled for boards of up to 63 rings, interpreted for larger ones.

If numba is missing or fails, all searches of the process are interpreted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event
from typing import Any, NamedTuple, TypeVar

from zertz_db.rules.board import Board, for_each_board
from zertz_db.rules.compiled import SearchTables
from zertz_db.rules.kernel import STATE_SIZE
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.rules.start import rules_vector
from zertz_db.tactics import ply_kernel, puzzle_kernel, search_kernel, search_moves
from zertz_db.tactics.search_memory import (
    count_entries,
    find_functions,
    make_array,
    make_zeros,
    run_with_fallback,
)
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

_compiler_failed = Event()
"""Set once numba has failed in this process."""


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
        return list(numbers) if not self.is_compiled else make_array(numbers)

    def rows(self, count: int, size: int) -> Any:
        """Return `count` rows of `size` zeros."""
        return [[0] * size for _ in range(count)] if not self.is_compiled else make_zeros((count, size))


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

    Raises what `search` raises interpreted.
    """
    return run_with_fallback(search, interpreted, _compiler_failed, "search", "forced wins")


def is_compiled(board: Board) -> bool:
    """Return whether positions of this board are searched compiled."""
    return not _compiler_failed.is_set() and _compiled_functions(board) is not None


def open_search(board: Board, rules: RuleSet, depth: int, nodes: int, interpreted: bool = False) -> Search:
    """Return the means to search positions of a board within `depth` plies, with a table that suits a limit of `nodes`.

    The search is interpreted if the board is too large, numba is missing, or `interpreted` asks for it.
    """
    functions = None if interpreted else _compiled_functions(board)
    entries = count_entries(nodes, LARGEST_TABLE)
    count = len(board.rings)
    plies, room = depth + 3, 2 * max(64, 3 * count * count)  # a placement: one of three colours, two rings
    vector = rules_vector(rules)
    sizes = (plies, STATE_SIZE), (plies, FRAME_SIZE), (plies, room), (count + 1, LINK_SIZE)
    if functions is None:
        states, frames, moves, chains = ([[0] * size for _ in range(high)] for high, size in sizes)
        work = Work(states, frames, moves, chains, [0] * (entries * ENTRY_SIZE), [0] * COUNTERS_SIZE)
        return Search(_Interpreted, list_tables(board), vector, work)
    states, frames, moves, chains = (make_zeros(size) for size in sizes)
    work = Work(states, frames, moves, chains, make_zeros(entries * ENTRY_SIZE), make_zeros(COUNTERS_SIZE))
    return Search(functions, make_table_arrays(board), make_array(vector), work)


def list_tables(board: Board) -> SearchTables:
    """Return the tables of a board as lists, for an interpreted search."""
    tables = board.tables
    return SearchTables(len(board.rings), tables.neighbour, tables.landing, tables.around)


@for_each_board
def make_table_arrays(board: Board) -> SearchTables:
    """Return the tables of a board as arrays, for a compiled search."""
    rings, *numbers = list_tables(board)
    return SearchTables(rings, *map(make_array, numbers))


def _compiled_functions(board: Board) -> Any:
    return find_functions(board, "zertz_db.tactics", _MODULES, _CALLED)
