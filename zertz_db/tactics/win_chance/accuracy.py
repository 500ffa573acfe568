"""Measure how accurately players moved in a game: by the points of win chance that their free moves lost.

A move is free if no capture was due and another move was legal. The accuracy of a move that lost L points of 100 is
103.17·e^(-0.04354·L) - 3.17, within 0 and 100; that of a player is the arithmetic mean over his free moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zertz_db.rules import kernel
from zertz_db.rules.board import Board
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.tactics.win_chance.model import Model
from zertz_db.tactics.win_chance.score import chance_states

FLOOR = 10
"""Minimum number of free moves for an accuracy."""
HEIGHT, DECAY, SHIFT = 103.17, 0.04354, 3.17


class GameAccuracy(NamedTuple):
    """Accuracies of both players, 0 to 100, None below a floor of free moves; and the numbers of these moves."""

    accuracy1: float | None
    moves1: int
    accuracy2: float | None
    moves2: int


class Accuracies(NamedTuple):
    """Accuracies of the players of many games: float64 (games, 2), NaN below a floor of free moves; and these moves: int64 (games, 2)."""

    accuracy: Any
    moves: Any


def move_accuracy(lost: Any) -> Any:
    """Return the accuracy of moves that lost some points of win chance, out of 100; a gain counts as no loss."""
    return np.clip(HEIGHT * np.exp(-DECAY * np.maximum(lost, 0)) - SHIFT, 0, 100)


def lost_points(states: Any, chances: Any, starts: Any) -> Any:
    """Return the points of win chance, out of 100, that the mover lost by the ply from each position; NaN at the end of each game.

    starts: the number of the first position of each game, ascending.
    """
    lost = np.full(len(states), np.nan)
    same_side = states[1:, kernel.SIDE] == states[:-1, kernel.SIDE]
    after = np.where(same_side, chances[1:], 1 - chances[1:])
    lost[:-1] = 100 * (chances[:-1] - after)
    lost[np.asarray(starts, np.int64)[1:] - 1] = np.nan
    return lost


def accuracies(
    board: Board,
    rules: RuleSet,
    states: Any,
    starts: Any,
    is_free: Any,
    proven: Any = None,
    *,
    chances: Any = None,
    model: Model | None = None,
    floor: int = FLOOR,
) -> Accuracies:
    """Return the accuracies of both players in many games on one board.

    states: an int64 array (n, STATE_SIZE), the positions of all games one after the other, each with its final one. starts: the number of
    each game's first position, ascending, without an end. is_free: for each position whether the ply from it was free. proven: for each
    position the plies of a forced win of the player to move (0 for none), or None. chances: those of the positions if they are known, else
    `chance_states` finds them. Raises SearchError.
    """
    if chances is None:
        chances = chance_states(board, rules, states, proven, model=model)
    starts = np.asarray(starts, np.int64)
    lost = lost_points(states, chances, starts)
    counted = np.asarray(is_free, bool) & ~np.isnan(lost)
    game = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(states)))
    player = 2 * game + states[:, kernel.SIDE]
    moves = np.bincount(player[counted], minlength=2 * len(starts))
    sums = np.bincount(player[counted], move_accuracy(lost[counted]), minlength=2 * len(starts))
    means = np.where(moves >= floor, sums / np.maximum(moves, 1), np.nan)
    return Accuracies(means.reshape(-1, 2), moves.reshape(-1, 2))


def judge_accuracy(
    board: Board, rules: RuleSet, states: Any, is_free: Any, proven: Any = None, *, model: Model | None = None
) -> GameAccuracy:
    """Return the accuracies of both players in one game: arguments as for `accuracies`. Raises SearchError."""
    found = accuracies(board, rules, states, [0], is_free, proven, model=model)
    first, second = (None if np.isnan(one) else float(one) for one in found.accuracy[0])
    return GameAccuracy(first, int(found.moves[0, 0]), second, int(found.moves[0, 1]))
