"""Read terse lists of plies, `wd4,d1 f2-f4 b5-d5-d3`, also as Python writes a list. Source: formats, section 9."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from zertz_db.parser.gipf import derived_dialect
from zertz_db.parser.gipf.derived_dialect import Notation, Piece
from zertz_db.parser.gipf.movetext import Movetext, tokens_of
from zertz_db.parser.record import CAPTURE, PLACEMENT, Marble, Ply, Record
from zertz_db.parser.text import colour_letters
from zertz_db.parser.text.normal_text import normal

if TYPE_CHECKING:
    from lark import Token, Tree

CODES = colour_letters.CODES | derived_dialect.OTHER_CASE
"""Codes of this reader in addition to those of `gipf.CODES`."""

_BEGIN = re.compile(
    r"#[^\n]*|\{[^}]*\}"
    r'|(?P<begin>\[(?=\s*\w+\s+")|(?:[A-Za-z_]\w*\s*=\s*)?[\[(]|(?<!\S)1\.(?!\.))'
    r"|(?P<ply>[A-Za-z]?[A-Qa-q][0-9])"
)
_RINGS = ("CELL", "PLY_CELL")


class _Terse(Movetext):
    """The plies of a list."""

    def _take_placement(self, tree: Tree[Token]) -> None:
        tokens = self._in_small_letters(tree)
        ring, *removed = _rings(tokens)
        colour = tokens[0].upper()
        self.plies.append(Ply(PLACEMENT, self.at_all(tokens), ring, colour, removed[0] if removed else None))

    def _take_capture(self, tree: Tree[Token]) -> None:
        tokens = self._in_small_letters(tree)
        ring, *landings = _rings(tokens)
        jumps = tuple(Marble(None, landing) for landing in landings)
        self.plies.append(Ply(CAPTURE, self.at_all(tokens), ring, jumps=jumps))

    def _in_small_letters(self, tree: Tree[Token]) -> list[Token]:
        """Return a ply's tokens; remark upon capitals."""
        tokens = tokens_of(tree)
        for token in tokens:
            if token != token.lower():
                self.remark("W724", self.at(token), f"{str(token)!r} is read as {str(token.lower())!r}")
        return tokens


def _rings(tokens: list[Token]) -> list[str]:
    return [token.lower() for token in tokens if token.type in _RINGS]


def _split(text: str) -> Iterator[tuple[int, int]]:
    """Yield the segments that begin at the first tag, list or number 1 after the plies of another record; without any, the text is one
    record.
    """
    start, has_plies = -1, False
    for match in _BEGIN.finditer(text):
        if match["begin"] and has_plies:
            yield start, start + len(text[start : match.start()].rstrip())
            start, has_plies = -1, False
        if match.lastgroup and start < 0:
            start = match.start()
        has_plies = has_plies or bool(match["ply"])
    if start >= 0:
        yield start, start + len(text[start:].rstrip())


_NOTATION = Notation(
    "terse",
    "minor/grammars/terse.lark",
    _Terse,
    _split,
    {
        "PLY_COLOUR": "a ply such as wd4,d1 or f2-f4",
        "CELL": "a ring such as d4",
        "COMMA": "a comma and the ring removed",
        "DASH": "a dash and the next ring of the jump",
        "END_OF_LIST": "the end of the list",
    },
    normal=partial(normal, has_line_comments=False),
    language="en",
)


def _record(piece: Piece) -> Record:
    return replace(piece.record("terse"), letters_open=piece.letters_open)


read = derived_dialect.reader(_NOTATION, _record)
