"""Supply the functions and the memory of the alpha-beta search: compiled for boards of up to 63 rings, interpreted for larger ones.

If numba is missing or fails, all searches of the process are interpreted, with the same results for the same number of nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event
from typing import Any, NamedTuple, TypeVar

from zertz_db.engine import alpha_beta
from zertz_db.engine.alpha_beta import ALL_COUNTERS, FRAME_SIZE, MOST_PLIES
from zertz_db.engine.candidates import HISTORY_SIZE
from zertz_db.engine.evaluation import make_weights
from zertz_db.engine.position_table import ENTRY_SIZE
from zertz_db.rules.board import Board
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.rules.start import rules_vector
from zertz_db.tactics import search_moves
from zertz_db.tactics.compiled_search import find_tables
from zertz_db.tactics.search_memory import Memory, count_entries, count_moves, find_functions, run_with_fallback
from zertz_db.tactics.search_moves import Work

Result = TypeVar("Result")

_MODULES = (
    "tactics.search_moves",
    "tactics.instant_wins",
    "tactics.transpositions",
    "engine.evaluation",
    "engine.position_table",
    "engine.candidates",
    "engine.alpha_beta",
)
_CALLED = frozenset({"run_iteration", "open_position", "try_next", "wins_now", "wins_by_playing", "list_candidates"})
"""Large functions, which are compiled once each instead of in every function that calls them."""
_LARGEST_TABLE = 1 << 18

_compiler_failed = Event()
"""Set once numba has failed in this process."""


class Means(NamedTuple):
    """Functions, arguments and memory of a search on one board under one rule set."""

    functions: Any
    tables: Any
    rules: Any
    weights: Any
    work: Work
    history: Any
    scores: Any
    memory: Memory

    @property
    def is_compiled(self) -> bool:
        """Return whether the functions are compiled."""
        return self.memory.is_compiled

    def start(self, state: Sequence[int], nodes: int) -> int:
        """Set the first position and the limit of nodes, list its moves, and return their number."""
        self.functions.start_position(self.tables, self.work, self.memory.row(state), nodes)
        return int(self.functions.list_first_moves(self.tables, self.work))

    def run(self, nodes: int) -> int:
        """Go on with the iteration for a number of nodes."""
        return int(
            self.functions.run_iteration(
                self.tables, self.rules, self.weights, self.work, self.history, self.scores, nodes
            )
        )


class _Interpreted:
    """Offer the functions interpreted."""

    start_position = staticmethod(search_moves.start_position)
    list_first_moves = staticmethod(alpha_beta.list_first_moves)
    run_iteration = staticmethod(alpha_beta.run_iteration)


def run_engine(choose: Callable[[bool], Result], interpreted: bool) -> Result:
    """Return the result of a search, which takes whether it is to be interpreted. If the compiled functions fail, repeat it interpreted.

    Raises what `choose` raises interpreted.
    """
    return run_with_fallback(choose, interpreted, _compiler_failed, "engine", "moves")


def is_compiled(board: Board) -> bool:
    """Return whether moves on this board are searched compiled."""
    return not _compiler_failed.is_set() and _functions(board) is not None


def open_means(board: Board, rules: RuleSet, nodes: int, interpreted: bool = False) -> Means:
    """Return the means to search positions of a board with a table that suits a limit of `nodes`.

    The search is interpreted if the board is too large, numba is missing, or `interpreted` asks for it.
    """
    functions = None if interpreted else _functions(board)
    memory = Memory(is_compiled=functions is not None)
    plies = MOST_PLIES + 2
    table_size = count_entries(nodes, _LARGEST_TABLE) * ENTRY_SIZE
    return Means(
        functions or _Interpreted,
        find_tables(board, memory),
        memory.row(rules_vector(rules)),
        memory.row(make_weights()),
        memory.work(board, plies, FRAME_SIZE, table_size, ALL_COUNTERS),
        memory.zeros(HISTORY_SIZE),
        memory.rows(plies, count_moves(board)),
        memory,
    )


def _functions(board: Board) -> Any:
    return find_functions(board, "zertz_db", _MODULES, _CALLED)
