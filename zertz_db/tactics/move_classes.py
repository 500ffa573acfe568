"""Convert between the search's moves, public moves and classes of moves.

The class of a placement is its colour and ring, whichever ring it removes; that of a capture its start, landing and set of jumped rings.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zertz_db.parser.vocabulary.terms import MoveKind
from zertz_db.rules import kernel
from zertz_db.rules.move import PASS, Jump, Move
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import COLOURS
from zertz_db.tactics.search_moves import move_colour, move_kind, move_other, move_ring, pack_move

PackedMove = tuple[int, int]


class MoveClass(NamedTuple):
    """A class of moves. kind: `placement`, `capture` or `pass`. jumped: rings in the board's order."""

    kind: MoveKind
    colour: str = ""
    ring: str = ""
    landing: str = ""
    jumped: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.kind == MoveKind.PLACEMENT:
            return f"{self.colour}{self.ring}"
        if self.kind == MoveKind.CAPTURE:
            return f"x {self.ring}-{self.landing} over {' '.join(self.jumped)}"
        return "-"

    def as_json(self) -> dict[str, Any]:
        """Return the class as plain values, without those that its kind lacks."""
        return {name: list(value) if name == "jumped" else value for name, value in self._asdict().items() if value}


def pack(position: Position, move: Move) -> PackedMove:
    """Return a legal move as the search has it."""
    code = position.encode(move)
    if code[0] == kernel.PLACE:
        return pack_move(kernel.PLACE, code[1], code[2], code[3]), 0
    if code[0] == kernel.SKIP:
        return kernel.SKIP, 0
    tables, jumped, ring = position.board.tables, 0, code[1]
    for landing in code[3::2]:
        jumped |= 1 << next(over for over, far in _jumps(position, ring) if far == landing)
        ring = landing
    return pack_move(kernel.JUMP, 0, code[1], ring), jumped & (1 << tables.rings) - 1


def unpack(position: Position, packed: PackedMove) -> Move:
    """Return a public move of this packed move; of a capture's routes the first."""
    first, jumped = packed
    names, kind, other = position.board.rings, move_kind(first), move_other(first)
    if kind == kernel.SKIP:
        return PASS
    ring = names[move_ring(first)]
    if kind == kernel.PLACE:
        return Move(ring, COLOURS[move_colour(first)], names[other] if other >= 0 else None)
    route = _route(position, move_ring(first), other, jumped)
    return Move(
        ring, jumps=tuple(Jump(position.on(names[over]) or "", names[landing]) for over, landing in route or ())
    )


def class_of(position: Position, move: Move) -> MoveClass:
    """Return the class of a legal move."""
    return packed_class(position, pack(position, move))


def packed_class(position: Position, packed: PackedMove) -> MoveClass:
    """Return the class of a packed move."""
    first, jumped = packed
    names, kind = position.board.rings, move_kind(first)
    if kind == kernel.SKIP:
        return MoveClass(MoveKind.PASS)
    ring = names[move_ring(first)]
    if kind == kernel.PLACE:
        return MoveClass(MoveKind.PLACEMENT, COLOURS[move_colour(first)], ring)
    return MoveClass(MoveKind.CAPTURE, ring=ring, landing=names[move_other(first)], jumped=position.names(jumped))


def _jumps(position: Position, ring: int) -> list[tuple[int, int]]:
    """Return the pairs of jumped and landing ring from a ring, on the board without marbles."""
    tables = position.board.tables
    places = range(6 * ring, 6 * ring + 6)
    return [(tables.neighbour[place], tables.landing[place]) for place in places if tables.landing[place] >= 0]


def _route(position: Position, start: int, end: int, jumped: int) -> list[tuple[int, int]] | None:
    """Return jumps from `start` to `end` over exactly these marbles."""
    state = position.state
    vacant = kernel.vacant(state) | 1 << start
    found: list[tuple[int, int]] = []

    def walk(ring: int, left: int, vacant: int) -> bool:
        if not left:
            return ring == end
        for over, landing in _jumps(position, ring):
            if left >> over & 1 and vacant >> landing & 1:
                found.append((over, landing))
                if walk(landing, left ^ 1 << over, vacant | 1 << over):
                    return True
                found.pop()
        return False

    return found if walk(start, jumped, vacant) else None
