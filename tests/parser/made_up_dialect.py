"""A dialect for tests: a first line `MADE UP ada - bo`, then plies of official notation, then `END`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from zertz_db.parser.dialects import Dialect, RecordBoundary
from zertz_db.parser.gipf import reader as gipf
from zertz_db.parser.gipf.writer import ply_text
from zertz_db.parser.record import Record, Span
from zertz_db.parser.text.name_parts import NAME, NameFields, NamePart

CODES: dict[str, str] = {}
_GAME = re.compile(r"MADE UP (?P<first>\w+) - (?P<second>\w+)\n(?P<plies>[^E]*)END")


def read(text: str) -> Iterator[Record]:
    """Yield the record of each game."""
    for found in _GAME.finditer(text):
        (record,) = gipf.read(found["plies"])
        span = Span(*found.span(), 1 + text.count("\n", 0, found.start()), 1)
        yield replace(record, dialect="made-up", span=span, player1=found["first"], player2=found["second"])


def write(record: Record) -> str:
    """Return a record's text."""
    plies = " ".join(map(ply_text, record.plies))
    return f"MADE UP {record.player1} - {record.player2}\n{plies} {record.result}\nEND\n"


def _find_parts(text: str) -> Iterator[NamePart]:
    for found in _GAME.finditer(text):
        yield from (NamePart(*found.span(group), NAME) for group in ("first", "second"))


def _find_players(text: str) -> Iterator[str]:
    return (text[part.start : part.end] for part in _find_parts(text))


NAME_FIELDS = NameFields(_find_parts, _find_players)

ROW = Dialect(
    "made-up",
    "a dialect for tests",
    "a first line `MADE UP`",
    re.compile("MADE UP "),
    (".made",),
    __name__,
    boundary=RecordBoundary(rb"(?m)^END\n(?=M)", is_every=True),
    rule_set="blitz",
    name_fields=__name__,
    title="the made-up form",
    writer=__name__,
)
