"""Read a move as people type it: in any case, with or without spaces, commas and jumped colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice

from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position

_MOST = 20_000
"""Maximum number of legal moves that are compared with a typed one."""
_MOST_SUGGESTED = 3
_PREFIX = 3
"""Characters that two moves share at the beginning if they place the same marble on the same ring."""


def read_typed_move(position: Position, text: str) -> Move:
    """Return the legal move that a text means. Raises IllegalMove with the reason, and with similar legal moves.

    >>> str(read_typed_move(Position.start("37"), "wd4 d1"))
    'Wd4,d1'
    """
    try:
        return position.move(text)
    except IllegalMove as error:
        moves = list(islice(position.each_move(), _MOST))
        meant = [move for move in moves if _key(text) in _keys(move)]
        if len(meant) == 1:
            return meant[0]
        raise IllegalMove(f"{error}{_suggest(text, meant or moves)}", error.refusal) from error


def _keys(move: Move) -> Iterator[str]:
    """Yield a move's notation as it may be typed."""
    yield _key(str(move))
    if move.jumps:
        rings = "".join(jump.ring for jump in move.jumps)
        yield _key(f"x {move.ring}{rings}")


def _key(text: str) -> str:
    return re.sub(r"[\s,;-]", "", text).casefold()


def _suggest(text: str, moves: list[Move]) -> str:
    """Return a question that names legal moves like a text: those that begin alike, then those that are alike."""
    typed = _key(text)
    by_key = {_key(str(move)): str(move) for move in moves}
    if len(by_key) > _MOST_SUGGESTED:
        begun = max(_shared(typed, key) for key in by_key)
        if begun >= _PREFIX:
            by_key = {key: move for key, move in by_key.items() if _shared(typed, key) == begun}
        close = get_close_matches(typed, by_key, _MOST_SUGGESTED, cutoff=0.5)
        by_key = {key: by_key[key] for key in close}
    return f"; did you mean {' or '.join(by_key.values())}?" if by_key else ""


def _shared(one: str, other: str) -> int:
    """Return the number of characters that two texts share at the beginning."""
    pairs = zip(one, other, strict=False)
    return next((number for number, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))
