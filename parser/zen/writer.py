"""Write completed records as ZEN. Source: formats, section 5."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zertz_db.parser.gipf.grammar import is_variation
from zertz_db.parser.gipf.tags import FIELDS, fact_of, first_mover, time_of
from zertz_db.parser.gipf.writer import lines
from zertz_db.parser.record import CAPTURE, PASS, Ply, Record
from zertz_db.parser.text.ring_names import with_names, with_names_in_drawings
from zertz_db.parser.vocabulary.terms import WINNERS, GameResult
from zertz_db.parser.zen import zip_position

_TAGS = ("Event", "Site", "Date", "Round", "Player1", "Player2", "Result", "Termination")
_BRACES = str.maketrans("{}", "()")


class NoZenForm(ValueError):
    """ZEN has no form for the game; the message names the obstacle."""


def write(record: Record) -> str:
    """Return a completed record as ZEN: tags with the start position, an empty line, movetext, a line feed.

    Clocks and an unfinished turn have no form and are left out, and so are variations in another notation. Braces in comments become
    parentheses, and quotation marks in tags apostrophes. Raises NoZenForm, also for a start that would be read as another.
    """
    _require(record.has_plain_rules, "ZEN has the standard rules only")
    _require(record.claims != "written", "ZEN claims every full group, so written claims have no form")
    _require(
        record.result in (None, GameResult.UNKNOWN, *WINNERS), f"ZEN has no result {record.result}: a player must win"
    )
    _require(all(ply.kind != PASS for ply in record.plies), "ZEN has no pass")
    start, names = zip_position.write(record.board or "", record.position)
    _require(_is_read_as(record, start, names), "ZEN names the rings by the start alone, which would rename these")
    tags = [f'[{name} "{_plain(value)}"]' for name, value in (*_tags(record), ("ZIP", start))]
    return "\n".join([*tags, "", *lines(_tokens(record, names)), ""])


def _require(fine: bool, message: str) -> None:
    if not fine:
        raise NoZenForm(message)


def _is_read_as(record: Record, start: str, names: dict[str, str]) -> bool:
    """Return whether a reader gets this board from a ZIP position, each ring under its name here."""
    read = zip_position.read(start)
    same_names = all(read.names.get(label) == ring for ring, label in names.items())
    return read.board == record.board and same_names


def _tags(record: Record) -> Iterator[tuple[str, str]]:
    for name in _TAGS:
        value = getattr(record, FIELDS[name])
        if value:
            yield name, value
    if record.time and time_of(record.tags) != record.time:
        yield "Time", record.time
    for name, value in dict(reversed(record.tags)).items():
        if fact_of(name) is None and name.upper() != "ZIP":
            yield name, value


def _plain(value: str) -> str:
    return re.sub(r"\s+", " ", value.replace('"', "'"))


def _tokens(record: Record, names: dict[str, str]) -> Iterator[str]:
    interrupted = True
    if record.comment:
        yield _comment(record.comment, names)
    first = first_mover(record.position)
    for place, ply in enumerate(record.plies):
        turn, second = divmod(place + first - 1, 2)
        if not second or interrupted:
            yield f"{turn + 1}{'...' if second else '.'}"
        glued, *marks = ply.marks if ply.marks and ply.marks[0][0] in "!?" else ("", *ply.marks)
        yield _ply(ply, names) + glued
        notes = [*marks, *_notes(ply, names, keep_variations=record.dialect == "zen")]
        yield from notes
        interrupted = any(note[0] in "{(" for note in notes)
    yield record.result or GameResult.UNKNOWN


def _notes(ply: Ply, names: dict[str, str], *, keep_variations: bool) -> Iterator[str]:
    if ply.comment:
        yield _comment(ply.comment, names)
    for variation in ply.variations if keep_variations else ():
        if is_variation(variation):
            yield f"({with_names(variation, names)})"


def _comment(text: str, names: dict[str, str]) -> str:
    return f"{{{with_names_in_drawings(text, names).translate(_BRACES)}}}"


def _ply(ply: Ply, names: dict[str, str]) -> str:
    if ply.kind == CAPTURE:
        landings = "".join(f"x{names[jump.ring]}" for jump in ply.jumps)
        return f"{ply.colour}{names[ply.ring]}{landings}{_taken([jump.colour for jump in ply.jumps])}"
    removed = f"-{names[ply.removed]}" if ply.removed else ""
    return f"{ply.colour}{names[ply.ring]}{removed}{_taken([marble.colour for marble in ply.claim])}"


def _taken(colours: list[str | None]) -> str:
    return f"+{''.join(colour or '' for colour in colours).lower()}" if colours else ""
