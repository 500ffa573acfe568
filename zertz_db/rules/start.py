"""Build the state before the first move, and a rule set's vector, for the kernel."""

from __future__ import annotations

from zertz_db.rules import kernel
from zertz_db.rules.board import (
    Board,
)
from zertz_db.rules.rule_sets import RuleSet


def rules_vector(rules: RuleSet, lenient: bool = False) -> list[int]:
    """Return a rule set's vector for the kernel."""
    return [*rules.goal, rules.each, rules.tournament, rules.written_claims, lenient]


def start_state(board: Board, rules: RuleSet) -> list[int]:
    """Return the state before the first move."""
    state = [0] * kernel.STATE_SIZE
    state[kernel.RINGS] = board.everything
    state[kernel.POOL : kernel.POOL + 3] = rules.supply
    return state
