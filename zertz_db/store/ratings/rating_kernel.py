"""Rate games in order, in plain numbers: on lists as they are, and compiled on arrays (`compiled.batch_function`).

`model` describes the model and its scale.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from math import exp, log, sqrt

START = 1500
"""Initial rating of a player."""
UNKNOWN = 350
"""Deviation of the initial rating."""
SPREAD = 400 / log(10) / sqrt(2)
"""Deviation of a player's form from game to game; with it 400 points are odds of ten to one."""
DRIFT = SPREAD / 50
"""Deviation of the change in a player's strength between two games."""
NO_RESULT = -1
"""The winner of a game without a known result."""

_MIN_REMAINING = 1e-4
"""Minimum share of a variance that remains after a game."""
_SCORES = (0.5, 1.0, 0.0)
"""Score of player 1, by winner."""
_DRIFT_VARIANCE = DRIFT**2
_GAME_VARIANCE = 2 * SPREAD**2


def rate_games(
    players1: Sequence[int],
    players2: Sequence[int],
    winners: Sequence[int],
    strengths: MutableSequence[float],
    deviations: MutableSequence[float],
    before: MutableSequence[float],
) -> None:
    """Rate games in their order, and write the ratings before each of them.

    players1, players2: numbers of the players, below 0 for guests and unknown names. winners: 1, 2, 0 for none, NO_RESULT. strengths,
    deviations: by player, brought up to date; a deviation of 0 is a player without a rated game. before: for each game strength and
    deviation of player 1, then of player 2; numbers for players without a rating stay unchanged.
    """
    for game in range(len(winners)):
        one, other, winner = players1[game], players2[game], winners[game]
        strength1 = strength2 = float(START)
        deviation1 = deviation2 = float(UNKNOWN)
        if one >= 0 and deviations[one] > 0:
            strength1, deviation1 = strengths[one], deviations[one]
            before[4 * game], before[4 * game + 1] = strength1, deviation1
        if other >= 0 and deviations[other] > 0:
            strength2, deviation2 = strengths[other], deviations[other]
            before[4 * game + 2], before[4 * game + 3] = strength2, deviation2
        if winner >= 0 and one >= 0 and other >= 0 and one != other:
            strengths[one], deviations[one], strengths[other], deviations[other] = move_ratings(
                strength1, deviation1, strength2, deviation2, winner
            )


def move_ratings(
    strength1: float, deviation1: float, strength2: float, deviation2: float, winner: int
) -> tuple[float, float, float, float]:
    """Return strength and deviation of both players after a game between them: `model.update_beliefs` in plain numbers."""
    variance1 = deviation1 * deviation1 + _DRIFT_VARIANCE
    variance2 = deviation2 * deviation2 + _DRIFT_VARIANCE
    scale = sqrt(variance1 + variance2 + _GAME_VARIANCE)
    expected = 1 / (1 + exp((strength2 - strength1) / scale))
    surprise = (_SCORES[winner] - expected) / scale
    uncertainty = expected * (1 - expected) / (scale * scale * scale)
    left1 = 1 - variance1 * sqrt(variance1) * uncertainty
    left2 = 1 - variance2 * sqrt(variance2) * uncertainty
    return (
        strength1 + variance1 * surprise,
        sqrt(variance1 * (left1 if left1 > _MIN_REMAINING else _MIN_REMAINING)),
        strength2 - variance2 * surprise,
        sqrt(variance2 * (left2 if left2 > _MIN_REMAINING else _MIN_REMAINING)),
    )
