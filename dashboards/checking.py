"""Records that somebody brings, checked without any database: what lies in files and texts, record by record."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from dashboards.brought import written
from zertz_db.check.checked import Checked
from zertz_db.check.findings import Finding
from zertz_db.check.repair import Repair, repairs
from zertz_db.check.repair_text import repaired_text
from zertz_db.ingest.contents import read
from zertz_db.ingest.reading import Passed, Sighted, sight
from zertz_db.ingest.reports import Excerpt, excerpt
from zertz_db.ingest.sources import Place, find_files, places, printable

MOST = 2_000
"""So many records are looked at here; `zertz check` looks at any number."""
REPAIRS = 5
"""So many repairs of a record are offered."""
GRAVITY = ("error", "warning", "note")


class Brought(NamedTuple):
    """A file that somebody brought: its name and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Found:
    """The records in what was brought, in order; files that are no records; whether there are more than MOST."""

    records: tuple[Sighted, ...]
    passed: tuple[Passed, ...]
    is_cut: bool


def look_into(brought: Sequence[Brought]) -> Found:
    """The records in files and archives. The same files are read once."""
    digest = hashlib.sha256()
    for file in brought:
        digest.update(f"{len(file.name)} {file.name} {len(file.data)} ".encode() + file.data)
    return _looked_into(digest.hexdigest(), brought)


@st.cache_resource(show_spinner="Reading and checking …", max_entries=8)
def _looked_into(digest: str, _brought: Sequence[Brought]) -> Found:  # noqa: ARG001 - the digest tells them apart
    records: list[Sighted] = []
    passed: list[Passed] = []
    with written(_brought) as called:
        for found in islice(_sighted(called), MOST + 1):
            if isinstance(found, Passed):
                passed.append(found)
            else:
                records.append(found)
    return Found(tuple(records[:MOST]), tuple(passed), len(records) > MOST)


def _sighted(paths: Iterable[str]) -> Iterator[Sighted | Passed]:
    yield from sight(read(places(find_files(paths))))


def name_of(place: Place) -> str:
    """Where a record was found, as whoever brought it knows it."""
    member = f"!{printable(place.member)}" if place.member else ""
    return printable(Path(place.path).name) + member


def lines_of(found: Sighted) -> list[tuple[Finding, Excerpt | None]]:
    """What there is to say about a record, the gravest first, each with the source line."""
    ordered = sorted(found.checked.findings, key=lambda finding: GRAVITY.index(finding.severity))
    return [(finding, excerpt(found.text, finding)) for finding in ordered]


@st.cache_resource(show_spinner="Looking for repairs …", max_entries=100)
def repairs_of(data: bytes, number: int, _checked: Checked, _text: str) -> list[Repair]:  # noqa: ARG001 - bytes and number tell records apart
    """Repairs of an illegal record, best first."""
    return repairs(_checked, REPAIRS, _text)


def repaired(found: Sighted, repair: Repair) -> str | None:
    """The record's text, repaired; None where the repair is not proven or can't be written."""
    try:
        return repaired_text(found.text, found.checked.record, repair)
    except ValueError:
        return None


def replace_record(pasted: str, start: int, record: str, text: str) -> str | None:
    """Replace a record of a text by another, and nothing else; blanks that end it stay. None where the text has it no more.

    >>> replace_record("[Event] 1. a \\n\\n[Event] 1. b", 0, "[Event] 1. a \\n\\n", "[Event] 1. c\\n")
    '[Event] 1. c \\n\\n[Event] 1. b'
    """
    if not pasted.startswith(record, start):
        if pasted.count(record) != 1:
            return None
        start = pasted.index(record)
    behind = pasted[start + len(record) :]
    blanks = record[len(record.rstrip()) :] or ("\n\n" if behind.strip() else "")
    return pasted[:start] + text.rstrip() + blanks + behind
