"""Value a position without a jump for the player to move, on integers like the kernel: on lists, or compiled on arrays.

The value is a difference: what the player's captures promise minus what the opponent's do. Each winning set counts by the number of marbles
that it still lacks, by a table made by hand; a set that the remaining marbles can't complete counts nothing.
"""

from __future__ import annotations

from zertz_db.rules.kernel import CAPTURED, EACH, GOAL, MARBLES, POOL, SIDE, Integers, size

WIN = 1_000_000
"""The value of a win; one that takes n plies is worth n less."""
LONGEST_WIN = 1_000
"""Maximum number of plies of a win: a value beyond WIN - LONGEST_WIN is one."""
LACKING = 16
"""Entries of a table of values, by the number of lacking marbles."""

# Places in the vector of weights.
TURN = 0  # the value of having the turn
SETS = 1  # four tables: white, grey, black, each

_FIRST_STEP = 1_000
_DECLINES = (0.5, 0.5, 0.5, 0.5)
_TURN_VALUE = 30


def make_weights() -> list[int]:
    """Return the vector of weights: the nearer a set, the more a marble of it is worth."""
    weights = [_TURN_VALUE]
    for decline in _DECLINES:
        weights += [round(_FIRST_STEP * decline**lacking) for lacking in range(LACKING)]
    return weights


def promise(rules: Integers, weights: Integers, state: Integers, side: int) -> int:
    """Return the value of a player's captures."""
    mine = CAPTURED + 3 * side
    value = 0
    lacking_each = 0
    is_each_possible = True
    is_pool_left = state[POOL] + state[POOL + 1] + state[POOL + 2] > 0
    for colour in range(3):
        held = state[mine + colour]
        left = state[POOL + colour] + size(state[MARBLES + colour])
        if not is_pool_left:
            left += state[CAPTURED + 3 * (1 - side) + colour]
        lacking = max(0, rules[GOAL + colour] - held)
        if lacking <= left:
            value += weights[SETS + colour * LACKING + min(lacking, LACKING - 1)]
        lacking = max(0, rules[EACH] - held)
        lacking_each += lacking
        if lacking > left:
            is_each_possible = False
    if is_each_possible:
        value += weights[SETS + 3 * LACKING + min(lacking_each, LACKING - 1)]
    return value


def evaluate(rules: Integers, weights: Integers, state: Integers) -> int:
    """Return the value of a position for the player to move."""
    side = state[SIDE]
    return weights[TURN] + promise(rules, weights, state, side) - promise(rules, weights, state, 1 - side)
