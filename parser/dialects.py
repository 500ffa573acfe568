"""List the forms of ZÈRTZ records, detect a text's form, and read and write records.

A new dialect is a row in `DIALECTS` and a module that reads it, imported on first use. The row has all facts that other rooms need,
the writer included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.parser.record import Record
from zertz_db.parser.text import provenance
from zertz_db.parser.text.colour_letters import require_language
from zertz_db.parser.text.provenance import with_board_of_source

if TYPE_CHECKING:
    from zertz_db.parser.text.name_parts import NameFields

_EXAMINED_LENGTH = 4000
"""Number of characters of a text, after its leading comments, that decide its dialect."""


class RecordBoundary(NamedTuple):
    """Match the end of a record, up to the start of the next one, in bytes.

    brackets: pairs within which a match does not count. has_passages: nor does it within comments, tags and the like, as
    `zertz_db.parser.text.normal_text` finds them. is_every: every record ends with a match.
    """

    expression: bytes
    brackets: tuple[tuple[bytes, bytes], ...] = ()
    has_passages: bool = False
    is_every: bool = False

    @property
    def pattern(self) -> re.Pattern[bytes]:
        """Return the compiled expression: few commands need it, so it is not compiled at the start."""
        return re.compile(self.expression)


class BrokenTurns(StrEnum):
    """Kinds of slips behind an invalid turn, by which `zertz_db.check.repair` searches for repairs."""

    NONE = ""
    SERVER_ACTIONS = "server actions"
    EXTRA_PARTS = "extra parts"
    UNKNOWN_RINGS = "unknown rings"


class Dialect(NamedTuple):
    """One way to write records.

    `described_by` describes for people how texts are recognised. `pattern` is the expression that recognises them. It is searched in the
    start of a text (`is_sought`), or matched at the start of the text (`is_at_start`), or matched after comments and tags. It must be fast:
    every file is tested. `endings` are the usual suffixes of file names; they decide if a text matches two dialects. `reader` is the module
    whose `read` returns the records of a text. `takes` names its further arguments: "name" (the file's), "language" (of colour letters).
    `is_experimental`: known from programs only; no whole file was seen.

    Facts for other rooms: log_line matches the dialect's lines in a program's log. boundary: where large files can be cut; None:
    nowhere. rule_set: the rule set of records that state none. states_claims: whether turns state their claims. clock: "up", "down"
    or "unknown", the direction of clocks unless a tag states it. name_fields: the module whose `NAME_FIELDS` locates names; without
    it names are searched everywhere. broken_turns: how an invalid turn is repaired. is_repaired_in_place: whether a repaired copy
    keeps the rest of the text. title, writer: the name of the written form in messages, and the module whose `write` returns the
    text; empty if the dialect is only read.
    """

    name: str
    description: str
    described_by: str
    pattern: re.Pattern[str]
    endings: tuple[str, ...]
    reader: str
    takes: tuple[str, ...] = ()
    is_sought: bool = False
    is_at_start: bool = False
    is_experimental: bool = False
    log_line: re.Pattern[str] | None = None
    boundary: RecordBoundary | None = None
    rule_set: str = "standard"
    states_claims: bool = False
    clock: str = "unknown"
    name_fields: str = ""
    broken_turns: BrokenTurns = BrokenTurns.NONE
    is_repaired_in_place: bool = False
    title: str = ""
    writer: str = ""

    def read(self, text: str, name: str = "", language: str | None = None) -> Iterator[Record]:
        """Return the records of a text, for a file name and a language of colour letters (None: detected)."""
        arguments = {"name": name, "language": language}
        found: Iterator[Record] = _module(self.reader).read(text, **{key: arguments[key] for key in self.takes})
        return (with_board_of_source(record, name) for record in found)

    def codes(self) -> dict[str, str]:
        """Return the codes that only this reader reports, with their meanings."""
        codes: dict[str, str] = _module(self.reader).CODES
        return {**codes, **provenance.CODES}

    def find_name_fields(self) -> NameFields | None:
        """Return where records have names; None if that is not known."""
        if not self.name_fields:
            return None
        fields: NameFields = _module(self.name_fields).NAME_FIELDS
        return fields


@cache
def _module(name: str) -> ModuleType:
    return import_module(name)


DIALECTS = (
    Dialect(
        "jsonl",
        "JSON lines, one object per record, as zertz writes them",
        'an object with one of the keys "moves", "tags" and "verdict" in its first lines, after other objects and remarks at most',
        compile_on_use(
            r'\ufeff?\s*+(?:[{\[#][^\n]*+\n\s*+){0,20}?\{(?=\s*+"[^"\n]{1,40}"\s*+:)[^\n]*?"(?:moves|tags|verdict)"\s*+:'
        ),
        (".jsonl", ".ndjson", ".json"),
        "zertz_db.parser.json_lines",
        takes=("language",),
        is_at_start=True,
        boundary=RecordBoundary(rb"\n", is_every=True),
        states_claims=True,
        name_fields="zertz_db.parser.json_lines",
        title="JSON lines",
        writer="zertz_db.parser.json_lines",
    ),
    Dialect(
        "boardspace",
        "the SGF of the Boardspace game server",
        "a game that begins with `(;` and has GM[22], SU[Zertz…] or an action of P0 or P1",
        compile_on_use(r"\(\s*;[\s\S]*?(?:GM\s*\[\s*22\s*\]|SU\s*\[\s*zertz|P[01]\s*\[)", re.IGNORECASE),
        (".sgf",),
        "zertz_db.parser.boardspace.reader",
        takes=("name",),
        is_sought=True,
        boundary=RecordBoundary(rb"\)[ \t\r\n]*(?=\(\s*;)", ((b"[", b"]"),), is_every=True),
        clock="up",
        name_fields="zertz_db.parser.boardspace.name_fields",
        broken_turns=BrokenTurns.SERVER_ACTIONS,
        title="the server's form",
        writer="zertz_db.parser.boardspace.writer",
    ),
    Dialect(
        "zen",
        "ZEN, the games of the site zertz.app, with ZIP positions",
        'a tag [ZIP "…"], or a first ply such as Wb3-c4 or Wa4xc4',
        compile_on_use(
            r'(?<!\S)\[ZIP\s+"'
            r"|(?:1\s*\.+\s*)?[WGB][a-q][0-9]{1,2}(?:\s?-\s?|[x×])[a-q][0-9]{1,2}(?![0-9WGB])"
            r"(?![^{}]*?[WGB][a-q][0-9]{1,2},[a-q][0-9])"  # an error in official notation
        ),
        (".txt", ".zen"),
        "zertz_db.parser.zen.reader",
        broken_turns=BrokenTurns.UNKNOWN_RINGS,
        title="ZEN",
        writer="zertz_db.parser.zen.writer",
    ),
    Dialect(
        "zertz3d",
        "notation files of the program Zertz3D",
        "a first line 37, 48 or 61, perhaps with Blitz",
        compile_on_use(r"(?:37|48|61)(?:[^\S\n]+blitz)?[^\S\n]*\r?\n", re.IGNORECASE),
        (".txt",),
        "zertz_db.parser.minor.zertz3d",
        states_claims=True,
    ),
    Dialect(
        "transcript",
        "transcripts of the program Zertz3D",
        "a first line such as Player 1: {'action': 'PUT', …}, comments apart",
        compile_on_use(r"(?>#[^\n]*+\n\s*+)*+Player [12](?: \([^)\n]*\))?: \{['\"]"),
        (".txt",),
        "zertz_db.parser.minor.transcript",
        log_line=compile_on_use(r"Player [12](?: \([^)\n]*\))?: \{['\"]action['\"]:"),
    ),
    Dialect(
        "terse",
        "terse lists of plies, also as a Python list",
        "a first ply in small letters such as wd4,d1, in a list, before a comma, or before captures such as f2-f4",
        compile_on_use(
            r"(?>#[^\n]*+\n\s*+)*+(?:[A-Za-z_]\w*\s*=\s*)?[\[(]\s*['\"](?:[A-Za-z][a-q][0-9]|[a-q][0-9]{1,2}-)"
            r"|(?:1\.\s*)?[wgbnsz][a-q][0-9]{1,2}(?>,[a-q][0-9]{1,2})?+"
            r"(?:\s*[,;]\s*[wgbnsz]?[a-q][0-9]|\s(?=[\s\S]*?\s[a-q][0-9]{1,2}-[a-q][0-9]))"
        ),
        (".txt", ".py"),
        "zertz_db.parser.minor.terse",
        takes=("language",),
    ),
    Dialect(
        "newsletter",
        "the notation of an Italian newsletter, with diagonal coordinates",
        "a first ply such as Nd2, a3 followed by a comma or semicolon, perhaps after a remark in parentheses",
        compile_on_use(
            r"(?:[0-9]{1,3}[.)]\s*)?[A-Z][a-q][0-9]{1,2},\s+[a-q][0-9]{1,2}\s*"
            r"(?:\((?!\s*(?:[0-9]|[A-Zx]\s?[a-q][0-9]))[^()]{0,500}+\)\s*)?[,;]"
        ),
        (".txt",),
        "zertz_db.parser.minor.newsletter",
        takes=("language",),
        rule_set="blitz",
    ),
    Dialect(
        "mail",
        "mails of a game server, combined by game",
        "`Summary of Zertz Board 1234` or `A new Zertz board (1234)`",
        compile_on_use(r"Zertz(?:\+11)? [Bb]oard \(?[0-9]"),
        (".txt", ".mbox", ".eml"),
        "zertz_db.parser.minor.mail",
        is_sought=True,
        is_experimental=True,
        states_claims=True,
    ),
    Dialect(
        "rec",
        "records of a program for one computer, with spaces between all parts",
        "a first line `# Zertz game record`",
        compile_on_use(r"(?>#[^\S\n]*+\r?\n)*+# Zertz game record"),
        (".rec", ".txt"),
        "zertz_db.parser.minor.rec",
        is_experimental=True,
        states_claims=True,
    ),
    Dialect(
        "openxum",
        "action strings of the program OpenXum",
        "a first action such as Pm1D4W",
        compile_on_use(r"['\"\[\s]*Pm[12][A-G][1-7][WGB]"),
        (".txt",),
        "zertz_db.parser.minor.openxum",
        is_experimental=True,
    ),
    Dialect(
        "direction",
        "placements D4:w/D1, captures as a ring and directions",
        "a first ply such as D4:w/D1",
        compile_on_use(r"['\"\[\s]*[A-G][1-7]:[wgb](?:/[A-G][1-7])?(?![0-9A-Za-z])"),
        (".txt",),
        "zertz_db.parser.minor.direction",
        is_experimental=True,
    ),
    Dialect(
        "gipf",
        "the official notation of gipf.com, with or without tags",
        'a tag such as [Event "…"], or a ply such as Wd4,d1 or x d1Gd3, at the start of a line',
        compile_on_use(
            r"""^\s*
            (?: \[ \s* \w+ \s+ "
              | (?: [0-9]{1,3} \s* [.)]* \s* )?
                (?: [WGBNSZ] \s? [a-q][0-9]{1,2} (?: (?![a-z0-9]) | (?=[x×] \s* [a-q][0-9]) )
                  | [x×] \s* [a-q][0-9]{1,2} \s* [WGBNSZ] \s* [a-q][0-9]
                )
            )""",
            re.MULTILINE | re.IGNORECASE | re.VERBOSE,
        ),
        (".txt", ".gipf"),
        "zertz_db.parser.gipf.reader",
        takes=("language",),
        is_sought=True,
        boundary=RecordBoundary(
            rb"(?m)(?<=[\s})])(?:1-0|0-1|1/2-1/2|0-0|\*)"
            rb"(?:[ \t\r]*\n\s*?(?=^[ \t]*+\[\s*\w+\s+\")|\s+(?=1\.\s))",
            ((b"(", b")"),),
            has_passages=True,
        ),
        states_claims=True,
        name_fields="zertz_db.parser.gipf.name_fields",
        broken_turns=BrokenTurns.EXTRA_PARTS,
        is_repaired_in_place=True,
        title="the official notation",
        writer="zertz_db.parser.gipf.writer",
    ),
)
"""Dialects that can be read. If a text matches several and its name decides nothing, the first one counts."""

_TAGS = compile_on_use(r'(?>\[\s*+(?!ZIP\s)\w++\s++"(?>[^"\\\n]++|\\.)*+"\s*+\]\s*+(?>\{[^}]*+\}\s*+)*+)*+')
_COMMENTS = compile_on_use(r"\ufeff?(?>\s++|\{[^}]*+\}|;[^\n]*+)*+")


def detect(text: str, name: str = "") -> str | None:
    """Return the name of a text's dialect, detected from the content, or None for other texts.

    `name` is the file's name: its suffix counts only if the content leaves a choice.
    """
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    return _find_by_content(text, ending) or _find_after_changes(text, ending) or _find_by_log(text)


def _find_after_changes(text: str, ending: str) -> str | None:
    from zertz_db.parser.text.normal_text import normal  # most texts are found without it

    return _find_by_content(normal(text[:_EXAMINED_LENGTH]).text, ending)


def _find_by_content(text: str, ending: str) -> str | None:
    comments = _COMMENTS.match(text)
    head = text[comments.end() if comments else 0 :][:_EXAMINED_LENGTH]
    tags = _TAGS.match(head)
    start_of_plies = tags.end() if tags else 0
    for dialect in _in_order(ending):
        if dialect.is_at_start:
            found = dialect.pattern.match(text)
        else:
            found = dialect.pattern.search(head) if dialect.is_sought else dialect.pattern.match(head, start_of_plies)
        if found:
            return dialect.name
    return None


def _find_by_log(text: str) -> str | None:
    """Return the dialect whose lines occur between other lines of a program's log, or None."""
    return next((dialect.name for dialect in DIALECTS if dialect.log_line and dialect.log_line.search(text)), None)


@cache
def _in_order(ending: str) -> tuple[Dialect, ...]:
    """Return the dialects, starting with those that have this suffix."""
    return tuple(sorted(DIALECTS, key=lambda dialect: ending not in dialect.endings))


def read(text: str, dialect: str | None = None, name: str = "", language: str | None = None) -> Iterator[Record]:
    """Return the records of a text, in order.

    `dialect` is a name in `DIALECTS`, or None to detect it; a text without a record gives none. `name` is the file's name. `language` (a
    key of `colour_letters.LANGUAGES`) is the language of the colour letters, or None to detect it. Raises ValueError for an unknown dialect
    or language.
    """
    if language is not None:
        require_language(language)
    name_of_dialect = dialect or detect(text, name)
    return _named(name_of_dialect).read(text, name, language) if name_of_dialect else iter(())


@cache
def _named(name: str) -> Dialect:
    for dialect in DIALECTS:
        if dialect.name == name:
            return dialect
    names = ", ".join(dialect.name for dialect in DIALECTS)
    raise ValueError(f"there is no dialect {name!r}: choose one of {names}, or None to detect it")


_UNKNOWN = Dialect("", "", "", compile_on_use("(?!)"), (), "")


@cache
def facts_of(name: str | None) -> Dialect:
    """Return the facts of a dialect by its name; the defaults for no name and for a name that is not in `DIALECTS`."""
    return next((dialect for dialect in DIALECTS if dialect.name == name), _UNKNOWN)


class Unwritable(NamedTuple):
    """A game that a form can't express, and why."""

    cause: str


class Written(NamedTuple):
    """A game's text in some form, and the kinds of content that it lacks: "clocks", "marks", … (`losses.find_losses`)."""

    text: str
    losses: tuple[str, ...] = ()


class Form(NamedTuple):
    """A form to write records: its title in messages, and the module whose `write` returns the text."""

    title: str
    writer: str


FORMS = {dialect.name: Form(dialect.title, dialect.writer) for dialect in reversed(DIALECTS) if dialect.writer}
"""Forms that can be written, by dialect."""


def write(record: Record, form: str) -> Written | Unwritable:
    """Return a completed record in a form (a key of `FORMS`) with its losses, or why it can't be written.

    The text is read again to prove that it is the same game.
    """
    from zertz_db.parser.losses import OtherGame, find_losses  # takes 4 ms, and most commands write nothing

    if not facts_of(form).writer:
        raise KeyError(form)
    text = _writer(form)(record)
    if isinstance(text, Unwritable):
        return text
    try:
        return Written(text, find_losses(record, list(read(text, form))))
    except OtherGame as cause:
        return Unwritable(str(cause))


def _writer(form: str) -> Callable[[Record], str | Unwritable]:
    def write_text(record: Record) -> str | Unwritable:
        try:
            text: str = _module(facts_of(form).writer).write(record)
        except ValueError as cause:
            return Unwritable(str(cause))
        return text

    return write_text


WRITERS: dict[str, Callable[[Record], str | Unwritable]] = {form: _writer(form) for form in FORMS}
"""Writers of completed records by dialect: the text, or why there is none."""
