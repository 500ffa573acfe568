"""Read notations with the official tags and movetext structure, but other plies.

Such a dialect is a grammar that imports the official terminals it shares, and a `Movetext` that reads its plies. This module does the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import NamedTuple, Protocol

from zertz_db.parser import faults
from zertz_db.parser.gipf.movetext import Movetext
from zertz_db.parser.gipf.record_builder import record_of
from zertz_db.parser.gipf.syntax_errors import EXPECTED, explain
from zertz_db.parser.record import Record, Remark, Span, SyntaxFault
from zertz_db.parser.text import colour_letters
from zertz_db.parser.text.lark_recovery import Failure, read_by_character
from zertz_db.parser.text.line_index import Places, PlacesInOrder
from zertz_db.parser.text.normal_text import NormalText, normal_tags
from zertz_db.parser.text.size_limits import is_too_long, too_long
from zertz_db.parser.text.stored_grammars import parser_of

_TAG = r"\[\s*\w+\s+\"(?>[^\"\\\n]++|\\[\s\S])*+\""
_COMMENT = r"\{[^}]*+\}"
_SPACES = re.compile(r"\s*+")

OTHER_CASE = {"W724": "a colour or ring in capitals where the dialect has small letters, or the other way round"}
"""Finding of dialects whose colours and rings differ in case from the official notation."""

EXPERIMENTAL = {"N755": "the dialect is known from programs only: its reader is an experiment"}
"""Finding on every record of an experimental dialect."""


def unchanged(text: str) -> NormalText:
    """Return a text that needs no change."""
    return NormalText(text, text)


class Notation(NamedTuple):
    """How to read a dialect: its grammar's file, its movetext, its record segments, and its own words for terminals.

    `language` is the language of colour letters that needs no remark, or None if letters are always English.
    """

    dialect: str
    grammar: str
    movetext: type[Movetext]
    split: Callable[[str], Iterable[tuple[int, int]]]
    words: Mapping[str, str]
    language: str | None = None
    is_experimental: bool = False
    normal: Callable[[str], NormalText] = unchanged
    """Conversion of a text into one that the grammar reads."""


class Piece(NamedTuple):
    """A record's segment of a text after reading: the material of a Record."""

    movetext: Movetext
    span: Span
    fault: SyntaxFault | None
    remarks: tuple[Remark, ...]
    letters_open: bool

    def record(self, dialect: str, first: int | None = None) -> Record:
        """Return the Record; `first` is the player who moves first if no tag states it."""
        return record_of(self.movetext, self.span, self.fault, self.remarks, dialect, first)


def pieces(notation: Notation, text: str, language: str | None = None) -> Iterator[Piece]:
    """Yield each record's segment, read. Nothing in a text raises: an internal error becomes the fault."""
    for one in _list_segments(notation, text):
        yield faults.guarded(partial(_piece, notation, one, language), partial(_unread_piece, notation, one))


class Reader(Protocol):
    """The `read` of a dialect."""

    def __call__(self, text: str, language: str | None = None) -> Iterator[Record]:
        """Yield the Record of each game in the text, in order. Nothing in a text raises; an unreadable one has a `fault`."""


def reader(notation: Notation, make: Callable[[Piece], Record]) -> Reader:
    """Return the `read` of a dialect; `make` makes a record of its segment. An internal error rejects only its record."""

    def read(text: str, language: str | None = None) -> Iterator[Record]:
        for one in _list_segments(notation, text):
            record = partial(_record, notation, one, make, language)
            yield faults.guarded(record, partial(faults.unread, dialect=notation.dialect, span=one.span))

    return read


def _record(notation: Notation, one: _Segment, make: Callable[[Piece], Record], language: str | None) -> Record:
    return make(_piece(notation, one, language))


class _Segment(NamedTuple):
    """A record's segment of a text: the text including unclaimed text before it, the span of both, and the span of the record."""

    text: NormalText
    whole: Span
    span: Span


def _list_segments(notation: Notation, text: str) -> Iterator[_Segment]:
    lines, last_end = PlacesInOrder(text), 0
    clean = notation.normal(text)
    for start, end in clean.records(notation.split(clean.text)):
        # Text outside all segments, except spaces, is read with the next record: there it is a fault, or known to be harmless.
        before = _SPACES.match(clean.text, last_end, start)
        begin, last_end = min(before.end() if before else start, start), end
        whole = lines.span(begin, end)
        span = lines.span(start, end)
        yield _Segment(clean.part(begin, end), whole, span)


def list_segments(text: str, starts: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the segments of a text that begin at these offsets, up to the next one, without surrounding spaces."""
    begins = [*starts, len(text)]
    for start, end in pairwise(begins):
        piece = text[start:end]
        if piece.strip():
            yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _unread_piece(notation: Notation, one: _Segment, error: Exception) -> Piece:
    fault = faults.unread(error, notation.dialect, one.span).fault
    return _without_text(notation, one, fault)


def _without_text(notation: Notation, one: _Segment, fault: SyntaxFault | None) -> Piece:
    return Piece(notation.movetext("", Places.of("", one.whole)), one.span, fault, (), False)


def _piece(notation: Notation, one: _Segment, language: str | None) -> Piece:
    clean, whole, span = one
    if is_too_long(whole):
        return _without_text(notation, one, too_long(whole))
    places = Places.of(clean.text, whole)
    piece, quoting = normal_tags(clean.text)
    remarks = [
        Remark(departure.code, places.span(departure.start, departure.end), departure.message)
        for departure in (*clean.departures, *quoting)
    ]
    if notation.is_experimental:
        remarks.append(Remark("N755", span, "no whole file of this dialect was ever seen: its reader is an experiment"))
    is_open = False
    if notation.language:
        lettering = colour_letters.in_english(piece, f"{_TAG}|{_COMMENT}", language)
        piece, is_open = lettering.text, lettering.is_open
        remarks += colour_letters.remarks_on(lettering, places.span, notation.language)
    movetext = notation.movetext(piece, places, clean.written, clean.labels)
    items, failure = read_by_character(parser_of(notation.grammar, "record"), piece)
    movetext.take_all(items)
    return Piece(movetext, span, _fault(notation, piece, places, failure), tuple(remarks), is_open)


def _fault(notation: Notation, piece: str, places: Places, failure: Failure | None) -> SyntaxFault | None:
    return explain(piece, failure, places.span, {**EXPECTED, **notation.words}) if failure else None
