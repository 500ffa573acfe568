"""Write and read the lines of the protocol between a match and an engine. [Engine](docs/engine.md) describes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zertz_db.rules.errors import IllegalMove, PositionError
from zertz_db.rules.position import Position

VERSION = 1
NAME, READY, BESTMOVE, ERROR = "name", "ready", "bestmove", "error"
_MOVES = " moves "
_MOST_DIGITS = 18


def write_position(start: Position, moves: Sequence[str]) -> str:
    """Return the line that states a position: the first one of the game, and the moves from there."""
    return f"position {start.text}" + (_MOVES + "; ".join(moves) if moves else "")


def read_position_line(rest: str) -> Position:
    """Return the position of a line, without its first word. Raises PositionError and IllegalMove."""
    text, _, moves = rest.partition(_MOVES)
    position = Position.parse(text)
    for number, move in enumerate((one for one in moves.split(";") if one.strip()), 1):
        try:
            position = position.play(move)
        except IllegalMove as error:
            raise PositionError(f"move {number}: {error}") from error
    return position


class Limits(NamedTuple):
    """The limits of a move; None if not stated."""

    seconds: float | None = None
    nodes: int | None = None
    seed: str | None = None


def write_go(seconds: float, nodes: int | None, seed: str) -> str:
    """Return the line that asks for a move."""
    return f"go seconds {seconds:g}" + (f" nodes {nodes}" if nodes else "") + f" seed {seed}"


def read_go(rest: str) -> Limits:
    """Return the limits of a line, without its first word; what is not understood is left out."""
    words = rest.split()
    stated = dict(zip(words[::2], words[1::2], strict=False))
    return Limits(_number(stated.get("seconds")), _whole(stated.get("nodes")), stated.get("seed"))


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 < number < float("inf") else None


def _whole(text: str | None) -> int | None:
    """Return a positive whole number; None for anything else, and for more digits than any limit of nodes needs."""
    is_number = text and text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return (int(text) or None) if text and is_number else None
