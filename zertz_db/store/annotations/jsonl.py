"""Text files with one JSON object per line: read, append, and rewrite to redact names.

A damaged line is skipped, reported with its number, and stays in the file.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

from zertz_db.store import regular_files
from zertz_db.store.annotations.durable_files import append, replace
from zertz_db.store.annotations.faults import reason, report

Entry = dict[str, Any]
Redact = Callable[[str], str]

_FAULTS = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def read(path: Path, what: str, take: Callable[[Entry], object]) -> list[str]:
    """Pass the objects of a file to `take` one by one; return the faults of skipped lines. A missing file has no objects.

    Skip a line if it is not a JSON object, or if `take` raises an error. Raise UnreadableFile if the file can't be read.
    """
    faults = []
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            take(_entry(line))
        except _FAULTS as error:
            faults.append(
                f"{path}:{number} is not a {what} ({reason(error)}). It is skipped and stays in the file; correct it or take it out."
            )
    report(path, faults)
    return faults


def append_entries(path: Path, entries: Iterable[Entry]) -> None:
    """Append objects. The caller holds the annotations' lock."""
    if text := "".join(map(_line, entries)):
        append(path, text)


def rewrite(
    path: Path, take: Callable[[Entry], object], change: Callable[[list[Entry]], Iterable[Entry]], redact_text: Redact
) -> None:
    """Replace the objects that `take` accepts by the results of `change`, one for each; redact other lines as text.

    The caller holds the annotations' lock. Raise UnreadableFile if the file can't be read.
    """
    lines = _lines(path)
    entries: dict[int, Entry] = {}
    for number, line in enumerate(lines):
        try:
            entry = _entry(line)
            take(entry)
            entries[number] = entry
        except _FAULTS:
            lines[number] = _redact_line(line, redact_text)
    for number, entry in zip(entries, change([*entries.values()]), strict=True):
        lines[number] = _line(entry).rstrip("\n").encode()
    if any(lines):
        replace(path, b"\n".join(lines))


def redact(entry: Entry, fields: Collection[str], redact_text: Redact) -> Entry:
    """Return an object with names redacted in these fields, whatever their type."""
    return {name: redact_text(str(value)) if name in fields and value else value for name, value in entry.items()}


def _lines(path: Path) -> list[bytes]:
    try:
        return regular_files.read(path).removeprefix(codecs.BOM_UTF8).split(b"\n")  # texts may have other line ends
    except FileNotFoundError:
        return []


def _entry(line: bytes) -> Entry:
    entry = json.loads(line.decode())
    if not isinstance(entry, dict):
        raise TypeError("it is not an object in braces")
    _line(entry).encode()  # lone surrogates, which JSON can write, can't be stored
    return entry


def _redact_line(line: bytes, redact_text: Redact) -> bytes:
    """Return an unparsable line with names redacted, escaped ones too; unchanged if it has none."""
    text = line.decode("utf-8", "surrogateescape")
    plain = _ESCAPE.sub(
        lambda match: chr(int(match[1], 16)) if not 0xD800 <= int(match[1], 16) <= 0xDFFF else match[0], text
    )
    new = redact_text(plain)
    return line if new == plain else new.encode("utf-8", "surrogateescape")


def _line(entry: Entry) -> str:
    return json.dumps(entry, ensure_ascii=False) + "\n"
