"""Text files with one JSON object per line: read, append, and rewrite to redact names.

A line that begins with # is a remark. A damaged line is skipped, reported with its number, and stays in the file.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from zertz_db.store import regular_files
from zertz_db.store.annotations.durable_files import append, replace
from zertz_db.store.annotations.faults import reason, report

Entry = dict[str, Any]
Redact = Callable[[str], str]

FAULTS = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


class DamagedLine(NamedTuple):
    """A line that can't be used, and why. entry: its object, or None if it has none."""

    number: int
    entry: Entry | None
    why: str

    def describe(self, path: Path, what: str) -> str:
        """Return the fault of a line that is skipped. what: the objects of the file, with an article."""
        return f"{path}:{self.number} is not {what} ({self.why}). It is skipped and stays in the file; correct it or take it out."


def read(path: Path, what: str, take: Callable[[Entry], object]) -> list[str]:
    """Pass the objects of a file to `take` one by one; return and report the faults of skipped lines: see `scan`."""
    faults = [line.describe(path, f"a {what}") for line in scan(path, take)]
    report(path, faults)
    return faults


def scan(path: Path, take: Callable[[Entry], object]) -> list[DamagedLine]:
    """Pass the objects of a file to `take` one by one; return the damaged lines. A missing file has no objects.

    A line is damaged if it is not a JSON object, or if `take` raises an error. Raise UnreadableFile if the file can't be read.
    """
    damaged = []
    for number, line in enumerate(_lines(path), 1):
        if not line.strip() or line.lstrip().startswith(b"#"):
            continue
        entry = None
        try:
            entry = _entry(line)
            take(entry)
        except FAULTS as error:
            damaged.append(DamagedLine(number, entry, reason(error)))
    return damaged


def append_entries(path: Path, entries: Iterable[Entry]) -> None:
    """Append objects. The caller holds the annotations' lock."""
    if text := "".join(map(format_line, entries)):
        append(path, text)


def rewrite(
    path: Path,
    take: Callable[[Entry], object],
    change: Callable[[list[Entry]], Iterable[Entry | None]],
    redact_text: Redact,
) -> None:
    """Replace the objects that `take` accepts by the results of `change`, one for each (None: no line); redact other lines as text.

    The caller holds the annotations' lock. Raise UnreadableFile if the file can't be read.
    """
    lines = _lines(path)
    entries: dict[int, Entry] = {}
    for number, line in enumerate(lines):
        try:
            entry = _entry(line)
            take(entry)
            entries[number] = entry
        except FAULTS:
            lines[number] = _redact_line(line, redact_text)
    changed = dict(zip(entries, change([*entries.values()]), strict=True))
    for number, new in changed.items():
        lines[number] = b"" if new is None else format_line(new).rstrip("\n").encode()
    if changed or any(lines):
        kept = (line for number, line in enumerate(lines) if changed.get(number, {}) is not None)
        replace(path, b"\n".join(kept))


def rewrite_fields(path: Path, take: Callable[[Entry], object], fields: Collection[str], redact_text: Redact) -> None:
    """Redact names in these fields of the objects that `take` accepts, and in other lines as text: see `rewrite`."""
    rewrite(path, take, lambda entries: (redact(one, fields, redact_text) for one in entries), redact_text)


def redact(entry: Entry, fields: Collection[str], redact_text: Redact) -> Entry:
    """Return an object with names redacted in these fields, whatever their type."""
    return {name: redact_text(str(value)) if name in fields and value else value for name, value in entry.items()}


def redact_all(entry: Entry, known: Collection[str], redact_text: Redact) -> Entry:
    """Return an object with names redacted in every text within it, and in all keys but the known ones."""

    def change(value: Any) -> Any:
        if isinstance(value, dict):
            return {name if name in known else redact_text(name): change(one) for name, one in value.items()}
        if isinstance(value, list):
            return [change(one) for one in value]
        return redact_text(value) if isinstance(value, str) else value

    redacted: Entry = change(entry)
    return redacted


def _lines(path: Path) -> list[bytes]:
    try:
        return regular_files.read(path).removeprefix(codecs.BOM_UTF8).split(b"\n")  # texts may have other line ends
    except FileNotFoundError:
        return []


def _entry(line: bytes) -> Entry:
    entry = json.loads(line.decode())
    if not isinstance(entry, dict):
        raise TypeError("it is not an object in braces")
    format_line(entry).encode()  # lone surrogates, which JSON can write, can't be stored
    return entry


def _redact_line(line: bytes, redact_text: Redact) -> bytes:
    """Return an unparsable line with names redacted, escaped ones too; unchanged if it has none."""
    text = line.decode("utf-8", "surrogateescape")
    plain = _ESCAPE.sub(
        lambda match: chr(int(match[1], 16)) if not 0xD800 <= int(match[1], 16) <= 0xDFFF else match[0], text
    )
    new = redact_text(plain)
    return line if new == plain else new.encode("utf-8", "surrogateescape")


def format_line(entry: Entry) -> str:
    """Return the line of an object."""
    return json.dumps(entry, ensure_ascii=False) + "\n"
