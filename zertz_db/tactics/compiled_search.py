"""Supply the functions and the memory of the search: compiled for boards of up to 63 rings, interpreted for larger ones.

If numba is missing or fails, all searches of the process are interpreted.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any, NamedTuple, TypeVar

from zertz_db.rules.board import Board, for_each_board
from zertz_db.rules.compiled import SearchTables
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.rules.start import rules_vector
from zertz_db.tactics import ply_kernel, puzzle_kernel, search_kernel, search_moves
from zertz_db.tactics.search_memory import Memory, count_entries, find_functions, make_array, run_with_fallback
from zertz_db.tactics.search_moves import COUNTERS_SIZE, FRAME_SIZE, Work
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
    memory: Memory


class _Interpreted:
    """Offer the functions of the search interpreted."""

    solve_states = staticmethod(search_kernel.solve_states)
    start_search = staticmethod(search_kernel.start_search)
    set_limit = staticmethod(search_moves.set_limit)
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
    memory = Memory(is_compiled=functions is not None)
    table_size = count_entries(nodes, LARGEST_TABLE) * ENTRY_SIZE
    work = memory.work(board, depth + 3, FRAME_SIZE, table_size, COUNTERS_SIZE)
    return Search(functions or _Interpreted, find_tables(board, memory), memory.row(rules_vector(rules)), work, memory)


def find_tables(board: Board, memory: Memory) -> SearchTables:
    """Return the tables of a board as the functions of a search take them."""
    return _make_table_arrays(board) if memory.is_compiled else _list_tables(board)


def _list_tables(board: Board) -> SearchTables:
    tables = board.tables
    return SearchTables(len(board.rings), tables.neighbour, tables.landing, tables.around)


@for_each_board
def _make_table_arrays(board: Board) -> SearchTables:
    rings, *numbers = _list_tables(board)
    return SearchTables(rings, *map(make_array, numbers))


def _compiled_functions(board: Board) -> Any:
    return find_functions(board, "zertz_db.tactics", _MODULES, _CALLED)
