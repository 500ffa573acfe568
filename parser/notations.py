"""Reads the notations that are tags and movetext like the official one, but write their plies otherwise.

Such a dialect is a grammar that has the official one's terminals for all that it shares with it, and a `Movetext` that knows its
plies; the rest is done here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from parser import letters
from parser.bounds import is_too_long, too_long
from parser.gipf_faults import EXPECTED, explain
from parser.gipf_movetext import Movetext
from parser.gipf_record import record_of
from parser.grammars import Failure, parser_of, read_by_sign
from parser.places import Places, PlacesInOrder
from parser.record import Record, Remark, Span, SyntaxFault

_TAG = r"\[\s*\w+\s+\"(?>[^\"\\\n]++|\\[\s\S])*+\""
_COMMENT = r"\{[^}]*+\}"
_BLANKS = re.compile(r"\s*+")

OTHER_CASE = {"W724": "a colour or ring in capitals where the dialect has small letters, or the other way round"}
"""What is remarked upon in dialects whose colours and rings are not those of the official notation."""

EXPERIMENTAL = {"N755": "the dialect is known from programs only: its reader is an experiment"}
"""What is remarked upon every record of an experimental dialect."""


class Notation(NamedTuple):
    """How a dialect is read: its grammar's file, its movetext, its records' stretches of a text, and its own words for terminals.

    `language` is whose colour letters go without saying; None where letters are English and nothing else.
    """

    dialect: str
    grammar: str
    movetext: type[Movetext]
    split: Callable[[str], Iterable[tuple[int, int]]]
    words: Mapping[str, str]
    language: str | None = None
    is_experimental: bool = False


class Piece(NamedTuple):
    """A record's stretch of a text as it was read: what there is to make a Record of."""

    movetext: Movetext
    span: Span
    fault: SyntaxFault | None
    remarks: tuple[Remark, ...]
    letters_open: bool

    def record(self, dialect: str, first: int | None = None) -> Record:
        """The Record; `first` is who moves first where no tag says it."""
        return record_of(self.movetext, self.span, self.fault, self.remarks, dialect, first)


def pieces(notation: Notation, text: str, language: str | None = None) -> Iterator[Piece]:
    """Each record's stretch, read; nothing in a text raises."""
    lines, behind = PlacesInOrder(text), 0
    for start, end in notation.split(text):
        # What is in no record's stretch, blanks apart, is read with the next one: there it is a fault, or known to be none.
        before = _BLANKS.match(text, behind, start)
        whole = lines.span(before.end() if before else start, end)
        span = lines.span(start, end)
        behind = end
        if is_too_long(whole):
            yield Piece(notation.movetext("", Places.of("", whole)), span, too_long(whole), (), False)
        else:
            piece = text[whole.start : end]
            yield _piece(notation, piece, Places.of(piece, whole), span, language)


def stretches(text: str, starts: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The stretches of a text that begin at these offsets, up to the next one, without blanks around them."""
    begins = [*starts, len(text)]
    for start, end in pairwise(begins):
        piece = text[start:end]
        if piece.strip():
            yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _piece(notation: Notation, piece: str, places: Places, span: Span, language: str | None) -> Piece:
    remarks = []
    if notation.is_experimental:
        remarks.append(Remark("N755", span, "no whole file of this dialect was ever seen: its reader is an experiment"))
    is_open = False
    if notation.language:
        lettering = letters.in_english(piece, f"{_TAG}|{_COMMENT}", language)
        piece, is_open = lettering.text, lettering.is_open
        remarks += letters.remarks_on(lettering, places.span, notation.language)
    movetext = notation.movetext(piece, places)
    items, failure = read_by_sign(parser_of(notation.grammar, "record"), piece)
    movetext.take_all(items)
    return Piece(movetext, span, _fault(notation, piece, places, failure), tuple(remarks), is_open)


def _fault(notation: Notation, piece: str, places: Places, failure: Failure | None) -> SyntaxFault | None:
    return explain(piece, failure, places.span, {**EXPECTED, **notation.words}) if failure else None


def read(notation: Notation, text: str, language: str | None = None) -> Iterator[Record]:
    """The records of a text in a notation that needs no more than its grammar and its movetext."""
    for piece in pieces(notation, text, language):
        yield piece.record(notation.dialect)
