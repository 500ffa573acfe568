"""From bytes to records with their verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from parser.dialects import detect, read
from parser.encoding import decode, decode_as, encode
from parser.record import Record, Span, SyntaxFault
from zertz_db.check.batch import check_all
from zertz_db.check.checked import Checked
from zertz_db.check.findings import DAMAGED, EMPTY, NO_TEXT, OUR_FAULT, UNKNOWN_NOTATION, Kind
from zertz_db.ingest.sources import Content, Damage, Place

_NOWHERE = Span(0, 0, 1, 1)
_MANY = 20_000
"""Plies that are checked at once: more would only cost memory."""


class Sighted(NamedTuple):
    """A record as it was found, checked: where, which one in its file (from 0), its own bytes, and the file's text.

    deflated: its bytes as an archive has them, if it has them so.
    """

    place: Place
    number: int
    data: bytes
    text: str
    encoding: str
    checked: Checked
    deflated: bytes = b""


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


def sight(
    contents: Iterable[Content | Damage], dialect: str | None = None, full: bool = True
) -> Iterator[Sighted | Passed]:
    """Read and check everything, in order; `full` as in `check_all`."""
    waiting: list[_Read | Passed] = []
    plies = 0
    for content in contents:
        for found in _records(content, dialect):
            waiting.append(found)
            plies += len(found.record.plies) if isinstance(found, _Read) else 0
            if plies >= _MANY:
                yield from _checked(waiting, full)
                waiting, plies = [], 0
    yield from _checked(waiting, full)


def _checked(waiting: list[_Read | Passed], full: bool) -> Iterator[Sighted | Passed]:
    verdicts = iter(_verdicts([found.record for found in waiting if isinstance(found, _Read)], full))
    for found in waiting:
        if isinstance(found, Passed):
            yield found
        else:
            yield Sighted(*found[:5], next(verdicts), found.deflated)


def _verdicts(records: list[Record], full: bool) -> list[Checked]:
    """The verdicts; a record on which the program itself fails is unreadable, and the others are not to suffer for it."""
    try:
        return check_all(records, full)
    except Exception as error:  # noqa: BLE001 - a mistake of ours must not cost a record of theirs
        if len(records) == 1:
            return check_all([Record(dialect=records[0].dialect, span=records[0].span, fault=_our_fault(error))], full)
        return [verdict for record in records for verdict in _verdicts([record], full)]


def _our_fault(error: Exception) -> SyntaxFault:
    return SyntaxFault(OUR_FAULT.code, _NOWHERE, f"zertz failed on it, please report: {type(error).__name__}: {error}")


def _records(content: Content | Damage, dialect: str | None) -> Iterator[_Read | Passed]:
    place = content.place
    if isinstance(content, Damage):
        yield _unreadable(place, content.data, "", DAMAGED, content.message)
        return
    data = content.data
    if not data.strip():
        yield _unreadable(place, data, "", EMPTY, "there is nothing in it")
        return
    text, encoding = (decode_as(data, content.encoding), content.encoding) if content.encoding else decode(data)
    dialect = dialect or detect(text, place.member or place.path)
    if dialect is None and "\0" in text:
        yield _no_record(place, data, NO_TEXT, "a binary file, not a text")
        return
    if dialect is None:
        yield _no_record(place, data, UNKNOWN_NOTATION, "no notation of ZÈRTZ games is recognised in it")
        return
    try:
        found = list(read(text, dialect, place.member or place.path))
    except Exception as error:  # noqa: BLE001 - as above
        yield _Read(place, 0, data, text, encoding, Record(dialect=dialect, span=_NOWHERE, fault=_our_fault(error)))
        return
    if not found:
        yield _no_record(place, data, UNKNOWN_NOTATION, f"read as {dialect}, it holds no game")
    if len(found) == 1:
        yield _Read(place, 0, data, text, encoding, found[0], content.deflated)
        return
    for number, record in enumerate(found):
        own = encode(text[record.span.start : record.span.end], encoding)
        yield _Read(place, number, own, text, encoding, record)


def _no_record(place: Place, data: bytes, kind: Kind, message: str) -> _Read | Passed:
    if place.named:
        return _unreadable(place, data, "", kind, message)
    return Passed(place, message)


def _unreadable(place: Place, data: bytes, text: str, kind: Kind, message: str) -> _Read:
    record = Record(dialect="", span=_NOWHERE, fault=SyntaxFault(kind.code, _NOWHERE, message))
    return _Read(place, 0, data, text, "", record)
