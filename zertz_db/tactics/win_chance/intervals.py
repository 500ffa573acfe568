"""Give a chance an interval, by how often such chances were right in held-out games."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from zertz_db.rules.board import Board
from zertz_db.rules.rule_sets import RuleSet
from zertz_db.tactics.win_chance.model import Bin

FLOOR = 50
"""Minimum number of held-out games for an interval."""
_Z = 1.96


def calibrated_group(board: Board, rules: RuleSet) -> str:
    """Return the name under which chances on a board under a rule set are calibrated: `37`, or `37 blitz`."""
    return board.name if rules.name == "standard" else f"{board.name} {rules.name}"


def find_interval(bins: Sequence[Bin], board: str, chance: float) -> tuple[float, float, int]:
    """Return the ends of a 95 % interval of a chance, and the number of held-out games of the board with such chances.

    It is Wilson's interval of their share of wins, moved by the distance of the chance from their mean. The positions of one game count as
    one. Below FLOOR games it is 0 to 1.
    """
    found = None
    for one in bins:
        if one.board == board and one.begin <= chance:
            found = one
    if found is None or found.games < FLOOR:
        return 0.0, 1.0, found.games if found else 0
    low, high = wilson(found.won, found.games)
    shift = chance - found.chance
    return min(max(low + shift, 0.0), chance), max(min(high + shift, 1.0), chance), found.games


def wilson(share: float, games: int) -> tuple[float, float]:
    """Return the ends of Wilson's 95 % interval of a share."""
    spread = _Z * sqrt(share * (1 - share) / games + _Z**2 / (4 * games**2))
    centre = share + _Z**2 / (2 * games)
    whole = 1 + _Z**2 / games
    return (centre - spread) / whole, (centre + spread) / whole
