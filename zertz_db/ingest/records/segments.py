"""A file's bytes as stretches of text: what is large is read piece by piece, what is in several encodings record by record.

A stretch begins where a record begins for sure, so that its records are those of the whole file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from typing import NamedTuple

from parser.dialects import RecordBoundary, facts_of, read
from parser.record import Record, Remark, Span
from parser.text.encoding import LOST_HIGH_BYTES, UTF_8, UTF_8_MARKED, decode, decode_as, is_code_page, with_line_feeds
from parser.text.normal_text import OPEN, Passage, passages
from zertz_db.check.findings import CODE_PAGE, LOST_BYTES, OLD_LINE_ENDS, WIDE, Kind
from zertz_db.ingest.sources.large_file import ByteSource

SEGMENT_BYTES = 1_000_000
"""Files up to this size are one stretch; larger ones are cut into such of about this size."""
_MAX_TRIES = 30
"""So many places to cut are tried before a stretch becomes longer instead."""

_CHARACTER = re.compile(r"[^\r\n]")


class Segment(NamedTuple):
    """A piece of a file as text.

    text: what readers are given, `written`: the same as it is written, with other line ends maybe. line, column: where in the file the
    stretch begins, from 1.
    """

    text: str
    written: str
    encoding: str
    line: int = 1
    column: int = 1

    def get_record_text(self, record: Record) -> str:
        """A record's text as it is written; what other records have in between is blank, so that places stay."""
        here, end = record.span[:2]
        own: list[str] = []
        for gap in record.gaps:
            own += self.written[here : gap.start], _CHARACTER.sub(" ", self.written[gap.start : gap.end])
            here = gap.end
        return "".join((*own, self.written[here:end]))

    def get_trimmed_span(self) -> Span:
        """Return the place of the text in itself, blanks around it apart."""
        start = len(self.text) - len(self.text.lstrip())
        line = self.text.count("\n", 0, start)
        return Span(start, len(self.text.rstrip()), 1 + line, start - self.text.rfind("\n", 0, start))

    def part(self, start: int, end: int) -> Segment:
        """Return a part of the stretch as one of its own."""
        before = Segment(self.text[:start], self.written[:start], self.encoding, self.line, self.column)
        text = self.text[start:end]
        written = text if self.written is self.text else self.written[start:end]
        return Segment(text, written, self.encoding, *before.get_end())

    def get_end(self) -> tuple[int, int]:
        """The line and column behind the stretch."""
        feeds = self.text.count("\n")
        behind = len(self.text) - self.text.rfind("\n") - 1
        return (self.line + feeds, behind + 1) if feeds else (self.line, self.column + behind)


def split_segments(
    data: ByteSource, dialect: str, name: str, encoding: str | None = None, decoded: tuple[str, str] | None = None
) -> Iterator[Segment]:
    """The stretches of a file in a dialect; `encoding` and, of a small file, its text with its encoding where they are known."""
    if decoded is not None and (encoding is not None or not is_code_page(decoded[1])):
        yield Segment(with_line_feeds(decoded[0]), *decoded)
        return
    before: Segment | None = None
    for begin, end in _find_cuts(data, dialect):
        for text, code in _decode_piece(data[begin:end], dialect, name, encoding):
            before = Segment(with_line_feeds(text), text, code, *(before.get_end() if before else (1, 1)))
            yield before


def _decode_piece(piece: bytes, dialect: str, name: str, encoding: str | None) -> Iterator[tuple[str, str]]:
    """The texts of a stretch and their encodings: one, or where it is in no Unicode form one for each record."""
    if encoding:
        yield decode_as(piece, encoding), encoding
        return
    text, code = decode(piece)
    if not is_code_page(code):
        yield text, code
        return
    between = facts_of(dialect).boundary
    if between is not None and between.is_every and not between.pattern.search(piece):
        yield text, code
        return
    # A byte is a sign here, so that places in the text are places in the bytes.
    starts = [record.span.start for record in read(with_line_feeds(piece.decode("latin-1")), dialect, name)]
    edges = [0, *starts[1:], len(piece)]
    yield from (decode(piece[begin:end]) for begin, end in pairwise(edges))


def split_at_records(stretch: Segment, start: int, dialect: str) -> list[Segment]:
    """Return what a stretch holds from an offset on, cut wherever a record begins for sure; blank parts are left out."""
    between, edges = facts_of(dialect).boundary, [start, len(stretch.text)]
    if between is not None:
        piece = stretch.text.encode("latin-1", "replace")  # a byte for each character, so that places stay
        found = between.pattern.finditer(piece, start)
        own = _Passages(piece) if between.has_passages else None
        edges[1:1] = [one.end() for one in found if not _is_false_boundary(piece, between, own, one.start())]
    return [stretch.part(*edge) for edge in pairwise(edges) if stretch.text[edge[0] : edge[1]].strip()]


def _find_cuts(data: ByteSource, dialect: str) -> Iterator[tuple[int, int]]:
    """The stretches as bytes, from where to where."""
    between = facts_of(dialect).boundary
    begin = 0
    while between is not None and len(data) - begin > SEGMENT_BYTES:
        end = _find_cut(data, between, begin)
        if end is None:
            break
        yield begin, end
        begin = end
    yield begin, len(data)


def _find_cut(data: ByteSource, between: RecordBoundary, begin: int) -> int | None:
    """Where the stretch ends that begins there; None where that is the end of the file. More and more is looked at until it is found."""
    reach = 2 * SEGMENT_BYTES
    while True:
        length = _measure_segment(data[begin : begin + reach], between)
        if length is not None or begin + reach >= len(data):
            return length and begin + length
        reach *= 2


def _measure_segment(piece: bytes, between: RecordBoundary) -> int | None:
    """How long the first stretch of these bytes is; None if it can't be told to end among them."""
    start = SEGMENT_BYTES
    own = _Passages(piece) if between.has_passages else None
    while True:
        tried = list(islice(between.pattern.finditer(piece, start), _MAX_TRIES))
        for found in tried:
            if not _is_false_boundary(piece, between, own, found.start()):
                return found.end()
        if len(tried) < _MAX_TRIES:
            return None
        start = tried[-1].end() + SEGMENT_BYTES


def _is_false_boundary(piece: bytes, between: RecordBoundary, own: _Passages | None, place: int) -> bool:
    """Return whether a place is within brackets or a passage; to be asked in order."""
    return _is_in_brackets(piece, between, place) or bool(own and own.is_inside(place))


def _is_in_brackets(piece: bytes, between: RecordBoundary, place: int) -> bool:
    return any(piece.rfind(left, 0, place) > piece.rfind(right, 0, place) for left, right in between.brackets)


class _Passages:
    """What is no movetext in the beginning of a file, looked for as far as it is asked for; a comment that is open goes to its end."""

    def __init__(self, piece: bytes) -> None:
        # A byte is a sign here, as in `_decode_piece`.
        self._found = passages(piece.decode("latin-1"))
        self._last: Passage | None = None

    def is_inside(self, place: int) -> bool:
        """Whether a place lies in a passage; to be asked in order."""
        while self._last is None or self._last.end <= place:
            found = next(self._found, Passage("", sys.maxsize, sys.maxsize))
            self._last = found._replace(end=sys.maxsize) if found.kind == OPEN else found
        return self._last.start <= place


_USUAL_ENCODINGS = (UTF_8, UTF_8_MARKED)
_ENCODING_NAMES = {"latin-1": "Latin-1", "cp1251": "Windows-1251", "cp1252": "Windows-1252"}
_LONE_RETURN = re.compile(r"\r(?!\n)")


def add_encoding_notes(record: Record, stretch: Segment) -> Record:
    """The record with notes on how its bytes were read, where that does not go without saying."""
    if stretch.encoding in _USUAL_ENCODINGS and stretch.written is stretch.text:
        return record
    own, notes = stretch.get_record_text(record), []
    odd = next((at for at, sign in enumerate(own) if not sign.isascii()), None)
    if stretch.encoding not in _USUAL_ENCODINGS and (odd is not None or not is_code_page(stretch.encoding)):
        kind, message = _describe_encoding(stretch.encoding)
        notes.append(_build_remark(kind, record, own, odd or 0, message))
    if lone := _LONE_RETURN.search(own):
        notes.append(
            _build_remark(OLD_LINE_ENDS, record, own, lone.start(), f"{OLD_LINE_ENDS.title}: read as line feeds")
        )
    return replace(record, remarks=(*notes, *record.remarks)) if notes else record


def _describe_encoding(encoding: str) -> tuple[Kind, str]:
    if encoding == LOST_HIGH_BYTES:
        return LOST_BYTES, LOST_BYTES.title
    if is_code_page(encoding):
        return CODE_PAGE, f"not UTF-8: read as {_ENCODING_NAMES[encoding]}"
    order = "little" if "-le" in encoding else "big"
    mark = ", without a byte order mark" if "unmarked" in encoding else ""
    return WIDE, f"read as UTF-16, {order} end first{mark}"


def _build_remark(kind: Kind, record: Record, own: str, at: int, message: str) -> Remark:
    span = record.span
    shown = with_line_feeds(own[:at])
    feeds = shown.count("\n")
    column = at - shown.rfind("\n") if feeds else span.column + at
    return Remark(
        kind.code,
        span._replace(start=span.start + at, end=span.start + at + 1, line=span.line + feeds, column=column),
        message,
    )
