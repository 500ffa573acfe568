"""Value the positions of one game: the win chance of player 1 after each ply, and the points that each free move lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zertz_db.rules.position import Position
from zertz_db.tactics.win_chance.accuracy import lost_points
from zertz_db.tactics.win_chance.engine import check_board
from zertz_db.tactics.win_chance.score import chance_states


class CourseChances(NamedTuple):
    """Win chances along a game.

    chances: player 1's chance at each position, from 0 to 1. is_proven: whether it is proven by a forced win or by the rules, or estimated.
    points: for each ply the points out of 100 that the mover lost by it, at least 0. None for a capture before or after which a chance is
    proven: a proof that is found late says nothing about the choice.
    """

    chances: tuple[float, ...]
    is_proven: tuple[bool, ...]
    points: tuple[float | None, ...]


def value_course(positions: Sequence[Position], is_free: Sequence[bool], winners: Sequence[int]) -> CourseChances:
    """Value the positions of a game: at the start, and after each ply.

    is_free: for each ply whether no capture was due and another move was legal. winners: for each position the player who is known to win
    by force, 1 or 2, or 0. Captures that are due are resolved, and forced wins within 3 plies are found here. Raises SearchError for
    written claims and boards of more than 63 rings.
    """
    first = positions[0]
    check_board(first.board)  # the states of larger boards don't fit the array
    states = np.array([position.state for position in positions], np.int64)
    sides = np.array([position.side for position in positions])
    chances = chance_states(first.board, first.rules, states)
    known = np.asarray(winners)
    is_over = np.array([position.is_over for position in positions])
    chances = np.where((known == 0) | is_over, chances, known == sides)
    is_proven = (chances == 0) | (chances == 1) | is_over
    lost = np.maximum(lost_points(states, chances, [0])[:-1], 0)
    is_comparable = np.asarray(is_free, bool) | ~(is_proven[:-1] | is_proven[1:])
    points = [float(one) if sure else None for one, sure in zip(lost, is_comparable, strict=True)]
    ours = np.where(sides == 1, chances, 1 - chances)
    return CourseChances(tuple(ours.tolist()), tuple(is_proven.tolist()), tuple(points))
