"""`attempts.jsonl` next to a database's generations: who tried which puzzle, and whether the first try of it solved it.

Each line is one object. Lines are only appended:

    {"puzzle": "8BSNSWDMHBF1T", "solved": true, "author": "ada", "made_at": "2026-05-01T12:30:00"}

The id of a puzzle is that of its position, so attempts outlast imports and analyses. Times are UTC.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from zertz_db.store.annotations import jsonl
from zertz_db.store.annotations.faults import require_text
from zertz_db.store.annotations.jsonl import Entry
from zertz_db.store.ids import from_text
from zertz_db.store.partial_dates import utc_time

FILE = "attempts.jsonl"


class Attempt(NamedTuple):
    """A try at a puzzle. solved: without a wrong move, a hint, or a look at the solution."""

    puzzle: str
    solved: bool
    author: str
    made_at: dt.datetime


def read(folder: Path) -> list[Attempt]:
    """Return the attempts, in the order of the file. Skip and report faulty lines."""
    found: list[Attempt] = []
    jsonl.read(folder / FILE, "puzzle attempt", lambda entry: found.append(_parse(entry)))
    return found


def faults(folder: Path) -> list[str]:
    """Return the faults in the lines of the file."""
    return jsonl.read(folder / FILE, "puzzle attempt", _parse)


def add(folder: Path, attempts: Iterable[Attempt]) -> None:
    """Append attempts. The caller holds the annotations' lock."""
    jsonl.append_entries(folder / FILE, ({**one._asdict(), "made_at": one.made_at.isoformat()} for one in attempts))


def rewrite(folder: Path, redact_text: Callable[[str], str]) -> None:
    """Redact names in all attempts. The caller holds the annotations' lock."""
    jsonl.rewrite_fields(folder / FILE, _parse, ("author",), redact_text)


def _parse(entry: Entry) -> Attempt:
    puzzle, author = (require_text(entry[name], name) for name in ("puzzle", "author"))
    from_text(puzzle)
    if not isinstance(entry["solved"], bool):
        raise TypeError("'solved' is not true or false")
    return Attempt(puzzle, entry["solved"], author, utc_time(entry["made_at"]))
