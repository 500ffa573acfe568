"""From bytes to records with their verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import NamedTuple

from parser import faults
from parser.dialects import detect, read
from parser.record import Record, Span, SyntaxFault
from parser.text.encoding import decode, decode_as, encode
from zertz_db.check.check_many import check_all
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import EMPTY, NO_TEXT, UNKNOWN_NOTATION, Kind
from zertz_db.check.replay.start import under
from zertz_db.check.verdict import failed
from zertz_db.ingest.records.segments import Segment, add_encoding_notes, split_at_records, split_segments
from zertz_db.ingest.sources.place import Content, Damage, Place
from zertz_db.rules.rule_sets import RuleSet

_EMPTY_SPAN = Span(0, 0, 1, 1)
_BATCH_WEIGHT = 20_000
"""Plies that are checked at once, or what weighs as much: more would only cost memory."""
_BYTES_PER_PLY = 5_000
"""Bytes of a record."""
_DETECTION_BYTES = 100_000
"""Bytes of a file that tell its dialect."""


class SourceRecord(NamedTuple):
    """A record as it was found, checked: where, which one in its file (from 0), its own bytes.

    text: what the offsets of spans count in, the file's or a stretch of it; lines and columns are the file's.
    deflated: its bytes as an archive has them, if it has them so. letters: whose colour letters it has, where somebody has said so.
    """

    place: Place
    number: int
    data: bytes
    text: str
    encoding: str
    checked: CheckedRecord
    deflated: bytes = b""
    letters: str | None = None


class Skipped(NamedTuple):
    """A file in a folder or an archive that is no record: passed over."""

    place: Place
    message: str


class _ParsedRecord(NamedTuple):
    place: Place
    number: int
    data: bytes
    text: str
    encoding: str
    record: Record
    deflated: bytes = b""
    line: int = 1
    """The line and column of the file at which the text begins."""
    column: int = 1


def read_and_check(
    contents: Iterable[Content | Damage],
    dialect: str | None = None,
    full: bool = True,
    *,
    language: str | None = None,
    rules: RuleSet | None = None,
) -> Iterator[SourceRecord | Skipped]:
    """Read and check everything, in order; `dialect` and `language` as in `dialects.read`, `full` as in `check_all`.

    `rules` hold as far as a record leaves them open.
    """
    waiting: list[_ParsedRecord | Skipped] = []
    weight = 0
    for content in contents:
        for found in _read_guarded(content, dialect, language):
            if rules and isinstance(found, _ParsedRecord):
                found = found._replace(record=under(found.record, rules))
            waiting.append(found)
            weight += _weight(found)
            if weight >= _BATCH_WEIGHT:
                yield from _check_batch(waiting, full, language)
                waiting, weight = [], 0
    yield from _check_batch(waiting, full, language)


def _weight(found: _ParsedRecord | Skipped) -> int:
    if isinstance(found, Skipped):
        return 1
    record = found.record
    return 1 + len(record.plies) + len(record.remarks) + len(found.data) // _BYTES_PER_PLY


def _check_batch(
    waiting: list[_ParsedRecord | Skipped], full: bool, language: str | None
) -> Iterator[SourceRecord | Skipped]:
    read_ones = [found for found in waiting if isinstance(found, _ParsedRecord)]
    verdicts = iter(faults.each(partial(_check_records, full=full), read_ones, _build_failure))
    for found in waiting:
        if isinstance(found, Skipped):
            yield found
        else:
            checked = next(verdicts)
            if found.line > 1 or found.column > 1:
                checked = shift_lines(checked, found.line - 1, found.column - 1)
            yield SourceRecord(*found[:5], checked, found.deflated, language)


def shift_lines(checked: CheckedRecord, down: int, right: int = 0) -> CheckedRecord:
    """A verdict with lines, and columns of the first line, as in the file of which the text that was read is a part."""

    def there(span: Span) -> Span:
        return span._replace(line=span.line + down, column=span.column + right if span.line == 1 else span.column)

    findings = tuple(
        finding._replace(span=there(finding.span)) if finding.span else finding for finding in checked.findings
    )
    return replace(checked, record=replace(checked.record, span=there(checked.record.span)), findings=findings)


def _check_records(found: Sequence[_ParsedRecord], full: bool) -> list[CheckedRecord]:
    return check_all([one.record for one in found], full)


def _build_failure(found: _ParsedRecord, error: Exception) -> CheckedRecord:
    faults.log(error, f"{found.place.name}:{found.line + found.record.span.line - 1}")
    return failed(found.record, error)


def reject_record(found: SourceRecord, error: Exception) -> SourceRecord:
    """Log an internal error, and return the record as one that it rejects."""
    faults.log(error, f"{found.place.name}:{found.checked.record.span.line}")
    return found._replace(checked=failed(found.checked.record, error))


def _read_guarded(
    content: Content | Damage, dialect: str | None, language: str | None
) -> Iterator[_ParsedRecord | Skipped]:
    """The records of a place; where an internal error stops the reading, the place as a whole is one more, that is rejected."""
    count = 0
    faults.PLACE.set(content.place.name)
    try:
        for count, found in enumerate(_read_place(content, dialect, language), 1):  # noqa: B007 - it is counted for the error
            yield found
    except faults.ENVIRONMENT:
        raise
    except Exception as error:  # noqa: BLE001 - one place must not stop the others
        faults.log(error, content.place.name)
        record = Record(dialect="", span=_EMPTY_SPAN, fault=faults.fault(error))
        yield _ParsedRecord(content.place, count, bytes(content.data), "", "", record)


def _read_place(
    content: Content | Damage, dialect: str | None, language: str | None
) -> Iterator[_ParsedRecord | Skipped]:
    place = content.place
    if isinstance(content, Damage):
        yield _build_unreadable(place, content.data, content.kind, content.message)
        return
    data = content.data
    if not data[:_DETECTION_BYTES].strip() and not data[_DETECTION_BYTES:].strip():
        yield _build_unreadable(place, bytes(data), EMPTY, "there is nothing in it")
        return
    start = data if isinstance(data, bytes) and len(data) <= _DETECTION_BYTES else data[:_DETECTION_BYTES]
    decoded = decode(start) if content.encoding is None else (decode_as(start, content.encoding), content.encoding)
    dialect = dialect or detect(decoded[0], _name(place))
    if dialect is None and "\0" in decoded[0]:
        yield _skip_or_reject(place, bytes(data), NO_TEXT, "a binary file, not a text")
    elif dialect is None:
        yield _skip_or_reject(place, bytes(data), UNKNOWN_NOTATION, "no notation of ZÈRTZ games is recognised in it")
    else:
        parts = split_segments(data, dialect, _name(place), content.encoding, decoded if start is data else None)
        yield from _read_in_dialect(content, dialect, _read_segments(parts, dialect, _name(place), language))


def _name(place: Place) -> str:
    return place.member or place.path


def _read_in_dialect(
    content: Content, dialect: str, found: Iterator[tuple[Segment, Record]]
) -> Iterator[_ParsedRecord | Skipped]:
    """The records of a text, each with its own bytes; those of one that is alone are all of them."""
    place = content.place
    first, second = next(found, None), next(found, None)
    if first is None:
        yield _skip_or_reject(place, bytes(content.data), UNKNOWN_NOTATION, f"read as {dialect}, it holds no game")
    elif second is None:
        stretch, record = first
        yield _ParsedRecord(place, 0, bytes(content.data), stretch.text, stretch.encoding, record, content.deflated)
    else:
        for number, (stretch, record) in enumerate(chain((first, second), found)):
            one = partial(_extract_record, place, number, stretch, record)
            yield faults.guarded(one, partial(_build_unextracted, place, number, stretch, record))


def _extract_record(place: Place, number: int, stretch: Segment, record: Record) -> _ParsedRecord:
    """One of several records of a file, with its own bytes."""
    data = encode(stretch.get_record_text(record), stretch.encoding)
    return _ParsedRecord(place, number, data, stretch.text, stretch.encoding, record, b"", stretch.line, stretch.column)


def _build_unextracted(place: Place, number: int, stretch: Segment, record: Record, error: Exception) -> _ParsedRecord:
    start, end, *_ = record.span
    data = stretch.written[start:end].encode("utf-8", "surrogatepass")
    unread = faults.unread(error, record.dialect, record.span)
    return _ParsedRecord(place, number, data, stretch.text, "", unread, b"", stretch.line, stretch.column)


def _read_segments(
    parts: Iterable[Segment], dialect: str, name: str, language: str | None
) -> Iterator[tuple[Segment, Record]]:
    """The records of stretches. Where an internal error stops the reading of one, what is left of it is read in smaller parts."""
    for stretch in parts:
        behind = 0
        try:
            for record in read(stretch.text, dialect, name, language):
                noted = add_encoding_notes(record, stretch)
                yield stretch, noted
                behind = max(behind, record.span.end)
        except faults.ENVIRONMENT:
            raise
        except Exception as error:  # noqa: BLE001 - one record must not cost the others of its file
            smaller = split_at_records(stretch, behind, dialect)
            if len(smaller) == 1 and not behind:
                yield stretch, faults.unread(error, dialect, stretch.get_trimmed_span())
            elif smaller:
                yield from _read_segments(smaller, dialect, name, language)
            else:  # every record of it is read
                faults.log(error, name)


def _skip_or_reject(place: Place, data: bytes, kind: Kind, message: str) -> _ParsedRecord | Skipped:
    if place.named:
        return _build_unreadable(place, data, kind, message)
    return Skipped(place, message)


def _build_unreadable(place: Place, data: bytes, kind: Kind, message: str) -> _ParsedRecord:
    record = Record(dialect="", span=_EMPTY_SPAN, fault=SyntaxFault(kind.code, _EMPTY_SPAN, message))
    return _ParsedRecord(place, 0, data, "", "", record)
