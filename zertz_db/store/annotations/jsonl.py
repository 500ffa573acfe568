"""Text files with an object in JSON on every line: read, appended to, and rewritten where names have to go.

A line that is damaged is skipped and reported with its number, and stays in the file.
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
    """Let `take` have the objects of a file one by one; none if there is no file. Return what is wrong with lines that are skipped.

    A line is skipped if it has no object in JSON, or `take` raises an error. UnreadableFile if the file can't be read at all.
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
    """Append objects. Only under the annotations' lock."""
    if text := "".join(map(_line, entries)):
        append(path, text)


def rewrite(
    path: Path, take: Callable[[Entry], object], change: Callable[[list[Entry]], Iterable[Entry]], veil: Redact
) -> None:
    """Replace the objects that `take` accepts by those that `change` makes of them, one for each; veil other lines as text.

    Only under the annotations' lock. UnreadableFile if the file can't be read at all.
    """
    lines = _lines(path)
    entries: dict[int, Entry] = {}
    for number, line in enumerate(lines):
        try:
            entry = _entry(line)
            take(entry)
            entries[number] = entry
        except _FAULTS:
            lines[number] = _redact_line(line, veil)
    for number, entry in zip(entries, change([*entries.values()]), strict=True):
        lines[number] = _line(entry).rstrip("\n").encode()
    if any(lines):
        replace(path, b"\n".join(lines))


def redact(entry: Entry, fields: Collection[str], veil: Redact) -> Entry:
    """An object with names veiled in these of its fields, whatever somebody has written there."""
    return {name: veil(str(value)) if name in fields and value else value for name, value in entry.items()}


def _lines(path: Path) -> list[bytes]:
    try:
        return regular_files.read(path).removeprefix(codecs.BOM_UTF8).split(b"\n")  # texts may hold other ends of lines
    except FileNotFoundError:
        return []


def _entry(line: bytes) -> Entry:
    entry = json.loads(line.decode())
    if not isinstance(entry, dict):
        raise TypeError("it is not an object in braces")
    _line(entry).encode()  # halves of characters, which JSON can write, can't be stored
    return entry


def _redact_line(line: bytes, veil: Redact) -> bytes:
    """A line that nobody understands without the names in it, in whatever form; unchanged if it has none."""
    text = line.decode("utf-8", "surrogateescape")
    plain = _ESCAPE.sub(
        lambda found: chr(int(found[1], 16)) if not 0xD800 <= int(found[1], 16) <= 0xDFFF else found[0], text
    )
    new = veil(plain)
    return line if new == plain else new.encode("utf-8", "surrogateescape")


def _line(entry: Entry) -> str:
    return json.dumps(entry, ensure_ascii=False) + "\n"
