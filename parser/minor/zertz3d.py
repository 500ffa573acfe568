"""Read the notation files of the program Zertz3D. Source: formats, section 4.

A jump is an action there, without its player. But a marble that can jump on must, and nothing else changes between two turns that capture.
So a jump that begins where the last one ended always belongs to the same chain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from zertz_db.parser.gipf import derived_dialect
from zertz_db.parser.gipf.derived_dialect import Notation, Piece, list_segments
from zertz_db.parser.gipf.movetext import Movetext
from zertz_db.parser.gipf.record_builder import with_column_i
from zertz_db.parser.record import CAPTURE, Ply, Record, Span
from zertz_db.parser.vocabulary.board_names import board_named
from zertz_db.parser.vocabulary.terms import GameResult

if TYPE_CHECKING:
    from lark import Token, Tree

CODES: dict[str, str] = {}
"""Codes of this reader, those of `gipf.CODES`."""

_HEADER = re.compile(r"^[^\S\n]*(?:37|48|61)(?:[^\S\n]+blitz)?[^\S\n]*\r?$", re.IGNORECASE | re.MULTILINE)
_FACT = re.compile(r"#\s*([A-Za-z][\w ]*?)\s*:\s*(.*?)\s*$")
_UNDERSTOOD = ("player 1", "player 2", "rings", "variant", "winner", "result")
_VARIANTS = ("standard", "blitz")
_MAX_JUMPS = 128
"""Maximum jumps of a chain. A jump takes a marble, and no board has more rings. A longer chain is illegal before its end."""
_RESULTS = {
    "player 1": GameResult.FIRST_WINS,
    "player 2": GameResult.SECOND_WINS,
    "tie": GameResult.TIE,
    "both lose": GameResult.BOTH_LOSE,
}


class Zertz3dMovetext(Movetext):
    """The actions of a game, with the jumps of a chain combined."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self.header = ""
        self.facts: dict[str, str] = {}
        """Facts of comments, `# Player 1: Ada`, by name in small letters."""

    def _take_header(self, token: Token) -> None:
        self.header = str(token)

    def _take_remark(self, token: Token) -> None:
        fact = _FACT.fullmatch(token)
        if fact is None:
            return
        name, value = fact[1].lower(), fact[2]
        self.facts.setdefault(name, value)
        if name in ("winner", "result") and value.lower() in _RESULTS:
            self.terminator = (_RESULTS[value.lower()], self.at(token))
        elif name in ("winner", "result", "variant") and value.lower() not in _VARIANTS:
            self.remark("W528", self.at(token), f"{fact[1]} says {value!r}, which is not understood")

    def _take_capture(self, tree: Tree[Token]) -> None:
        super()._take_capture(tree)
        self.join_chain()

    def join_chain(self) -> None:
        """Combine the last two plies into one capture, if they are jumps of one chain."""
        if len(self.plies) < 2:
            return
        one, other = self.plies[-2:]
        is_one = one.kind == other.kind == CAPTURE and one.mover == other.mover and one.jumps[-1].ring == other.ring
        if is_one and len(one.jumps) < _MAX_JUMPS:
            self.plies[-2:] = [one._replace(span=_across(one, other), jumps=one.jumps + other.jumps)]


def _across(one: Ply, other: Ply) -> Span:
    return one.span._replace(end=other.span.end)


def _split(text: str) -> Iterator[tuple[int, int]]:
    """Return the segments that begin at each header; without any, the text is one record."""
    starts = [header.start() for header in _HEADER.finditer(text)]
    if not starts or text[: starts[0]].strip():
        starts.insert(0, 0)
    return list_segments(text, starts)


_NOTATION = Notation(
    "zertz3d", "minor/grammars/zertz3d.lark", Zertz3dMovetext, _split, {"HEADER": "a header such as 37 or 37 Blitz"}
)


def _record(piece: Piece) -> Record:
    movetext = piece.movetext
    assert isinstance(movetext, Zertz3dMovetext)  # noqa: S101 - as the notation says
    rings, _, variant = movetext.header.partition(" ")
    return with_facts(piece.record("zertz3d"), rings, bool(variant), movetext.facts)


read = derived_dialect.reader(_NOTATION, _record)


def _tag(name: str) -> str:
    return re.sub(r"\W", "", name.title())


def with_facts(record: Record, rings: str, is_blitz: bool, facts: dict[str, str]) -> Record:
    """Return a record with the facts that a file of this program states; its ninth column, j, is our i."""
    return replace(
        record,
        board=board_named(rings) or rings or None,
        rule_set=("blitz" if is_blitz else "standard") if rings else None,
        player1=facts.get("player 1") or None,
        player2=facts.get("player 2") or None,
        tags=tuple((_tag(name), value) for name, value in facts.items() if name not in _UNDERSTOOD and value),
        plies=tuple(map(with_column_i, record.plies)),
    )
