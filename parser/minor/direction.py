"""Read placements `D4:w/D1` and captures `D4-ld-l`, rings and directions. Experimental. Source: formats, section 9."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from zertz_db.parser.gipf import derived_dialect, grammar
from zertz_db.parser.gipf.derived_dialect import EXPERIMENTAL, Notation, Piece
from zertz_db.parser.gipf.movetext import Movetext, tokens_of
from zertz_db.parser.record import CAPTURE, PLACEMENT, Marble, Ply, Record
from zertz_db.parser.text.ring_names import RISING_NUMBERS

if TYPE_CHECKING:
    from lark import Token, Tree

CODES = EXPERIMENTAL
"""Codes of this reader in addition to those of `gipf.CODES`."""

_STEPS = {"l": (-1, 0), "lu": (-1, 1), "ru": (0, 1), "r": (1, 0), "rd": (1, -1), "ld": (0, -1)}
"""Columns and numbers of a step in each direction."""


class _Directions(Movetext):
    """The plies of a game, with the landing rings of its captures."""

    def _take_placement(self, tree: Tree[Token]) -> None:
        tokens = tokens_of(tree)
        ring, _, colour, *rest = tokens
        removed = rest[1].lower() if rest else None
        self.plies.append(Ply(PLACEMENT, self.at_all(tokens), ring.lower(), colour.upper(), removed))

    def _take_capture(self, tree: Tree[Token]) -> None:
        tokens = tokens_of(tree)
        here = tokens[0].lower()
        jumps = []
        for token in tokens[2::2]:
            here = _landing(here, str(token))
            jumps.append(Marble(None, here))
        self.plies.append(Ply(CAPTURE, self.at_all(tokens), tokens[0].lower(), jumps=tuple(jumps)))


def _landing(ring: str, direction: str) -> str:
    """Return the end of a jump. A place on no board gets a name that no ring has."""
    columns, numbers = _STEPS[direction]
    return f"{chr(ord(ring[0]) + 2 * columns)}{int(ring[1:]) + 2 * numbers}"


_NOTATION = Notation(
    "direction",
    "minor/grammars/direction.lark",
    _Directions,
    grammar.split,
    {
        "PLY_CELL": "a ply such as D4:w/D1 or D4-ld",
        "SLASH": "a stroke and the ring removed",
        "DIRECTION": "a direction: l, lu, ru, r, rd or ld",
        "DASH": "a dash and a direction",
    },
    is_experimental=True,
)


def _record(piece: Piece) -> Record:
    return replace(piece.record("direction"), board="37", coordinates=RISING_NUMBERS)


read = derived_dialect.reader(_NOTATION, _record)
