"""Plant relayed games: pairs of records of the same moves, of which one is turned, cut, set up, or has the players exchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from tests.queries.sample import played, record
from zertz_db.rules.board import standard_board
from zertz_db.rules.position import Position

KINDS = {
    "same": "the same moves",
    "turned": "the board is turned or mirrored",
    "no end": "one record lacks the last moves",
    "no beginning": "one record begins from the position after the first moves",
    "turned, no beginning": "both",
    "other end": "the last moves differ",
    "exchanged": "the players are on each other's sides",
    "other beginning": "the first moves differ, so the boards differ: no pair of positions is equal",
}
"""The kinds of planted pairs with their meanings."""


_SHORTEST = 16
"""Minimum number of plies of a planted game."""


class Pair(NamedTuple):
    """Two records of a planted pair; both have the kind and a number as their event."""

    event: str
    records: tuple[str, str]


def plant_relays(seed: int, each: int, kinds: Sequence[str] = tuple(KINDS), plies: int = 24) -> list[Pair]:
    """Return `each` pairs of each kind, with moves and players of their own, within 24 hours of each other."""
    dice = Random(seed)  # noqa: S311 - no secret
    return [_plant(kind, number, dice, plies) for kind in kinds for number in range(each)]


def _plant(kind: str, number: int, dice: Random, plies: int) -> Pair:
    moves: list[str] = []
    while len(moves) < _SHORTEST:  # some random games end early
        moves = played(Position.start("37"), dice.randrange(10**9), dice.randrange(_SHORTEST, plies + 1))
    start, other = None, list(moves)
    if kind == "no end":
        other = other[: dice.randrange(12, len(moves) + 1)]
    if kind == "other end":
        other = _play_on(other[: dice.randrange(12, len(moves))], len(moves), dice)
    if kind == "other beginning":
        other = _play_on(other[:1], len(moves), dice)
    if "turned" in kind:
        moves = turn(moves, dice.randrange(1, 12))
        if kind == "turned":
            other, moves = moves, other
    if "no beginning" in kind:
        # At least six plies are left in common.
        first = dice.randrange(1, len(moves) - 6)
        start, other = _replay(other[:first]), other[first:]
    event = f"{kind} {number}"
    one, two, three = (f"{name} {kind} {number}" for name in ("Relay", "Ada", "Ben"))
    seats = ((one, two), (two, one)) if kind == "exchanged" else ((two, one), (one, three))
    minute = dice.randrange(24 * 60)
    times = ("2010.05.01", "00:00"), ("2010.05.01", f"{minute // 60:02}:{minute % 60:02}")
    tags = {"SetUp": "1", "Position": str(start)} if start else {"Board": "37"}
    records = (
        record(event, *seats[0], times[0][0], " ".join([*moves, "*"]), Board="37", UTCTime=times[0][1]),
        record(event, *seats[1], times[1][0], " ".join([*other, "*"]), UTCTime=times[1][1], **tags),
    )
    return Pair(event, records)


def turn(moves: Sequence[str], symmetry: int) -> list[str]:
    """Return moves on a turned or mirrored board 37."""
    board = standard_board("37")
    rings = dict(zip(board.rings, (board.rings[there] for there in board.symmetries[symmetry]), strict=True))
    return [re.sub(r"[a-g][1-7]", lambda ring: rings[ring[0]], move) for move in moves]


def _replay(moves: Sequence[str]) -> Position:
    position = Position.start("37")
    for move in moves:
        position = position.play(move)
    return position


def _play_on(moves: list[str], plies: int, dice: Random) -> list[str]:
    """Return moves with others after them, up to a number of plies."""
    return [*moves, *played(_replay(moves), dice.randrange(10**9), max(1, plies - len(moves)))]
