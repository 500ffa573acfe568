"""`studies.jsonl` next to a database's generations: move trees with comments, each with a name.

Each line is one object. Lines are only appended, so the file suits version control:

    {"study": "A05S0N8XJ2Q7C", "name": "Ada's trap", "record": "[Event …", "author": "ada", "made_at": "2026-05-01T12:30:00"}
    {"study": "A05S0N8XJ2Q7C", "removed": true, "author": "ada", "made_at": "…"}

`record` is the tree as a record in official notation with variations. The last line of a study counts; a line with a record after its
removal restores it. Times are UTC.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from zertz_db.store.annotations import jsonl
from zertz_db.store.annotations.faults import require_text
from zertz_db.store.annotations.jsonl import Entry
from zertz_db.store.ids import from_text
from zertz_db.store.partial_dates import utc_time

FILE = "studies.jsonl"


class Study(NamedTuple):
    """A saved move tree. id: in letters. record: in official notation. made_at: the time of its latest change."""

    id: str
    name: str
    record: str
    author: str
    made_at: dt.datetime


def read(folder: Path) -> list[Study]:
    """Return the studies that were not removed, in the order of their latest changes. Skip and report faulty lines."""
    return list(_read(folder).values())


def read_removed(folder: Path) -> list[Study]:
    """Return the studies that were removed, as they were, the latest removed last."""
    removed: dict[str, Study] = {}
    _read(folder, removed)
    return list(removed.values())


def faults(folder: Path) -> list[str]:
    """Return the faults in the lines of the file."""
    return jsonl.read(folder / FILE, "study", _parse)


def write(folder: Path, study: Study) -> None:
    """Append a study, or another state of it. The caller holds the annotations' lock."""
    entry = {"study": study.id, **study._asdict(), "made_at": study.made_at.isoformat()}
    del entry["id"]
    jsonl.append_entries(folder / FILE, [entry])


def remove(folder: Path, study: Study, author: str, now: dt.datetime) -> None:
    """Append the removal of a study. The caller holds the annotations' lock."""
    entry = {"study": study.id, "removed": True, "author": author, "made_at": now.isoformat()}
    jsonl.append_entries(folder / FILE, [entry])


def rewrite(folder: Path, redact_text: Callable[[str], str]) -> None:
    """Redact names in all studies. The caller holds the annotations' lock."""
    jsonl.rewrite_fields(folder / FILE, _parse, _REDACTED, redact_text)


_REDACTED = ("name", "record", "author")


def _read(folder: Path, removed: dict[str, Study] | None = None) -> dict[str, Study]:
    """Return the studies by id; collect those that were removed."""
    studies: dict[str, Study] = {}

    def collect(entry: Entry) -> None:
        study = _parse(entry)
        gone = studies.pop(entry["study"], None)
        if removed is not None:
            removed.pop(entry["study"], None)
        if study is not None:
            studies[study.id] = study
        elif gone and removed is not None:
            removed[gone.id] = gone

    jsonl.read(folder / FILE, "study", collect)
    return studies


def _parse(entry: Entry) -> Study | None:
    """Return the study of a line, or None if the line removes one. Raise an error if it is neither."""
    number = require_text(entry["study"], "study")
    from_text(number)
    if entry.get("removed"):
        return None
    name, record, author = (require_text(entry[field], field) for field in ("name", "record", "author"))
    if not name.strip():
        raise ValueError("'name' is empty")
    return Study(number, name, record, author, utc_time(entry["made_at"]))
