"""Play moves from a start position."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from zertz_db.queries.errors import QueryError
from zertz_db.rules.board import RING, BoardError
from zertz_db.rules.errors import IllegalMove, PositionError, describe_unreadable_move
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RuleSetError


class PlayedLine(NamedTuple):
    """Move of a line: the position before it, its official notation with claims, and the position after it."""

    before: Position
    move: Move
    notation: str
    after: Position


def start_of(position: Position | str | None, board: str, rules: str) -> Position:
    """Return the given position (or position string), or the empty board. QueryError for an invalid one."""
    if isinstance(position, Position):
        return position
    try:
        return Position.start(board, rules) if position is None else Position.parse(position)
    except (BoardError, RuleSetError, PositionError) as error:
        raise QueryError(str(error)) from error


def play_line(start: Position, moves: Sequence[str] | str) -> list[PlayedLine]:
    """Play moves in order. QueryError for the first illegal move."""
    line: list[PlayedLine] = []
    for number, text in enumerate(split_moves(moves) if isinstance(moves, str) else moves, 1):
        before = line[-1].after if line else start
        try:
            move = before.read_move(text)
            played = before.play(move)
        except IllegalMove as error:
            raise QueryError(f"move {number}: {error}") from error
        line.append(PlayedLine(before, move, before.written(move, played), played))
    return line


def after(start: Position, moves: Sequence[str] | str) -> Position:
    """Return the position after these moves. QueryError for the first illegal move."""
    line = play_line(start, moves)
    return line[-1].after if line else start


def split_moves(text: str) -> list[str]:
    """Split a text in official notation into moves; numbers of turns are ignored. QueryError for other text.

    >>> split_moves("1. Wd4,d1 Bd3,a1 2. x d3Wd5 Gg4,g3 x Wg2")
    ['Wd4,d1', 'Bd3,a1', 'x d3Wd5', 'Gg4,g3 x Wg2']
    """
    moves, at = [], 0
    while match := _NEXT.match(text, at):
        if match["move"]:
            moves.append(" ".join(match["move"].split()))
        at = match.end()
    rest = text[at:].split()
    if rest:
        raise QueryError(describe_unreadable_move(rest[0]))
    return moves


_MARBLE = rf"[WGB](?:{RING.pattern})"
_NEXT = re.compile(
    rf"\s*(?:\d+\.+|(?P<move>{_MARBLE}(?:,(?:{RING.pattern}))?(?:\s+x\s+(?:{_MARBLE})+)?|x\s+(?:{RING.pattern})(?:{_MARBLE})+|-))(?=\s|$)"
)
