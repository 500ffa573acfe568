"""The value of a position by plain minimax over the public `Position`, without any of the engine's code but its table of values."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import COLOURS

WIN = 1_000_000
TURN, FIRST_TABLE, TABLE = 0, 1, 16


class TooLarge(Exception):
    """The tree has more positions than the budget."""


def slow_value(position: Position, left: int, weights: Sequence[int], budget: list[int], ply: int = 0) -> int:
    """Return the value for the player to move, with `left` placements to search; captures cost none of them.

    budget[0]: positions that may still be examined. Raises TooLarge.
    """
    if position.is_over:
        if not position.winner:
            return 0
        return WIN - ply if position.winner == position.side else ply - WIN
    moves = position.legal_moves()
    budget[0] -= len(moves)
    if budget[0] < 0:
        raise TooLarge
    after = [(move, position.play(move)) for move in moves]
    if ply and any(one.winner == position.side for _, one in after):
        return WIN - ply - 1
    if ply and not left and not position.capture_is_due:
        return slow_evaluation(position, weights)
    return max(-slow_value(one, left - bool(move.colour and left), weights, budget, ply + 1) for move, one in after)


def slow_evaluation(position: Position, weights: Sequence[int]) -> int:
    mine, theirs = (_promise(position, side, weights) for side in (position.side, 3 - position.side))
    return weights[TURN] + mine - theirs


def _promise(position: Position, side: int, weights: Sequence[int]) -> int:
    held, others = position.captured[side - 1], position.captured[2 - side]
    rings = [position.on(ring) for ring in position.rings]
    left = [
        count + rings.count(colour) + (0 if any(position.pool) else other)
        for colour, count, other in zip(COLOURS, position.pool, others, strict=True)
    ]
    rules = position.rules
    value = 0
    for number, lacking in enumerate(rules.missing(held).values()):
        if number < 3:
            is_possible = lacking <= left[number]
        else:
            is_possible = all(rules.each - have <= rest for have, rest in zip(held, left, strict=True))
        if is_possible:
            value += weights[FIRST_TABLE + TABLE * number + min(lacking, TABLE - 1)]
    return value
