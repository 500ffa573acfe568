"""Supply features and captures of batches of positions: compiled for boards of up to 63 rings, or interpreted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from zertz_db.rules import compiled, kernel
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.tactics.analysis import solve_states
from zertz_db.tactics.compiled_search import Search, open_search
from zertz_db.tactics.limits import SearchError
from zertz_db.tactics.search_kernel import FORCED
from zertz_db.tactics.win_chance import captures, features, forest

_MODULES = ("search_moves", "instant_wins", "win_chance.features", "win_chance.captures", "win_chance.forest")
_CALLED = frozenset({"cluster_of", "list_captures", "expand_one", "write_rings", "write_offers", "write_groups"})
_NODES = 100_000
"""Limit of the search for forced wins in 1 and 3: complete for all positions of real games."""
PROOF_DEPTH, THREAT_DEPTH = 3, 1
_ROOM = 16_384
"""Rows of captures that are resolved at once."""


class _Interpreted:
    """Offer the functions interpreted."""

    write_features = staticmethod(features.write_features)
    expand_captures = staticmethod(captures.expand_captures)
    propagate_values = staticmethod(captures.propagate_values)
    add_trees = staticmethod(forest.add_trees)


@dataclass(frozen=True, slots=True)
class Engine:
    """The functions for one board under one rule set, and their memory."""

    board: Board
    rules: RuleSet
    functions: Any
    search: Search

    @property
    def is_compiled(self) -> bool:
        """Return whether the functions are compiled."""
        return self.search.memory.is_compiled

    def given(self, numbers: Any) -> Any:
        """Return an array as the functions take it."""
        return numbers if self.is_compiled else numbers.tolist()

    def forced_wins(self, states: Any, depth: int) -> Any:
        """Return the plies of a forced win within `depth` of the player to move for each state, 0 if there is none."""
        if not len(states):
            return np.zeros(0, np.int64)
        solve = partial(solve_states, self.board, self.rules, depth=depth, nodes=_NODES)
        return np.asarray(solve(states, interpreted=not self.is_compiled), np.int64)[:, FORCED]


def open_engine(board: Board, rules: RuleSet, interpreted: bool = False) -> Engine:
    """Return the functions for a board. Raises SearchError for a board that is too large."""
    check_board(board)
    functions: Any = _Interpreted
    if not interpreted:
        try:
            functions = compiled.functions_with("zertz_db.tactics", _MODULES, _CALLED)
        except compiled.CompilerMissing:
            interpreted = True
    return Engine(board, rules, functions, open_search(board, rules, 1, 1, interpreted))


def check_board(board: Board) -> None:
    """Raise SearchError for a board that is too large."""
    if len(board.rings) > LARGEST_COMPILED_BOARD:
        raise SearchError(
            f"a win chance is known for boards of up to {LARGEST_COMPILED_BOARD} rings, not for one of {len(board.rings)}"
        )


def passed(states: Any) -> Any:
    """Return the states with the other player to move."""
    turned = states.copy()
    turned[:, kernel.SIDE] ^= 1
    return turned


def features_of(engine: Engine, states: Any) -> Any:
    """Return the features of positions without a jump: an int64 array (n, FEATURES_SIZE); and the plies of the mover's forced wins."""
    forced = engine.forced_wins(states, PROOF_DEPTH)
    threatened = engine.forced_wins(passed(states), THREAT_DEPTH)
    rows = np.zeros((len(states), features.FEATURES_SIZE), np.int64)
    written = engine.given(rows)
    search = engine.search
    engine.functions.write_features(
        search.tables, search.rules, *map(engine.given, (states, forced, threatened)), written
    )
    return np.asarray(written, np.int64).reshape(rows.shape), forced


@dataclass(frozen=True, slots=True)
class Trees:
    """The positions that captures lead to from a batch of positions: `captures` describes the rows."""

    states: Any
    parents: Any
    kinds: Any
    heads: Any


def resolve_captures(engine: Engine, states: Any, begin: int) -> Trees:
    """Return the trees of captures of some states from number `begin` on: as many as there is room for."""
    room = min(_ROOM, captures.LARGEST_TREE * (len(states) - begin) + 2)
    room = max(room, captures.LARGEST_TREE + 2)
    rows, parents, kinds, heads = (
        engine.given(np.zeros(size, np.int64))
        for size in ((room, kernel.STATE_SIZE), room, room, len(states) - begin + 1)
    )
    search = engine.search
    until = engine.functions.expand_captures(
        search.tables, search.rules, search.work, engine.given(states), begin, rows, parents, kinds, heads
    )
    heads = np.asarray(heads[: until - begin + 1], np.int64)
    count = int(heads[-1])
    states, parents, kinds = (np.asarray(one[:count], np.int64) for one in (rows, parents, kinds))
    return Trees(states, parents, kinds, heads[:-1])


def propagate_values(engine: Engine, trees: Trees, values: Any) -> Any:
    """Return the value of each position of the batch, by those of the rows where no jump is due."""
    propagated = engine.given(values)
    engine.functions.propagate_values(*map(engine.given, (trees.states, trees.parents, trees.kinds)), propagated)
    return np.asarray(propagated, np.float64)[trees.heads]
