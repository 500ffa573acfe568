"""Compute the keys of single positions, and convert between moves and their numbers in canonical orientation."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from zertz_db.rules import kernel
from zertz_db.rules.move import PASS, Jump, Move
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import (
    KEYS_SIZE,
    LONGEST_CODED_CHAIN,
    holding,
    least_key,
    least_move_code,
    shape_key,
    start_keys,
    toggle,
)
from zertz_db.rules.rule_sets import COLOURS


class Canonical(NamedTuple):
    """A position's key, the number of a symmetry that leads to the canonical orientation, and its shape's key."""

    key: int
    symmetry: int
    shape: int


@lru_cache(maxsize=256)  # one query needs a position's key several times
def find_key(position: Position) -> tuple[int, int]:
    """Return the key of a position and the number of a symmetry, as `canonicalise`, in a third of its time."""
    tables, keys = position.board.tables, _board_keys(position)
    symmetry = least_key(tables, keys)
    return keys[symmetry], symmetry


@lru_cache(maxsize=64)
def canonicalise(position: Position) -> Canonical:
    """Return the keys of a position, as stored for every position of a game.

    >>> start = Position.start("37")
    >>> canonicalise(start.play("Wd4,d1")).key == canonicalise(start.play("Wd4,a4")).key
    True
    """
    tables, keys = position.board.tables, _keys(position)
    symmetry = least_key(tables, keys)
    return Canonical(keys[symmetry], symmetry, shape_key(keys))


def move_code(position: Position, move: Move) -> int:
    """Return a move of this position as a number in canonical orientation (`zertz_db.rules.position_keys.move_code`)."""
    code = position.encode(move)
    return least_move_code(position.board.tables, _board_keys(position), code, 0, len(code))


def decoded(position: Position, code: int) -> Move:
    """Return the move of this position that has this number, in the position's orientation, with the colours of jumped marbles.

    Several moves have equal numbers if the position has symmetries of its own: this returns one of them.

    >>> start = Position.start("37")
    >>> str(decoded(start, move_code(start, start.move("Wd4,d1")))) in ("Wd4,d1", "Wd4,a1", "Wd4,a4", "Wd4,d7", "Wd4,g4", "Wd4,g1")
    True
    """
    return decoder(position)(code)


def decoder(position: Position) -> Callable[[int], Move]:
    """Return `decoded` for many moves of one position, whose keys are computed only once."""
    image = position.board.symmetries[find_key(position)[1]]
    back = {turned: ring for ring, turned in enumerate(image)}

    def move(code: int) -> Move:
        kind, rest = code % 4, code // 4
        if kind == kernel.PLACE:
            return _placement(position, rest, back)
        return _capture(position, rest, back) if kind == kernel.JUMP else PASS

    return move


def _keys(position: Position) -> list[int]:
    keys = [0] * KEYS_SIZE
    start_keys(position.board.tables, keys, position.state)
    return keys


@lru_cache(maxsize=64)  # for the position's key, and for the number of a move
def _board_keys(position: Position) -> list[int]:
    """Return the hash of the image under each symmetry of the board."""
    tables, state = position.board.tables, position.state
    keys = [0] * tables.symmetries
    for ring in range(tables.rings):
        if state[kernel.RINGS] >> ring & 1:
            toggle(tables, keys, ring, holding(state, ring))
    return keys


def _placement(position: Position, rest: int, back: dict[int, int]) -> Move:
    colour, rest = rest % 4, rest // 4
    ring, removed = rest % 256, rest // 256
    names = position.board.rings
    return Move(names[back[ring]], colour=COLOURS[colour], removed=names[back[removed - 1]] if removed else None)


def _capture(position: Position, rest: int, back: dict[int, int]) -> Move:
    tables, names = position.board.tables, position.board.rings
    ring, digits = rest % 256, rest // 256
    start, jumps = names[back[ring]], []
    for _ in range(LONGEST_CODED_CHAIN):
        digits, digit = divmod(digits, 7)
        if not digit:
            break
        place = 6 * ring + digit - 1
        over, ring = names[back[tables.neighbour[place]]], tables.landing[place]
        jumps.append(Jump(position.on(over) or "", names[back[ring]]))
    return Move(start, jumps=tuple(jumps))
