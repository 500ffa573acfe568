"""`people.toml`, the form of `people.jsonl` in older databases: read it, and move its contents to the other file.

It has two tables of entries, with the keys of the other file: [[claim]] for aliases, [[withheld]] for redacted names. It counts, before
the lines of the other file, until the next change of either moves it.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from zertz_db.parser.lazy_patterns import compile_on_use
from zertz_db.store import regular_files
from zertz_db.store.annotations import jsonl
from zertz_db.store.annotations.durable_files import replace
from zertz_db.store.annotations.faults import reason
from zertz_db.store.annotations.jsonl import Entry
from zertz_db.store.errors import UnreadableDatabase

FILE = "people.toml"
_TABLES = ALIASES, REDACTED = "claim", "withheld"


class Row(NamedTuple):
    """An entry. place: its file, line and number. table: ALIASES or REDACTED."""

    place: str
    table: str
    entry: object


class Contents(NamedTuple):
    """The contents of the file. faults: tables that are skipped, and why. obstacles: why redacted names can't be read."""

    rows: list[Row]
    faults: list[str]
    obstacles: list[str]


def read(folder: Path) -> Contents:
    """Return the contents of the file; a missing one is empty."""
    path = folder / FILE
    try:
        text = _text(path)
        document = _parse(path, text)
    except UnreadableDatabase as error:
        return Contents([], [], [error.cause])
    rows: list[Row] = []
    faults: list[str] = []
    obstacles: list[str] = []
    for name, value in document.items():
        if name not in _TABLES:
            fault = f"{path}: {name!r} is not a table of this file, which has [[{ALIASES}]] and [[{REDACTED}]]."
            (obstacles if _may_redact(name, value) else faults).append(fault)
        elif isinstance(value, list):
            rows += _rows(path, text, name, value)
        else:
            fault = f"{path}: {name!r} can't be read: it is not a list of tables [[{name}]]."
            (obstacles if name == REDACTED else faults).append(fault)
    return Contents(rows, faults, obstacles)


def move(folder: Path, into: Path) -> None:
    """Move everything in the file, remarks and faulty entries too, to the start of the file `into`.

    The caller holds the annotations' lock, and has made sure that redacted names can be read. If it is stopped in between, both files
    have the entries, which changes nothing, and the next call ends the move. Raise DiskFull, UnreadableFile.
    """
    path = folder / FILE
    if not path.exists():
        return
    text = _text(path)
    moved = "".join(_convert(text, _parse(path, text))).encode()
    try:
        there = regular_files.read(into).removeprefix(codecs.BOM_UTF8)
    except FileNotFoundError:
        there = b""
    if not there.startswith(moved):
        replace(into, moved + there)
    path.unlink()


_TOKEN = compile_on_use(
    r"""
    \"{3} (?: \\. | [^\\] )*? \"{3} | '{3} .*? '{3} | " (?: \\. | [^"\\\n] )* " | ' [^'\n]* '
    | (?P<remark> \# [^\r\n]* )
    | ^ [ \t]* \[\[ [ \t]* (?P<table> \w+ )
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
"""A string, a remark, or the start of an entry."""


def _convert(text: str, document: Entry) -> Iterator[str]:
    """Yield the lines of the other file: remarks and entries in their order, then everything that is not in a table of entries."""
    entries = {name: [*value] for name, value in document.items() if name in _TABLES and isinstance(value, list)}
    for token in _TOKEN.finditer(text):
        if token["remark"]:
            yield f"{token['remark']}\n"
        elif entries.get(token["table"]):
            yield _line(token["table"], entries[token["table"]].pop(0))
    for name, value in document.items():
        if name in entries:
            yield from (_line(name, entry) for entry in entries[name])
        else:
            yield jsonl.format_line(_plain({name: value}))


def _line(table: str, entry: object) -> str:
    """Return the line of an entry; one that has no keys gets the name of its table as its key."""
    return jsonl.format_line(_plain(entry if isinstance(entry, dict) else {table: entry}))


def _text(path: Path) -> str:
    """Return the text of the file, or "" if it is missing."""
    try:
        return regular_files.read(path).decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise UnreadableDatabase(f"{path} can't be read: it is not in UTF-8 ({error}).") from error


def _parse(path: Path, text: str) -> Entry:
    import tomllib  # 3 ms that only a database with such a file needs

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also for numbers with too many digits
        raise UnreadableDatabase(f"{path} can't be read ({reason(error)}).") from error


def _rows(path: Path, text: str, name: str, entries: list[Any]) -> Iterator[Row]:
    places = [
        text.count("\n", 0, match.end()) + 1 for match in re.finditer(rf"^[ \t]*\[\[[ \t]*{name}\b", text, re.MULTILINE)
    ]
    for number, entry in enumerate(entries):
        place = f"{path}:{places[number]}" if len(places) == len(entries) else f"{path}"
        yield Row(
            f"{place}: the entry {number + 1} of [[{name}]]", name, _plain(entry) if isinstance(entry, dict) else entry
        )


def _plain(entry: object) -> Entry:
    """Return an entry with its days as text, as JSON has them."""
    plain: Entry = json.loads(json.dumps(entry, default=str))
    return plain


def _may_redact(name: str, entries: object) -> bool:
    """Return whether an unknown table may be [[withheld]] misspelt."""
    return "name_hash" in repr(entries) or bool(get_close_matches(name.lower(), [REDACTED, "withhold"], cutoff=0.75))
