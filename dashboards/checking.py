"""Records that somebody brings, checked without any database: what lies in files and texts, record by record."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboards.bounded_work import run
from dashboards.brought import written
from dashboards.record_reading import Found, read_records
from parser import faults
from zertz_db.check.checked import Checked
from zertz_db.check.findings import Finding
from zertz_db.check.repair import Repair, repairs
from zertz_db.check.repair_text import repaired_text
from zertz_db.ingest.reading import Sighted
from zertz_db.ingest.reports import Excerpt, excerpt
from zertz_db.ingest.sources import Place, printable

Result = TypeVar("Result")

MOST = 2_000
"""So many records are looked at here; `zertz check` looks at any number."""
REPAIRS = 5
"""So many repairs of a record are offered."""
KEPT = "results of work on what was brought"
MOST_KEPT = 20
"""Results that a session keeps at most."""
GRAVITY = ("error", "warning", "note")


class Brought(NamedTuple):
    """A file that somebody brought: its name and its bytes."""

    name: str
    data: bytes


def look_into(brought: Sequence[Brought]) -> Found:
    """Read and check the records in files and archives, those that this session has read before at once. SourceError, TooMuch."""
    digest = hashlib.sha256()
    for file in brought:
        digest.update(f"{len(file.name)} {file.name} {len(file.data)} ".encode() + file.data)
    with written(brought) as called:
        return _in_session((digest.digest(),), "Reading and checking …", read_records, [*called], MOST)


def _in_session(key: tuple[Any, ...], what: str, work: Callable[..., Result], *values: Any) -> Result:
    """Return the result of bounded work; the last ones are kept as long as the session. what: shown meanwhile."""
    kept: dict[tuple[Any, ...], Result] = st.session_state.setdefault(KEPT, {})
    if key not in kept:
        place = st.empty()

        def look() -> None:
            if is_left():
                st.stop()
            place.caption(what)  # where the visitor asks for something else, Streamlit ends this run here

        found = run(work, *values, look=look)
        place.empty()
        while len(kept) >= MOST_KEPT:
            del kept[next(iter(kept))]
        kept[key] = found
    return kept[key]


def is_left() -> bool:
    """Return whether the browser of this session is gone."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and runtime.exists() and not runtime.get_instance().is_active_session(context.session_id)


def name_of(place: Place) -> str:
    """Where a record was found, as whoever brought it knows it."""
    member = f"!{printable(place.member)}" if place.member else ""
    return printable(Path(place.path).name) + member


def lines_of(found: Sighted) -> list[tuple[Finding, Excerpt | None]]:
    """What there is to say about a record, the gravest first, each with the source line."""
    ordered = sorted(found.checked.findings, key=lambda finding: GRAVITY.index(finding.severity))
    return [(finding, faults.guarded(partial(excerpt, found.text, finding), _no_excerpt)) for finding in ordered]


def _no_excerpt(error: Exception) -> None:
    faults.log(error, "the excerpt of a record")


def repairs_of(data: bytes, number: int, checked: Checked, text: str) -> list[Repair]:
    """Return repairs of an illegal record, best first. Its bytes and its number tell it from others of the session. TooMuch."""
    return _in_session((data, number), "Looking for repairs …", _find_repairs, checked, REPAIRS, text)


def _find_repairs(checked: Checked, most: int, text: str) -> list[Repair]:
    return faults.guarded(partial(repairs, checked, most, text), _no_repairs)


def _no_repairs(error: Exception) -> list[Repair]:
    faults.log(error, "the repairs of a record")
    return []


def repaired(found: Sighted, repair: Repair) -> str | None:
    """The record's text, repaired; None where the repair is not proven or can't be written."""
    try:
        return repaired_text(found.text, found.checked.record, repair)
    except ValueError:
        return None
    except Exception as error:  # noqa: BLE001 - the record's findings are shown all the same
        faults.log(error, "a repaired record")
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
