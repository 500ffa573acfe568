"""Read action strings of the program OpenXum, `Pm1D4W Rr1A1 Ca2D4D6`. Experimental. Source: formats, sections 0.2 and 8."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from zertz_db.parser.gipf import derived_dialect
from zertz_db.parser.gipf.derived_dialect import EXPERIMENTAL, Notation, Piece, list_segments
from zertz_db.parser.minor.zertz3d import Zertz3dMovetext
from zertz_db.parser.record import CAPTURE, PLACEMENT, Marble, Ply, Record, SyntaxFault
from zertz_db.parser.text.ring_names import DIAGONAL_NUMBERS

if TYPE_CHECKING:
    from lark import Token

CODES = {"E255": "a ring is removed by a player who has not placed a marble", **EXPERIMENTAL}
"""Codes that only this reader reports; for all else it has the codes of `gipf.CODES`."""


class _Actions(Zertz3dMovetext):
    """The turns that actions make."""

    broken: SyntaxFault | None = None

    def _take_ply_put(self, token: Token) -> None:
        if not self.broken:
            ring, colour = token[3:5].lower(), token[5]
            self.plies.append(Ply(PLACEMENT, self.at(token), ring, colour, mover=int(token[2])))

    def _take_remove(self, token: Token) -> None:
        if self.broken:
            return
        last = self.plies[-1] if self.plies else None
        if last is None or last.kind != PLACEMENT or last.removed or last.mover != int(token[2]):
            message = f"player {token[2]} removes {token[3:].lower()} without having placed a marble"
            self.broken = SyntaxFault("E255", self.at(token), message)
        else:
            span = last.span._replace(end=self.at(token).end)
            self.plies[-1] = last._replace(removed=token[3:].lower(), span=span)

    def _take_ply_jump(self, token: Token) -> None:
        if not self.broken:
            ring, landing = token[3:5].lower(), token[5:7].lower()
            self.plies.append(Ply(CAPTURE, self.at(token), ring, jumps=(Marble(None, landing),), mover=int(token[2])))
            self.join_chain()


def _split(text: str) -> Iterator[tuple[int, int]]:
    return list_segments(text, [0])


_NOTATION = Notation(
    "openxum",
    "minor/grammars/openxum.lark",
    _Actions,
    _split,
    {
        "PLY_PUT": "a marble put, such as Pm1D4W",
        "REMOVE": "a ring removed, such as Rr1A1",
        "PLY_JUMP": "a jump such as Ca1D4D6",
    },
    is_experimental=True,
)


def _record(piece: Piece) -> Record:
    movetext = piece.movetext
    assert isinstance(movetext, _Actions)  # noqa: S101 - as the notation says
    record = piece._replace(fault=movetext.broken or piece.fault).record("openxum")
    return replace(record, board="37", coordinates=DIAGONAL_NUMBERS)


read = derived_dialect.reader(_NOTATION, _record)
