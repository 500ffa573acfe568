"""Text files with an object in JSON on every line: read, appended to, and rewritten where names have to go."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any

from zertz_db.store.appending import append, replace
from zertz_db.store.errors import UnreadableDatabase

Entry = dict[str, Any]


def read(path: Path, what: str, take: Callable[[Entry], None]) -> None:
    """Let `take` have the objects of a file one by one; none if it is not there.

    UnreadableDatabase names a line that is no `what`: where there is no JSON, or `take` can't understand it.
    """
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            if not isinstance(entry, dict):
                raise TypeError("no object in braces")
            _line(entry).encode()  # halves of characters, which JSON can write, can't be stored
            take(entry)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise UnreadableDatabase(
                f"{path}:{number} is no {what} ({error!r}). Correct the line or take it out."
            ) from error


def say(path: Path, entries: Iterable[Entry]) -> None:
    """Append objects. Only under the importers' lock."""
    if text := "".join(map(_line, entries)):
        append(path, text)


def rewrite(path: Path, what: str, change: Callable[[list[Entry]], Iterable[Entry]]) -> None:
    """Let a file have what `change` makes of all its objects. Only under the importers' lock."""
    entries: list[Entry] = []
    read(path, what, entries.append)
    if entries:
        replace(path, "".join(map(_line, change(entries))))


def veiled(entry: Entry, fields: Collection[str], veil: Callable[[str], str]) -> Entry:
    """An object with names veiled in these of its fields, whatever somebody has written there."""
    return {name: veil(str(value)) if name in fields and value else value for name, value in entry.items()}


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").split("\n")  # texts may hold other signs that end lines elsewhere
    except FileNotFoundError:
        return []
    except UnicodeDecodeError as error:
        raise UnreadableDatabase(f"{path} is not in UTF-8 ({error}). Restore it from a backup.") from error


def _line(entry: Entry) -> str:
    return json.dumps(entry, ensure_ascii=False) + "\n"
