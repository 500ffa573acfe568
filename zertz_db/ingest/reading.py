"""From bytes to records with their verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import NamedTuple

from parser import faults
from parser.dialects import detect, read
from parser.encoding import decode, decode_as, encode
from parser.record import Record, Span, SyntaxFault
from zertz_db.check.batch import check_all
from zertz_db.check.checked import Checked
from zertz_db.check.findings import EMPTY, NO_TEXT, UNKNOWN_NOTATION, Kind
from zertz_db.check.start import under
from zertz_db.check.verdict import failed
from zertz_db.ingest.sources import Content, Damage, Place
from zertz_db.ingest.stretches import Stretch, parts_of, stretches, with_notes
from zertz_db.rules.ruleset import RuleSet

_NOWHERE = Span(0, 0, 1, 1)
_MANY = 20_000
"""Plies that are checked at once, or what weighs as much: more would only cost memory."""
_WEIGHS_AS_A_PLY = 5_000
"""Bytes of a record."""
_LOOKED_AT = 100_000
"""Bytes of a file that tell its dialect."""


class Sighted(NamedTuple):
    """A record as it was found, checked: where, which one in its file (from 0), its own bytes.

    text: what the offsets of spans count in, the file's or a stretch of it; lines and columns are the file's.
    deflated: its bytes as an archive has them, if it has them so. letters: whose colour letters it has, where somebody has said so.
    """

    place: Place
    number: int
    data: bytes
    text: str
    encoding: str
    checked: Checked
    deflated: bytes = b""
    letters: str | None = None


class Passed(NamedTuple):
    """A file in a folder or an archive that is no record: passed over."""

    place: Place
    message: str


class _Read(NamedTuple):
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


def sight(
    contents: Iterable[Content | Damage],
    dialect: str | None = None,
    full: bool = True,
    *,
    language: str | None = None,
    rules: RuleSet | None = None,
) -> Iterator[Sighted | Passed]:
    """Read and check everything, in order; `dialect` and `language` as in `dialects.read`, `full` as in `check_all`.

    `rules` hold as far as a record leaves them open.
    """
    waiting: list[_Read | Passed] = []
    weight = 0
    for content in contents:
        for found in _sure_records(content, dialect, language):
            if rules and isinstance(found, _Read):
                found = found._replace(record=under(found.record, rules))
            waiting.append(found)
            weight += _weight(found)
            if weight >= _MANY:
                yield from _checked(waiting, full, language)
                waiting, weight = [], 0
    yield from _checked(waiting, full, language)


def _weight(found: _Read | Passed) -> int:
    if isinstance(found, Passed):
        return 1
    record = found.record
    return 1 + len(record.plies) + len(record.remarks) + len(found.data) // _WEIGHS_AS_A_PLY


def _checked(waiting: list[_Read | Passed], full: bool, language: str | None) -> Iterator[Sighted | Passed]:
    read_ones = [found for found in waiting if isinstance(found, _Read)]
    verdicts = iter(faults.each(partial(_verdicts, full=full), read_ones, _failed))
    for found in waiting:
        if isinstance(found, Passed):
            yield found
        else:
            checked = next(verdicts)
            if found.line > 1 or found.column > 1:
                checked = moved(checked, found.line - 1, found.column - 1)
            yield Sighted(*found[:5], checked, found.deflated, language)


def moved(checked: Checked, down: int, right: int = 0) -> Checked:
    """A verdict with lines, and columns of the first line, as in the file of which the text that was read is a part."""

    def there(span: Span) -> Span:
        return span._replace(line=span.line + down, column=span.column + right if span.line == 1 else span.column)

    findings = tuple(
        finding._replace(span=there(finding.span)) if finding.span else finding for finding in checked.findings
    )
    return replace(checked, record=replace(checked.record, span=there(checked.record.span)), findings=findings)


def _verdicts(found: Sequence[_Read], full: bool) -> list[Checked]:
    return check_all([one.record for one in found], full)


def _failed(found: _Read, error: Exception) -> Checked:
    faults.log(error, f"{found.place.name}:{found.line + found.record.span.line - 1}")
    return failed(found.record, error)


def rejected(found: Sighted, error: Exception) -> Sighted:
    """Log an internal error, and return the record as one that it rejects."""
    faults.log(error, f"{found.place.name}:{found.checked.record.span.line}")
    return found._replace(checked=failed(found.checked.record, error))


def _sure_records(content: Content | Damage, dialect: str | None, language: str | None) -> Iterator[_Read | Passed]:
    """The records of a place; where an internal error stops the reading, the place as a whole is one more, that is rejected."""
    count = 0
    faults.PLACE.set(content.place.name)
    try:
        for count, found in enumerate(_records(content, dialect, language), 1):  # noqa: B007 - it is counted for the error
            yield found
    except faults.ENVIRONMENT:
        raise
    except Exception as error:  # noqa: BLE001 - one place must not stop the others
        faults.log(error, content.place.name)
        record = Record(dialect="", span=_NOWHERE, fault=faults.fault(error))
        yield _Read(content.place, count, bytes(content.data), "", "", record)


def _records(content: Content | Damage, dialect: str | None, language: str | None) -> Iterator[_Read | Passed]:
    place = content.place
    if isinstance(content, Damage):
        yield _unreadable(place, content.data, content.kind, content.message)
        return
    data = content.data
    if not data[:_LOOKED_AT].strip() and not data[_LOOKED_AT:].strip():
        yield _unreadable(place, bytes(data), EMPTY, "there is nothing in it")
        return
    start = data if isinstance(data, bytes) and len(data) <= _LOOKED_AT else data[:_LOOKED_AT]
    decoded = decode(start) if content.encoding is None else (decode_as(start, content.encoding), content.encoding)
    dialect = dialect or detect(decoded[0], _name(place))
    if dialect is None and "\0" in decoded[0]:
        yield _no_record(place, bytes(data), NO_TEXT, "a binary file, not a text")
    elif dialect is None:
        yield _no_record(place, bytes(data), UNKNOWN_NOTATION, "no notation of ZÈRTZ games is recognised in it")
    else:
        parts = stretches(data, dialect, _name(place), content.encoding, decoded if start is data else None)
        yield from _in_dialect(content, dialect, _read(parts, dialect, _name(place), language))


def _name(place: Place) -> str:
    return place.member or place.path


def _in_dialect(content: Content, dialect: str, found: Iterator[tuple[Stretch, Record]]) -> Iterator[_Read | Passed]:
    """The records of a text, each with its own bytes; those of one that is alone are all of them."""
    place = content.place
    first, second = next(found, None), next(found, None)
    if first is None:
        yield _no_record(place, bytes(content.data), UNKNOWN_NOTATION, f"read as {dialect}, it holds no game")
    elif second is None:
        stretch, record = first
        yield _Read(place, 0, bytes(content.data), stretch.text, stretch.encoding, record, content.deflated)
    else:
        for number, (stretch, record) in enumerate(chain((first, second), found)):
            one = partial(_cut_out, place, number, stretch, record)
            yield faults.guarded(one, partial(_not_cut_out, place, number, stretch, record))


def _cut_out(place: Place, number: int, stretch: Stretch, record: Record) -> _Read:
    """One of several records of a file, with its own bytes."""
    data = encode(stretch.own(record), stretch.encoding)
    return _Read(place, number, data, stretch.text, stretch.encoding, record, b"", stretch.line, stretch.column)


def _not_cut_out(place: Place, number: int, stretch: Stretch, record: Record, error: Exception) -> _Read:
    start, end, *_ = record.span
    data = stretch.written[start:end].encode("utf-8", "surrogatepass")
    unread = faults.unread(error, record.dialect, record.span)
    return _Read(place, number, data, stretch.text, "", unread, b"", stretch.line, stretch.column)


def _read(parts: Iterable[Stretch], dialect: str, name: str, language: str | None) -> Iterator[tuple[Stretch, Record]]:
    """The records of stretches. Where an internal error stops the reading of one, what is left of it is read in smaller parts."""
    for stretch in parts:
        behind = 0
        try:
            for record in read(stretch.text, dialect, name, language):
                noted = with_notes(record, stretch)
                yield stretch, noted
                behind = max(behind, record.span.end)
        except faults.ENVIRONMENT:
            raise
        except Exception as error:  # noqa: BLE001 - one record must not cost the others of its file
            smaller = parts_of(stretch, behind, dialect)
            if len(smaller) == 1 and not behind:
                yield stretch, faults.unread(error, dialect, stretch.within_blanks())
            elif smaller:
                yield from _read(smaller, dialect, name, language)
            else:  # every record of it is read
                faults.log(error, name)


def _no_record(place: Place, data: bytes, kind: Kind, message: str) -> _Read | Passed:
    if place.named:
        return _unreadable(place, data, kind, message)
    return Passed(place, message)


def _unreadable(place: Place, data: bytes, kind: Kind, message: str) -> _Read:
    record = Record(dialect="", span=_NOWHERE, fault=SyntaxFault(kind.code, _NOWHERE, message))
    return _Read(place, 0, data, "", "", record)
