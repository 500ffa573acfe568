"""Segments: a file's bytes as texts, large files piece by piece, files in several encodings record by record.

A segment begins where a record certainly begins, so its records are those of the whole file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from zertz_db.check.findings import CODE_PAGE, LOST_BYTES, OLD_LINE_ENDS, WIDE, Kind
from zertz_db.ingest.sources.place import ByteSource
from zertz_db.parser.dialects import RecordBoundary, facts_of, read
from zertz_db.parser.record import Record, Remark, Span
from zertz_db.parser.text.encoding import (
    LOST_HIGH_BYTES,
    UTF_8,
    UTF_8_MARKED,
    decode,
    decode_as,
    is_code_page,
    with_line_feeds,
)

if TYPE_CHECKING:
    from zertz_db.parser.text.normal_text import Passage

SEGMENT_BYTES = 1_000_000
"""Size up to which a file is one segment; larger ones are cut into segments of about this size."""
_MAX_TRIES = 30
"""Number of places to try for a cut before a segment becomes longer instead."""

_CHARACTER = re.compile(r"[^\r\n]")


class Segment(NamedTuple):
    """A piece of a file as text.

    text: for the readers. written: the same as it is written, possibly with other line ends. line, column: of the segment's start in the
    file, from 1.
    """

    text: str
    written: str
    encoding: str
    line: int = 1
    column: int = 1

    def get_record_text(self, record: Record) -> str:
        """Return a record's text as it is written, with other records inside it replaced by spaces, so that offsets stay."""
        here, end = record.span[:2]
        own: list[str] = []
        for gap in record.gaps:
            own += self.written[here : gap.start], _CHARACTER.sub(" ", self.written[gap.start : gap.end])
            here = gap.end
        return "".join((*own, self.written[here:end]))

    def get_trimmed_span(self) -> Span:
        """Return the span of the text in itself, without spaces around it."""
        start = len(self.text) - len(self.text.lstrip())
        line = self.text.count("\n", 0, start)
        return Span(start, len(self.text.rstrip()), 1 + line, start - self.text.rfind("\n", 0, start))

    def part(self, start: int, end: int) -> Segment:
        """Return a part of the segment as a segment."""
        before = Segment(self.text[:start], self.written[:start], self.encoding, self.line, self.column)
        text = self.text[start:end]
        written = text if self.written is self.text else self.written[start:end]
        return Segment(text, written, self.encoding, *before.get_end())

    def get_end(self) -> tuple[int, int]:
        """Return the line and column after the segment."""
        feeds = self.text.count("\n")
        width = len(self.text) - self.text.rfind("\n") - 1
        return (self.line + feeds, width + 1) if feeds else (self.line, self.column + width)


def split_segments(
    data: ByteSource, dialect: str, name: str, encoding: str | None = None, decoded: tuple[str, str] | None = None
) -> Iterator[Segment]:
    """Yield the segments of a file in a dialect. encoding, decoded: the encoding and, for a small file, its text with it, if known."""
    if decoded is not None and (encoding is not None or not is_code_page(decoded[1])):
        yield Segment(with_line_feeds(decoded[0]), *decoded)
        return
    before: Segment | None = None
    for begin, end in _find_cuts(data, dialect):
        for text, code in _decode_piece(data[begin:end], dialect, name, encoding):
            before = Segment(with_line_feeds(text), text, code, *(before.get_end() if before else (1, 1)))
            yield before


def _decode_piece(piece: bytes, dialect: str, name: str, encoding: str | None) -> Iterator[tuple[str, str]]:
    """Yield the texts of a segment and their encodings: one, or one for each record if it is in no Unicode encoding."""
    if encoding:
        yield decode_as(piece, encoding), encoding
        return
    text, code = decode(piece)
    if not is_code_page(code):
        yield text, code
        return
    boundary = facts_of(dialect).boundary
    if boundary is not None and boundary.is_every and not boundary.pattern.search(piece):
        yield text, code
        return
    # A byte is a character here, so offsets in the text are offsets in the bytes.
    starts = [record.span.start for record in read(with_line_feeds(piece.decode("latin-1")), dialect, name)]
    edges = [0, *starts[1:], len(piece)]
    yield from (decode(piece[begin:end]) for begin, end in pairwise(edges))


def split_at_records(segment: Segment, start: int, dialect: str) -> list[Segment]:
    """Return the rest of a segment from an offset on, cut wherever a record certainly begins, without empty parts."""
    boundary, edges = facts_of(dialect).boundary, [start, len(segment.text)]
    if boundary is not None:
        piece = segment.text.encode("latin-1", "replace")  # a byte for each character, so that offsets stay
        matches = boundary.pattern.finditer(piece, start)
        own = _Passages(piece) if boundary.has_passages else None
        edges[1:1] = [one.end() for one in matches if not _is_false_boundary(piece, boundary, own, one.start())]
    return [segment.part(*edge) for edge in pairwise(edges) if segment.text[edge[0] : edge[1]].strip()]


def _find_cuts(data: ByteSource, dialect: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each segment in bytes."""
    boundary = facts_of(dialect).boundary
    begin = 0
    while boundary is not None and len(data) - begin > SEGMENT_BYTES:
        end = _find_cut(data, boundary, begin)
        if end is None:
            break
        yield begin, end
        begin = end
    yield begin, len(data)


def _find_cut(data: ByteSource, boundary: RecordBoundary, begin: int) -> int | None:
    """Return the end of the segment that begins at `begin`, or None at the end of the file. Search ever larger pieces."""
    reach = 2 * SEGMENT_BYTES
    while True:
        length = _measure_segment(data[begin : begin + reach], boundary)
        if length is not None or begin + reach >= len(data):
            return length and begin + length
        reach *= 2


def _measure_segment(piece: bytes, boundary: RecordBoundary) -> int | None:
    """Return the length of the first segment of these bytes; None if its end is not certain among them."""
    start = SEGMENT_BYTES
    own = _Passages(piece) if boundary.has_passages else None
    while True:
        tried = list(islice(boundary.pattern.finditer(piece, start), _MAX_TRIES))
        for match in tried:
            if not _is_false_boundary(piece, boundary, own, match.start()):
                return match.end()
        if len(tried) < _MAX_TRIES:
            return None
        start = tried[-1].end() + SEGMENT_BYTES


def _is_false_boundary(piece: bytes, boundary: RecordBoundary, own: _Passages | None, place: int) -> bool:
    """Return whether a place is within brackets or a passage. Call it with ascending places."""
    return _is_in_brackets(piece, boundary, place) or bool(own and own.is_inside(place))


def _is_in_brackets(piece: bytes, boundary: RecordBoundary, place: int) -> bool:
    return any(piece.rfind(left, 0, place) > piece.rfind(right, 0, place) for left, right in boundary.brackets)


class _Passages:
    """Passages of a file's start that are not movetext, found on demand; an unclosed comment extends to the end."""

    def __init__(self, piece: bytes) -> None:
        from zertz_db.parser.text.normal_text import passages  # only dialects with comments need it

        # A byte is a character here, as in `_decode_piece`.
        self._passages = passages(piece.decode("latin-1"))
        self._last: Passage | None = None

    def is_inside(self, place: int) -> bool:
        """Return whether a place is in a passage. Call it with ascending places."""
        from zertz_db.parser.text.normal_text import OPEN, Passage

        while self._last is None or self._last.end <= place:
            passage = next(self._passages, Passage("", sys.maxsize, sys.maxsize))
            self._last = passage._replace(end=sys.maxsize) if passage.kind == OPEN else passage
        return self._last.start <= place


_USUAL_ENCODINGS = (UTF_8, UTF_8_MARKED)
_ENCODING_NAMES = {"latin-1": "Latin-1", "cp1251": "Windows-1251", "cp1252": "Windows-1252"}
_LONE_RETURN = re.compile(r"\r(?!\n)")


def add_encoding_notes(record: Record, segment: Segment) -> Record:
    """Return the record with notes on how its bytes were read, if that is not obvious."""
    if segment.encoding in _USUAL_ENCODINGS and segment.written is segment.text:
        return record
    own, notes = segment.get_record_text(record), []
    odd = next((at for at, char in enumerate(own) if not char.isascii()), None)
    if segment.encoding not in _USUAL_ENCODINGS and (odd is not None or not is_code_page(segment.encoding)):
        kind, message = _describe_encoding(segment.encoding)
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
