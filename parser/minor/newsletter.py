"""Read the notation of an Italian newsletter, `2. Nd2, a3, Nf4, a4; 3. Bg5, c1`. Source: formats, sections 0.2 and 1."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from zertz_db.parser.gipf import derived_dialect, grammar
from zertz_db.parser.gipf.derived_dialect import Notation, Piece
from zertz_db.parser.gipf.movetext import Movetext, pairs_of, start_of, tokens_of
from zertz_db.parser.record import CAPTURE, PLACEMENT, Ply, Record
from zertz_db.parser.text import colour_letters
from zertz_db.parser.text.normal_text import normal
from zertz_db.parser.text.ring_names import DIAGONAL_NUMBERS

if TYPE_CHECKING:
    from lark import Token, Tree

CODES = colour_letters.CODES
"""Codes of this reader in addition to those of `gipf.CODES`."""


class _Newsletter(Movetext):
    """The plies of a game, with spaces anywhere."""

    def _take_placement(self, tree: Tree[Token]) -> None:
        tokens = tokens_of(tree)
        claim = next((at for at, token in enumerate(tokens) if token.type == "CLAIM_X"), len(tokens))
        colour, ring, *removed = (str(token) for token in tokens[:claim] if token.type != "COMMA")
        claimed = pairs_of(tokens[claim + 1 :])
        ply = Ply(PLACEMENT, self.at_all(tokens), ring, colour, removed[0] if removed else None, claim=claimed)
        self.plies.append(ply)

    def _take_capture(self, tree: Tree[Token]) -> None:
        tokens = tokens_of(tree)
        self.plies.append(Ply(CAPTURE, self.at_all(tokens), str(tokens[1]), jumps=pairs_of(tokens[2:])))

    def _take_remark(self, token: Token) -> None:
        self._comment(str(token), start_of(token))


_NOTATION = Notation(
    "newsletter",
    "minor/grammars/newsletter.lark",
    _Newsletter,
    grammar.split,
    {"COLOUR": "a ply such as Nd2, a3", "COMMA": "a comma and the ring removed"},
    normal=partial(normal, has_line_comments=False),
    language="it",
)


def _record(piece: Piece) -> Record:
    record = piece.record("newsletter")
    return replace(record, coordinates=record.coordinates or DIAGONAL_NUMBERS, letters_open=piece.letters_open)


read = derived_dialect.reader(_NOTATION, _record)
