"""Read ZEN, the games of the site zertz.app: text in, one Record per game out. Source: formats, section 5.

Rings get their official names at once: the names in the text follow from its start position (the tag ZIP).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from zertz_db.parser.gipf import derived_dialect, grammar
from zertz_db.parser.gipf.derived_dialect import Notation, Piece
from zertz_db.parser.gipf.movetext import Movetext, end_of, start_of, tokens_of
from zertz_db.parser.gipf.tags import Tag
from zertz_db.parser.record import CAPTURE, PLACEMENT, Marble, Ply, Record, Remark, SyntaxFault
from zertz_db.parser.text.normal_text import normal
from zertz_db.parser.text.ring_names import MIRRORED, named_rings, renamed_record
from zertz_db.parser.zen import zip_position
from zertz_db.parser.zen.zip_position import NoPosition, ZipPosition

if TYPE_CHECKING:
    from lark import Token, Tree

CODES = {
    "E251": "the start position can't be read",
    "E359": "a ring that the start position lacks",
    "N504": "rings have other names than in the official notation",
}
"""Codes that only this reader reports; for all else it has the codes of `gipf.CODES`."""


def _unchanged(text: str) -> str:
    """Return the text unchanged: there are no escapes."""
    return text


class ZenMovetext(Movetext):
    """The movetext of a ZEN game, with rings as written."""

    plain = staticmethod(_unchanged)

    def _take_placement(self, tree: Tree[Token]) -> None:
        colour, ring, *rest = tokens = self._glued(tree)
        removed = next((str(token) for token in rest if token.type == "CELL"), None)
        self.plies.append(Ply(PLACEMENT, self.at_all(tokens), str(ring), str(colour), removed, taken=_taken(rest)))

    def _take_capture(self, tree: Tree[Token]) -> None:
        colour, ring, *rest = tokens = self._glued(tree)
        landings = [str(token) for token in rest if token.type == "CELL"]
        taken = _taken(rest)
        colours: list[str | None] = [None] * len(landings)
        if taken and len(taken) == len(landings):
            colours, taken = list(taken), None
        jumps = tuple(map(Marble, colours, landings))
        self.plies.append(Ply(CAPTURE, self.at_all(tokens), str(ring), str(colour), jumps=jumps, taken=taken))

    def _glued(self, tree: Tree[Token]) -> list[Token]:
        """Return a ply's tokens; remark upon leniencies in them, including spaces between them."""
        tokens = tokens_of(tree)
        for token in tokens:
            self.lenient(token)
        for one, other in pairwise(tokens):
            if end_of(one) < start_of(other):
                self.remark("W719", self.at_all([one, other]), "a space is skipped")
        return tokens


def _taken(tokens: list[Token]) -> str | None:
    return next((token[1:].upper() for token in tokens if token.type == "TAKEN"), None)


_NOTATION = Notation(
    "zen",
    "zen/zen.lark",
    ZenMovetext,
    grammar.split,
    {
        "COLOUR": "a ply such as Wb3-c4 or Wa4xc4",
        "JUMPS": "a jump such as xc4",
        "DASH": "a ring to remove such as -c4",
        "TAKEN": "captured colours such as +wg",
    },
    normal=partial(normal, has_line_comments=False),
)


def _record(piece: Piece) -> Record:
    """Return the record of a game of the site, which has the standard rules only."""
    record = _record_of_rules_unsaid(piece)
    return record if record.rule_set else replace(record, rule_set="standard")


read = derived_dialect.reader(_NOTATION, _record)


def _record_of_rules_unsaid(piece: Piece) -> Record:
    tag = next((tag for tag in piece.movetext.tags if tag.name.upper() == "ZIP"), None)
    if tag is None:
        record = piece.record("zen")
        return replace(record, coordinates=record.coordinates or MIRRORED)
    try:
        start = zip_position.read(tag.value)
    except NoPosition as cause:
        return replace(piece.record("zen"), plies=(), fault=_no_start(tag, cause))
    if tag.name != "ZIP":
        piece.movetext.remark("W732", tag.span, f"{tag.name} is read as ZIP")
    record = piece.record("zen", start.side)
    record = replace(record, board=start.board, position=start.position)
    return record if record.coordinates else _named(record, start)


def _no_start(tag: Tag, cause: NoPosition) -> SyntaxFault:
    return SyntaxFault("E251", tag.span, f"the start position can't be read: {cause}")


def _named(record: Record, start: ZipPosition) -> Record:
    """Return the record with the official names of its rings, up to a ply with a ring that its start lacks."""
    plies: list[Ply] = []
    fault = record.fault
    for ply in record.plies:
        strange = [ring for ring in named_rings(ply) if ring not in start.names]
        if strange:
            fault = SyntaxFault("E359", ply.span, f"the start position has no ring {strange[0]}")
            break
        plies.append(ply)
    record = replace(record, plies=tuple(plies), fault=fault)
    other = next((pair for pair in start.names.items() if pair[0] != pair[1]), None)
    if other is None:
        return record
    message = f"the start position names the rings: {other[0]} is {other[1]}, and so on"
    remark = Remark("N504", record.span, message)
    record = renamed_record(record, start.names.__getitem__, start.names)
    return replace(record, remarks=(*record.remarks, remark))
