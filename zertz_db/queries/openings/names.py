"""Names for first moves that people can say: which colour on which row, and which ring goes.

Rows are counted from the edge of the whole board inwards: the rings of the edge have fewer than six neighbours, and of
these a corner has at most three; then come the second row, the third row, …; the innermost row is the centre (one ring
on boards 37, 40, 43 and 61, two on 44, three on 48).
"""

from __future__ import annotations

from functools import lru_cache

from zertz_db.rules.board import Board, for_each_board
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import NAMES

_ROWS = ("edge", "second row", "third row", "fourth row", "fifth row", "sixth row")
_SIDES = 6
_MAX_AT_A_CORNER = 3


def opening_name(start: Position, move: Move) -> str:
    """A first move in words: colour, place, and the ring that goes.

    `near` and `far` tell on which side of the middle between the closest and the most distant removable ring it lies, seen
    from the marble; neither is said where all are equally distant, as from the centre of board 37.

    >>> start = Position.start("37")
    >>> [opening_name(start, start.move(text)) for text in ("Wd4,d1", "Bd7,e6", "Gc3,g4")]
    ['white centre, corner out', 'black corner, near edge out', 'grey third row, far corner out']
    """
    name = f"{NAMES[move.colour]} {place(start.board, move.ring)}"
    if move.removed is None:
        return name
    middle, are_alike = _middle(start, move.ring)
    side = "near " if distance(start.board, move.ring, move.removed) <= middle else "far "
    return f"{name}, {'' if are_alike else side}{place(start.board, move.removed)} out"


@lru_cache(maxsize=256)
def _middle(start: Position, marble: str) -> tuple[float, bool]:
    """Half way between the closest and the most distant removable ring, seen from a marble's; and whether all are equally distant."""
    distances = [distance(start.board, marble, ring) for ring in start.free_rings if ring != marble]
    return (min(distances) + max(distances)) / 2, len(set(distances)) == 1


def is_untouched(position: Position) -> bool:
    """Whether a whole standard board lies there without a marble."""
    return not position.board.is_custom and len(position.vacant_rings) == len(position.board.rings)


def first_move(position: Position) -> Move | None:
    """The move that made the whole, empty board into this; None where that was not a single placement of a marble and a ring gone."""
    marbles = [ring for ring in position.rings if position.on(ring) != "o"]
    gone = [ring for ring in position.board.rings if position.on(ring) is None]
    if len(marbles) != 1 or len(gone) != 1 or position.board.is_custom:
        return None
    move = Move(marbles[0], colour=position.on(marbles[0]) or "", removed=gone[0])
    return move if gone[0] in Position.start(position.board, position.rules).free_rings else None


def place(board: Board, ring: str) -> str:
    """Where on the whole board a ring lies: `corner`, `edge`, `second row`, …, `centre`.

    >>> from zertz_db.rules.board import standard_board
    >>> [place(standard_board("61"), ring) for ring in ("a1", "a2", "b2", "c3", "d4", "e5")]
    ['corner', 'edge', 'second row', 'third row', 'fourth row', 'centre']
    """
    number = board.index[ring]
    row = rows(board)[number]
    if row == 0:
        return "corner" if board.around[number].bit_count() <= _MAX_AT_A_CORNER else "edge"
    return "centre" if row == max(rows(board)) else _ROWS[row]


@for_each_board
def rows(board: Board) -> tuple[int, ...]:
    """How many steps each ring lies from the edge."""
    around = board.around
    row, found = 0, {ring: 0 for ring, others in enumerate(around) if others.bit_count() < _SIDES}
    while len(found) < len(around):
        row += 1
        outer = sum(1 << ring for ring in found)
        found |= {ring: row for ring, others in enumerate(around) if ring not in found and others & outer}
    return tuple(found[ring] for ring in range(len(around)))


def distance(board: Board, one: str, other: str) -> int:
    """Steps from ring to ring, gaps counting as rings."""
    (q, r), (to_q, to_r) = board.axial[board.index[one]], board.axial[board.index[other]]
    return max(abs(q - to_q), abs(r - to_r), abs(q + r - to_q - to_r))
