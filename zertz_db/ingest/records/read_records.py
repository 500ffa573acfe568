"""Read records from bytes, and check them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import NamedTuple, TypeAlias, cast

from zertz_db.check.check_many import check_all
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import EMPTY, NO_TEXT, UNKNOWN_NOTATION, Kind
from zertz_db.check.replay.start import under
from zertz_db.check.verdict import failed
from zertz_db.ingest.records.official_parts import OFFICIAL, split_clean_parts
from zertz_db.ingest.records.segments import Segment, add_encoding_notes, split_at_records, split_segments
from zertz_db.ingest.sources.place import Content, Damage, Place
from zertz_db.parser import faults
from zertz_db.parser.dialects import detect, read
from zertz_db.parser.record import Record, Span, SyntaxFault
from zertz_db.parser.text.encoding import decode, decode_as, encode
from zertz_db.rules.rule_sets import RuleSet

_EMPTY_SPAN = Span(0, 0, 1, 1)
_BATCH_WEIGHT = 20_000
"""Plies, or an equivalent weight, that are checked at once: more would only cost memory."""
_BYTES_PER_PLY = 5_000
"""Bytes of a record that weigh as much as a ply."""
_DETECTION_BYTES = 100_000
"""Bytes of a file from which its dialect is detected."""


class SourceRecord(NamedTuple):
    """A checked record with its place, its number in the file (from 0) and its own bytes.

    text: the text in which spans count offsets, the file's or a segment of it; lines and columns are the file's. letters: the
    stated language of its colour letters, or None.
    """

    place: Place
    number: int
    data: bytes
    text: str
    encoding: str
    checked: CheckedRecord
    letters: str | None = None


class Skipped(NamedTuple):
    """A file in a folder or an archive that has no records."""

    place: Place
    message: str


class Verified(NamedTuple):
    """A record that is verified without a finding; nothing else of it is known."""

    place: Place


class _ParsedRecord(NamedTuple):
    place: Place
    number: int
    data: bytes
    text: str
    encoding: str
    record: Record
    line: int = 1
    """Line and column of the file at which the text begins."""
    column: int = 1


_Read: TypeAlias = _ParsedRecord | Skipped | Verified
_Found: TypeAlias = tuple[Segment, Record | None]
"""A record with its segment; None for a clean one."""


def read_and_check(
    contents: Iterable[Content | Damage],
    dialect: str | None = None,
    full: bool = True,
    *,
    language: str | None = None,
    rules: RuleSet | None = None,
) -> Iterator[SourceRecord | Skipped]:
    """Read and check everything, in order; `dialect` and `language` as in `dialects.read`, `full` as in `check_all`.

    rules: those that a record leaves open.
    """
    read_one = partial(_read_guarded, dialect=dialect, language=language)
    checked = _check_each(map(read_one, contents), full, language, rules)
    return cast(Iterator[SourceRecord | Skipped], checked)  # only `read_briefly` asks for others


def read_briefly(
    contents: Iterable[Content | Damage], dialect: str | None = None
) -> Iterator[SourceRecord | Skipped | Verified]:
    """Read and check everything as `read_and_check`, but read clean records in official notation as numbers (`official_parts`)."""
    read_one = partial(_read_guarded, dialect=dialect, language=None, is_brief=True)
    return _check_each(map(read_one, contents), full=False, language=None, rules=None)


def _check_each(
    contents: Iterable[Iterator[_Read]],
    full: bool,
    language: str | None,
    rules: RuleSet | None,
) -> Iterator[SourceRecord | Skipped | Verified]:
    pending: list[_Read] = []
    weight = 0
    for items in contents:
        for item in items:
            if rules and isinstance(item, _ParsedRecord):
                item = item._replace(record=under(item.record, rules))
            pending.append(item)
            weight += _weight(item)
            if weight >= _BATCH_WEIGHT:
                yield from _check_batch(pending, full, language)
                pending, weight = [], 0
    yield from _check_batch(pending, full, language)


def _weight(item: _Read) -> int:
    if not isinstance(item, _ParsedRecord):
        return 1
    record = item.record
    return 1 + len(record.plies) + len(record.remarks) + len(item.data) // _BYTES_PER_PLY


def _check_batch(pending: list[_Read], full: bool, language: str | None) -> Iterator[SourceRecord | Skipped | Verified]:
    parsed = [item for item in pending if isinstance(item, _ParsedRecord)]
    verdicts = iter(faults.each(partial(_check_records, full=full), parsed, _build_failure))
    for item in pending:
        if not isinstance(item, _ParsedRecord):
            yield item
        else:
            checked = next(verdicts)
            if item.line > 1 or item.column > 1:
                checked = shift_lines(checked, item.line - 1, item.column - 1)
            yield SourceRecord(*item[:5], checked, language)


def shift_lines(checked: CheckedRecord, down: int, right: int = 0) -> CheckedRecord:
    """Return a verdict with lines, and columns of the first line, of the file instead of the part that was read."""

    def there(span: Span) -> Span:
        return span._replace(line=span.line + down, column=span.column + right if span.line == 1 else span.column)

    findings = tuple(
        finding._replace(span=there(finding.span)) if finding.span else finding for finding in checked.findings
    )
    return replace(checked, record=replace(checked.record, span=there(checked.record.span)), findings=findings)


def _check_records(records: Sequence[_ParsedRecord], full: bool) -> list[CheckedRecord]:
    return check_all([one.record for one in records], full)


def _build_failure(item: _ParsedRecord, error: Exception) -> CheckedRecord:
    faults.log(error, f"{item.place.name}:{item.line + item.record.span.line - 1}")
    return failed(item.record, error)


def reject_record(item: SourceRecord, error: Exception) -> SourceRecord:
    """Log an internal error, and return the record as rejected for it."""
    faults.log(error, f"{item.place.name}:{item.checked.record.span.line}")
    return item._replace(checked=failed(item.checked.record, error))


def _read_guarded(
    content: Content | Damage, dialect: str | None, language: str | None, *, is_brief: bool = False
) -> Iterator[_Read]:
    """Yield the records of a place. If an internal error stops the reading, the whole place follows as a rejected record."""
    count = 0
    faults.PLACE.set(content.place.name)
    try:
        for count, item in enumerate(_read_place(content, dialect, language, is_brief), 1):  # noqa: B007 - it is counted for the error
            yield item
    except faults.ENVIRONMENT:
        raise
    except Exception as error:  # noqa: BLE001 - one place must not stop the others
        faults.log(error, content.place.name)
        record = Record(dialect="", span=_EMPTY_SPAN, fault=faults.fault(error))
        yield _ParsedRecord(content.place, count, bytes(content.data), "", "", record)


def _read_place(
    content: Content | Damage, dialect: str | None, language: str | None, is_brief: bool
) -> Iterator[_Read]:
    place = content.place
    if isinstance(content, Damage):
        yield _build_unreadable(place, content.data, content.kind, content.message)
        return
    data = content.data
    if not data[:_DETECTION_BYTES].strip() and not data[_DETECTION_BYTES:].strip():
        yield _build_unreadable(place, bytes(data), EMPTY, "the file is empty")
        return
    start = data if isinstance(data, bytes) and len(data) <= _DETECTION_BYTES else data[:_DETECTION_BYTES]
    decoded = decode(start) if content.encoding is None else (decode_as(start, content.encoding), content.encoding)
    dialect = dialect or detect(decoded[0], _name(place))
    if dialect is None and "\0" in decoded[0]:
        yield _skip_or_reject(place, bytes(data), NO_TEXT, "a binary file, not a text")
    elif dialect is None:
        message, suggestion = _describe_unknown(decoded[0])
        yield _skip_or_reject(place, bytes(data), UNKNOWN_NOTATION, message, suggestion)
    else:
        parts = split_segments(data, dialect, _name(place), content.encoding, decoded if start is data else None)
        if is_brief and dialect == OFFICIAL and not place.remark:
            yield from _read_in_dialect(content, dialect, _read_officially(parts, len(data), _name(place)))
        else:
            yield from _read_in_dialect(content, dialect, _read_segments(parts, dialect, _name(place), language))


def _name(place: Place) -> str:
    return place.member or place.path


def _read_in_dialect(content: Content, dialect: str, pairs: Iterator[_Found]) -> Iterator[_Read]:
    """Yield the records of a text, each with its own bytes; a single record has all bytes."""
    place = content.place
    first, second = next(pairs, None), next(pairs, None)
    if first is None:
        yield _skip_or_reject(place, bytes(content.data), UNKNOWN_NOTATION, f"read as {dialect}, it has no games")
    elif second is None:
        segment, record = first
        if record is None:
            yield Verified(place)
        else:
            yield _ParsedRecord(place, 0, bytes(content.data), segment.text, segment.encoding, record)
    else:
        for number, (segment, record) in enumerate(chain((first, second), pairs)):
            if record is None:
                yield Verified(place)
                continue
            one = partial(_extract_record, place, number, segment, record)
            yield faults.guarded(one, partial(_build_unextracted, place, number, segment, record))


def _extract_record(place: Place, number: int, segment: Segment, record: Record) -> _ParsedRecord:
    """Return one of several records of a file, with its own bytes."""
    data = encode(segment.get_record_text(record), segment.encoding)
    return _ParsedRecord(place, number, data, segment.text, segment.encoding, record, segment.line, segment.column)


def _build_unextracted(place: Place, number: int, segment: Segment, record: Record, error: Exception) -> _ParsedRecord:
    start, end, *_ = record.span
    data = segment.written[start:end].encode("utf-8", "surrogatepass")
    unread = faults.unread(error, record.dialect, record.span)
    return _ParsedRecord(place, number, data, segment.text, "", unread, segment.line, segment.column)


def _read_segments(
    parts: Iterable[Segment], dialect: str, name: str, language: str | None
) -> Iterator[tuple[Segment, Record]]:
    """Yield the records of segments. If an internal error stops the reading of one, read the rest of it in smaller parts."""
    for segment in parts:
        end = 0
        try:
            for record in read(segment.text, dialect, name, language):
                noted = add_encoding_notes(record, segment)
                yield segment, noted
                end = max(end, record.span.end)
        except faults.ENVIRONMENT:
            raise
        except Exception as error:  # noqa: BLE001 - one record must not cost the others of its file
            smaller = split_at_records(segment, end, dialect)
            if len(smaller) == 1 and not end:
                yield segment, faults.unread(error, dialect, segment.get_trimmed_span())
            elif smaller:
                yield from _read_segments(smaller, dialect, name, language)
            else:  # every record of it is read
                faults.log(error, name)


def _read_officially(parts: Iterable[Segment], size: int, name: str) -> Iterator[_Found]:
    """Yield the records of segments in official notation: None for each clean one, which the grammar does not read."""
    for segment in parts:
        for part in split_clean_parts(segment, size, name):
            if part.clean:
                yield from repeat((segment, None), part.clean)
            else:
                yield from part.add_error(_read_segments([part.segment], OFFICIAL, name, None))


def _describe_unknown(text: str) -> tuple[str, str | None]:
    """Return what is wrong with a text in no known notation, and what to do."""
    message = "no notation of ZÈRTZ games is recognised in it"
    json = _JSON.match(text)
    if json is None:
        return message, None
    command = "jq -c ." if json[1] else "jq -c '.[]'"
    return f"{message}: it is JSON, but not with one object on each line", f"write it as JSON lines, by `{command}`"


_JSON = re.compile(r'\ufeff?\s*+(?:(\{)|\[\s*+\{)(?=\s*+")[\s\S]*?"(?:moves|tags|verdict)"\s*+:')
"""JSON of games in another layout than JSON lines, as `jq` and editors write it."""


def _skip_or_reject(
    place: Place, data: bytes, kind: Kind, message: str, suggestion: str | None = None
) -> _ParsedRecord | Skipped:
    if place.named:
        return _build_unreadable(place, data, kind, message, suggestion)
    return Skipped(place, message)


def _build_unreadable(
    place: Place, data: bytes, kind: Kind, message: str, suggestion: str | None = None
) -> _ParsedRecord:
    fault = SyntaxFault(kind.code, _EMPTY_SPAN, message, suggestion=suggestion)
    record = Record(dialect="", span=_EMPTY_SPAN, fault=fault)
    return _ParsedRecord(place, 0, data, "", "", record)
