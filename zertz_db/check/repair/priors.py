"""Weigh rare choices of players, to distinguish edits that are equally small and equally legal.

The costs are about minus the logarithm of how much rarer such a placement is than others in games between people. They are lower where they
could outweigh the written text.
"""

from __future__ import annotations

from zertz_db.check.replay.encode_plies import encoded
from zertz_db.parser.record import PLACEMENT, Ply
from zertz_db.rules import kernel
from zertz_db.rules.position import Position
from zertz_db.rules.start import rules_vector

_LONELY = 0.7
"""Cost of removing a ring without an adjacent marble: players remove rings to cut marbles off, or to prevent a jump."""

_CHOICE = 1.5
"""Cost of leaving the opponent a choice of captures: players who sacrifice a marble usually leave only one capture."""

_GREY = 0.3
"""Cost of placing a grey marble: players do so less often than the supply suggests."""


def prior_cost(position: Position, ply: Ply) -> float:
    """Return the cost of a placement in a position by players' habits; 0 for other plies, and for illegal ones."""
    index, tables = position.board.index, position.board.tables
    code, state = encoded(index, (ply,)), position.state
    if ply.kind != PLACEMENT or code.unknown_ring:
        return 0.0
    rules = rules_vector(position.rules, lenient=True)
    if kernel.play(tables, rules, state, code.numbers, 0, len(code.numbers)) != kernel.FINE:
        return 0.0
    cost = _GREY if ply.colour == "G" else 0.0
    if ply.removed:
        marbles = kernel.occupied(position.state) | 1 << index[ply.ring]
        cost += 0.0 if tables.around[index[ply.removed]] & marbles else _LONELY
    return cost + (_CHOICE if kernel.count_captures(tables, state) > 1 else 0.0)
