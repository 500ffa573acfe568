"""Read `.rec` files of a program for one computer. Experimental. Source: formats, section 7."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from zertz_db.parser.gipf import derived_dialect
from zertz_db.parser.gipf.derived_dialect import EXPERIMENTAL, Notation, Piece, list_segments
from zertz_db.parser.gipf.movetext import Movetext, pairs_of, tokens_of
from zertz_db.parser.record import CAPTURE, PLACEMENT, Ply, Record

if TYPE_CHECKING:
    from lark import Token, Tree

CODES = EXPERIMENTAL
"""Codes of this reader in addition to those of `gipf.CODES`."""

_TITLE = re.compile("# Zertz game record")
_STARTED = "# Game started "


class _Rec(Movetext):
    """The turns of a game, and the day on which it began."""

    date: str | None = None

    def _take_remark(self, token: Token) -> None:
        if token.startswith(_STARTED):
            written = token.removeprefix(_STARTED).strip()
            self.date = _day(written)
            if self.date is None:
                self.remark("W531", self.at(token), f"the date {written!r} can't be read")

    def _take_turn(self, tree: Tree[Token]) -> None:
        number, ply = tree.children
        self.numbers.append((len(self.plies), str(number), number.start_pos or 0))  # type: ignore[union-attr]
        self.take(ply)

    def _take_placement(self, tree: Tree[Token]) -> None:
        tokens = tokens_of(tree)
        claim = next((at for at, token in enumerate(tokens) if token.type == "X"), len(tokens))
        colour, ring, *removed = (str(token) for token in tokens[:claim] if token.type in ("COLOUR", "CELL"))
        claimed = pairs_of(tokens[claim + 1 :])
        ply = Ply(PLACEMENT, self.at_all(tokens), ring, colour, removed[0] if removed else None, claim=claimed)
        self.plies.append(ply)

    def _take_capture(self, tree: Tree[Token]) -> None:
        tokens = tokens_of(tree)
        self.plies.append(Ply(CAPTURE, self.at_all(tokens), str(tokens[1]), jumps=pairs_of(tokens[2:])))


def _day(text: str) -> str | None:
    """Return the date of `Mon Sep 11 16:49:04 2017`."""
    try:
        return datetime.datetime.strptime(text, "%a %b %d %H:%M:%S %Y").strftime("%Y.%m.%d")  # noqa: DTZ007 - only the day
    except ValueError:
        return None


def _split(text: str) -> Iterator[tuple[int, int]]:
    """Return the segments between the headers `# Zertz game record`; without any, the text is one record."""
    return list_segments(text, [title.start() for title in _TITLE.finditer(text)] or [0])


_NOTATION = Notation(
    "rec",
    "minor/grammars/rec.lark",
    _Rec,
    _split,
    {"PLY_NUMBER": "a numbered turn such as 1 Wd4,d1", "NONE": "-- for no ring", "X": "a claim such as x Wa1 Wa2"},
    is_experimental=True,
)


def _record(piece: Piece) -> Record:
    movetext = piece.movetext
    assert isinstance(movetext, _Rec)  # noqa: S101 - as the notation says
    return replace(piece.record("rec"), board="37", date=movetext.date)


read = derived_dialect.reader(_NOTATION, _record)
