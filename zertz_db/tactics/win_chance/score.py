"""Estimate how often the player to move wins from a position, as learned from results of games.

Only free turns are valued by the fitted trees. Where a jump is due, all captures are searched until no jump is due, and the best one for
each player counts. A forced win is worth 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from zertz_db.rules import kernel
from zertz_db.rules.board import Board, random_numbers
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.tactics.analysis import check_states
from zertz_db.tactics.compiled_search import run_search
from zertz_db.tactics.limits import check_position, check_rules
from zertz_db.tactics.solver import solve
from zertz_db.tactics.win_chance.captures import BRANCH, OVER
from zertz_db.tactics.win_chance.engine import (
    Engine,
    check_board,
    features_of,
    open_engine,
    propagate_values,
    resolve_captures,
)
from zertz_db.tactics.win_chance.intervals import calibrated_group, find_interval
from zertz_db.tactics.win_chance.model import Model, shipped_model

DEPTH = 5
NODES = 20_000
_MULTIPLIERS = np.array(random_numbers("equal states", kernel.PASSES + 1), np.int64) | 1


@dataclass(frozen=True, slots=True)
class WinChance:
    """The chance of the player to move, 0 to 1.

    low, high: 95 % interval, by the held-out games with such chances on such a board. games: their number; below a floor the interval is 0
    to 1. forced: plies of a proven forced win, for which the chance is 1, or None.
    """

    chance: float
    low: float
    high: float
    games: int
    forced: int | None

    @property
    def is_proven(self) -> bool:
        """Return whether a forced win was found."""
        return self.forced is not None


def win_chance(
    position: Position | str,
    *,
    depth: int = DEPTH,
    nodes: int = NODES,
    model: Model | None = None,
    interpreted: bool = False,
) -> WinChance:
    """Return the win chance of the player to move; a forced win within `depth` plies (`nodes` positions searched) counts 1.

    It explains positions, and does not choose moves. Raises SearchError if the game is over, for written claims and for boards over 63
    rings.
    """
    model = model or shipped_model()
    if isinstance(position, str):
        position = Position.parse(position)
    check_position(position)
    chance = float(
        chance_states(position.board, position.rules, [position.state], model=model, interpreted=interpreted)[0]
    )
    found = solve(position, depth, nodes, interpreted=interpreted)
    if found.forced:
        return WinChance(1.0, 1.0, 1.0, 0, found.forced)
    low, high, games = find_interval(model.bins, calibrated_group(position.board, position.rules), chance)
    return WinChance(chance, low, high, games, None)


def chance_states(
    board: Board,
    rules: RuleSet,
    states: Any,
    proven: Any = None,
    *,
    model: Model | None = None,
    with_proofs: bool = True,
    interpreted: bool = False,
) -> Any:
    """Return the win chances of the players to move in many positions of one board: a float64 array (n,).

    states: an int64 array (n, STATE_SIZE) of the kernel's states. A final position has the chance 1, 0 or 0.5. proven: for each whether a
    forced win is known, or the number of its plies (0 for none); its chance is 1. Forced wins in 1 and 3 plies are found here, unless
    `with_proofs` is False: then chances are as fitted. Raises SearchError.
    """
    check_board(board)
    check_rules(rules)
    rows = check_states(board, states)
    chances = run_search(partial(_value_all, board, rules, rows, model or shipped_model(), with_proofs), interpreted)
    if proven is not None:
        chances[np.asarray(proven) != 0] = 1.0
    return chances


def _value_all(board: Board, rules: RuleSet, rows: Any, model: Model, with_proofs: bool, interpreted: bool) -> Any:
    """Return the chances of checked states."""
    engine = open_engine(board, rules, interpreted)
    parts = [np.zeros(0)]
    begin = 0
    while begin < len(rows):
        trees = resolve_captures(engine, rows, begin)
        values = _value_leaves(engine, model, trees.states, trees.kinds, with_proofs)
        parts.append(propagate_values(engine, trees, values))
        begin += len(trees.heads)
    return np.concatenate(parts)


def _value_leaves(engine: Engine, model: Model, states: Any, kinds: Any, with_proofs: bool) -> Any:
    """Return the chances of the rows of trees of captures that are neither over nor followed by captures, 0 for others."""
    leaves = (kinds != BRANCH) & (kinds != OVER)
    first, same = find_equal(states[leaves])
    different = states[leaves][first]
    rows, forced = features_of(engine, different)
    chances = model.chances(engine, rows)
    if with_proofs:
        chances[forced > 0] = 1.0
    values = np.zeros(len(states))
    values[leaves] = chances[same]
    return values


def find_equal(states: Any) -> tuple[Any, Any]:
    """Return the numbers of different states, and for each state the number among these of the one that equals it.

    In a game, the position after a capture comes up twice: as the next one, and among those that captures lead to.
    """
    compared = states[:, : kernel.PASSES + 1]
    hashes = compared @ _MULTIPLIERS
    _, first, same = np.unique(hashes, return_index=True, return_inverse=True)
    if (compared[first][same] != compared).any():  # different states with one hash
        first = same = np.arange(len(states))
    return first, same
