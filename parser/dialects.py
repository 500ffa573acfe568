"""The forms in which ZÈRTZ records are written, and how to tell them apart.

A new dialect is a row in `DIALECTS` and a module that reads it, imported when it is first needed. The row has all that other rooms
know of a dialect, its writer included.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from parser.record import Record
from parser.text import provenance
from parser.text.colour_letters import require_language
from parser.text.normal_text import normal
from parser.text.provenance import with_board_of_source

if TYPE_CHECKING:
    from parser.text.name_parts import NameFields

_EXAMINED_LENGTH = 4000
"""So many characters of a text (its leading comments apart) decide what it is."""


class RecordBoundary(NamedTuple):
    """Match the end of a record, up to the start of the next one, in bytes.

    brackets: pairs within which a match does not count. has_passages: nor does it within comments, tags and the like, as
    `parser.text.normal_text` finds them. is_every: every record ends with a match.
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
    """What an invalid turn may be a slip of, which decides how `zertz_db.check.repair` looks for repairs."""

    NONE = ""
    SERVER_ACTIONS = "server actions"
    EXTRA_PARTS = "extra parts"
    UNKNOWN_RINGS = "unknown rings"


class Dialect(NamedTuple):
    """One way of writing records down.

    `described_by` says in words how its texts are recognised, `sign` is what does it: an expression that is sought in the beginning of a
    text (`is_sought`), fits the text itself (`is_at_start`), or fits it where its comments and tags end; quick, for every file comes
    by here. `endings` are the usual ends of file names, which decide where a text bears the signs of two. `reader` is the module
    whose `read` gives the records of a text; `takes` names what that wants beside the text: "name" (the file's), "language" (of colour
    letters). `is_experimental`: known from programs only, no whole file was seen.

    What other rooms must know of a dialect: log_line: matches its lines among those of a program's log. boundary: where large files
    can be cut; None: nowhere. rule_set: the rule set of records that state none. states_claims: whether turns state what they claim.
    clock: "up", "down" or "unknown", how clocks run unless a tag states it. name_fields: the module whose `NAME_FIELDS` says where
    names are; without it they are sought everywhere. broken_turns: how an invalid turn is repaired. is_repaired_in_place: whether a
    repaired copy keeps the rest of the text. title, writer: how messages call it as a form to write, and the module whose `write`
    gives the text; empty if it is only read.
    """

    name: str
    description: str
    described_by: str
    sign: re.Pattern[str]
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
        """The records of a text, from a file of this name, with colour letters of this language (None: as the text tells)."""
        wanted = {"name": name, "language": language}
        found: Iterator[Record] = _module(self.reader).read(text, **{key: wanted[key] for key in self.takes})
        return (with_board_of_source(record, name) for record in found)

    def codes(self) -> dict[str, str]:
        """What the reader finds and no other does: codes, and what they mean."""
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
        "JSON lines, an object a record, as zertz writes them",
        'a first line that is an object with one of the keys "moves", "tags" and "verdict"',
        re.compile(r'\ufeff?\s*+\{(?=\s*+"[^"\n]{1,40}"\s*+:)[^\n]*?"(?:moves|tags|verdict)"\s*+:'),
        (".jsonl", ".ndjson", ".json"),
        "parser.json_lines",
        takes=("language",),
        is_at_start=True,
        boundary=RecordBoundary(rb"\n", is_every=True),
        states_claims=True,
        name_fields="parser.json_lines",
        title="JSON lines",
        writer="parser.json_lines",
    ),
    Dialect(
        "boardspace",
        "the SGF of the Boardspace game server",
        "a game that begins with `(;` and has GM[22], SU[Zertz…] or an action of P0 or P1",
        re.compile(r"\(\s*;[\s\S]*?(?:GM\s*\[\s*22\s*\]|SU\s*\[\s*zertz|P[01]\s*\[)", re.IGNORECASE),
        (".sgf",),
        "parser.boardspace.reader",
        takes=("name",),
        is_sought=True,
        boundary=RecordBoundary(rb"\)[ \t\r\n]*(?=\(\s*;)", ((b"[", b"]"),), is_every=True),
        clock="up",
        name_fields="parser.boardspace.name_fields",
        broken_turns=BrokenTurns.SERVER_ACTIONS,
        title="the server's form",
        writer="parser.boardspace.writer",
    ),
    Dialect(
        "zen",
        "ZEN, the games of the site zertz.app, with ZIP positions",
        'a tag [ZIP "…"], or a first ply such as Wb3-c4 or Wa4xc4',
        re.compile(
            r'(?<!\S)\[ZIP\s+"'
            r"|(?:1\s*\.+\s*)?[WGB][a-q][0-9]{1,2}(?:\s?-\s?|[x×])[a-q][0-9]{1,2}(?![0-9WGB])"
            r"(?![^{}]*?[WGB][a-q][0-9]{1,2},[a-q][0-9])"  # a slip in official notation
        ),
        (".txt", ".zen"),
        "parser.zen.reader",
        broken_turns=BrokenTurns.UNKNOWN_RINGS,
        title="ZEN",
        writer="parser.zen.writer",
    ),
    Dialect(
        "zertz3d",
        "notation files of the program Zertz3D",
        "a first line 37, 48 or 61, perhaps with Blitz",
        re.compile(r"(?:37|48|61)(?:[^\S\n]+blitz)?[^\S\n]*\r?\n", re.IGNORECASE),
        (".txt",),
        "parser.minor.zertz3d",
        states_claims=True,
    ),
    Dialect(
        "transcript",
        "transcripts of the program Zertz3D",
        "a first line such as Player 1: {'action': 'PUT', …}, comments apart",
        re.compile(r"(?>#[^\n]*+\n\s*+)*+Player [12](?: \([^)\n]*\))?: \{['\"]"),
        (".txt",),
        "parser.minor.transcript",
        log_line=re.compile(r"Player [12](?: \([^)\n]*\))?: \{['\"]action['\"]:"),
    ),
    Dialect(
        "terse",
        "terse lists of plies, also as a Python list",
        "a first ply in small letters such as wd4,d1, in a list, before a comma, or where captures such as f2-f4 follow",
        re.compile(
            r"(?>#[^\n]*+\n\s*+)*+(?:[A-Za-z_]\w*\s*=\s*)?[\[(]\s*['\"](?:[A-Za-z][a-q][0-9]|[a-q][0-9]{1,2}-)"
            r"|(?:1\.\s*)?[wgbnsz][a-q][0-9]{1,2}(?>,[a-q][0-9]{1,2})?+"
            r"(?:\s*[,;]\s*[wgbnsz]?[a-q][0-9]|\s(?=[\s\S]*?\s[a-q][0-9]{1,2}-[a-q][0-9]))"
        ),
        (".txt", ".py"),
        "parser.minor.terse",
        takes=("language",),
    ),
    Dialect(
        "newsletter",
        "the writing of an Italian newsletter, with diagonal coordinates",
        "a first ply such as Nd2, a3 with a comma or semicolon behind it, perhaps after a remark in parentheses",
        re.compile(
            r"(?:[0-9]{1,3}[.)]\s*)?[A-Z][a-q][0-9]{1,2},\s+[a-q][0-9]{1,2}\s*"
            r"(?:\((?!\s*(?:[0-9]|[A-Zx]\s?[a-q][0-9]))[^()]{0,500}+\)\s*)?[,;]"
        ),
        (".txt",),
        "parser.minor.newsletter",
        takes=("language",),
        rule_set="blitz",
    ),
    Dialect(
        "mail",
        "mails of a game server, several of one game pieced together",
        "`Summary of Zertz Board 1234` or `A new Zertz board (1234)`",
        re.compile(r"Zertz(?:\+11)? [Bb]oard \(?[0-9]"),
        (".txt", ".mbox", ".eml"),
        "parser.minor.mail",
        is_sought=True,
        is_experimental=True,
        states_claims=True,
    ),
    Dialect(
        "rec",
        "records of a program for one computer, with blanks between all parts",
        "a first line `# Zertz game record`",
        re.compile(r"(?>#[^\S\n]*+\r?\n)*+# Zertz game record"),
        (".rec", ".txt"),
        "parser.minor.rec",
        is_experimental=True,
        states_claims=True,
    ),
    Dialect(
        "openxum",
        "action strings of the program OpenXum",
        "a first action such as Pm1D4W",
        re.compile(r"['\"\[\s]*Pm[12][A-G][1-7][WGB]"),
        (".txt",),
        "parser.minor.openxum",
        is_experimental=True,
    ),
    Dialect(
        "direction",
        "placements D4:w/D1, captures as a ring and directions",
        "a first ply such as D4:w/D1",
        re.compile(r"['\"\[\s]*[A-G][1-7]:[wgb](?:/[A-G][1-7])?(?![0-9A-Za-z])"),
        (".txt",),
        "parser.minor.direction",
        is_experimental=True,
    ),
    Dialect(
        "gipf",
        "the official notation of gipf.com, with or without tags",
        'a tag such as [Event "…"], or a ply such as Wd4,d1 or x d1Gd3, at the start of a line',
        re.compile(
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
        "parser.gipf.reader",
        takes=("language",),
        is_sought=True,
        boundary=RecordBoundary(
            rb"(?m)(?<=[\s})])(?:1-0|0-1|1/2-1/2|0-0|\*)"
            rb"(?:[ \t\r]*\n\s*?(?=^[ \t]*+\[\s*\w+\s+\")|\s+(?=1\.\s))",
            ((b"(", b")"),),
            has_passages=True,
        ),
        states_claims=True,
        name_fields="parser.gipf.name_fields",
        broken_turns=BrokenTurns.EXTRA_PARTS,
        is_repaired_in_place=True,
        title="the official notation",
        writer="parser.gipf.writer",
    ),
)
"""The dialects that can be read; where a text bears the signs of several, and its name decides nothing, the first counts."""

_TAGS = re.compile(r'(?>\[\s*+(?!ZIP\s)\w++\s++"(?>[^"\\\n]++|\\.)*+"\s*+\]\s*+(?>\{[^}]*+\}\s*+)*+)*+')
_COMMENTS = re.compile(r"\ufeff?(?>\s++|\{[^}]*+\}|;[^\n]*+)*+")


def detect(text: str, name: str = "") -> str | None:
    """The name of the dialect that a text is written in, told by its content; None when it is no record.

    `name` is the file's name: its ending counts only where the content leaves a choice.
    """
    ending = name[name.rfind(".") :].lower() if "." in name else ""
    return (
        _find_by_content(text, ending)
        or _find_by_content(normal(text[:_EXAMINED_LENGTH]).text, ending)
        or _find_by_log(text)
    )


def _find_by_content(text: str, ending: str) -> str | None:
    comments = _COMMENTS.match(text)
    head = text[comments.end() if comments else 0 :][:_EXAMINED_LENGTH]
    tags = _TAGS.match(head)
    behind = tags.end() if tags else 0
    for dialect in _in_order(ending):
        if dialect.is_at_start:
            found = dialect.sign.match(text)
        else:
            found = dialect.sign.search(head) if dialect.is_sought else dialect.sign.match(head, behind)
        if found:
            return dialect.name
    return None


def _find_by_log(text: str) -> str | None:
    """The dialect of which a program's log has lines between others; None if it has none."""
    return next((dialect.name for dialect in DIALECTS if dialect.log_line and dialect.log_line.search(text)), None)


@cache
def _in_order(ending: str) -> tuple[Dialect, ...]:
    """The dialects, those first whose files' names end so."""
    return tuple(sorted(DIALECTS, key=lambda dialect: ending not in dialect.endings))


def read(text: str, dialect: str | None = None, name: str = "", language: str | None = None) -> Iterator[Record]:
    """The records of a text, in order.

    `dialect` is a name out of `DIALECTS`, None to have it told by the content; a text that is no record has none. `name` is the
    file's name. `language` (a key of `letters.LANGUAGES`) is whose colour letters the text has, None to have it told by the letters.
    Raises ValueError for an unknown dialect or language.
    """
    if language is not None:
        require_language(language)
    chosen = dialect or detect(text, name)
    return _named(chosen).read(text, name, language) if chosen else iter(())


@cache
def _named(name: str) -> Dialect:
    for dialect in DIALECTS:
        if dialect.name == name:
            return dialect
    names = ", ".join(dialect.name for dialect in DIALECTS)
    raise ValueError(f"there is no dialect {name!r}: choose one of {names}, or None to have it told by the content")


_UNKNOWN = Dialect("", "", "", re.compile("(?!)"), (), "")


@cache
def facts_of(name: str | None) -> Dialect:
    """Return the facts of a dialect by its name; the defaults for no name and for a name that is not in `DIALECTS`."""
    return next((dialect for dialect in DIALECTS if dialect.name == name), _UNKNOWN)


class Unwritable(NamedTuple):
    """A game that a form can't express, and why."""

    cause: str


class Written(NamedTuple):
    """A game's text in some form, and the kinds of what that has no place for: "clocks", "marks", … (`losses.find_losses`)."""

    text: str
    losses: tuple[str, ...] = ()


class Form(NamedTuple):
    """A form in which records are written: what it is called in messages, and the module whose `write` gives the text."""

    title: str
    writer: str


FORMS = {dialect.name: Form(dialect.title, dialect.writer) for dialect in reversed(DIALECTS) if dialect.writer}
"""The forms that are written, by dialect."""


def write(record: Record, form: str) -> Written | Unwritable:
    """A record that a replay has completed in a form (a key of `FORMS`), and what is lost of it there, or why it can't be written.

    The text is read again: it is that of the same game.
    """
    from parser.losses import OtherGame, find_losses

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
"""How records that a replay has completed are written, by dialect: the text, or why there is none."""
