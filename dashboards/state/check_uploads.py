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

from dashboards.state.bounded_work import run_bounded
from dashboards.state.uploaded_records import ReadResult, read_records
from dashboards.state.uploads import write_uploads
from parser import faults
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import Finding
from zertz_db.check.repair.patch_text import repaired_text
from zertz_db.check.repair.repairs import Repair, find_repairs
from zertz_db.ingest.check_files import Excerpt, build_excerpt
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.ingest.sources.place import Place, escape_unprintable

Result = TypeVar("Result")

MAX_RECORDS = 2_000
"""So many records are looked at here; `zertz check` looks at any number."""
MAX_REPAIRS = 5
"""So many repairs of a record are offered."""
CACHE_KEY = "results of work on what was brought"
MAX_CACHED = 20
"""Results that a session keeps at most."""
SEVERITIES = ("error", "warning", "note")


class Upload(NamedTuple):
    """A file that somebody brought: its name and its bytes."""

    name: str
    data: bytes


def read_uploads(brought: Sequence[Upload]) -> ReadResult:
    """Read and check the records in files and archives, those that this session has read before at once. SourceError, TooMuch."""
    digest = hashlib.sha256()
    for file in brought:
        digest.update(f"{len(file.name)} {file.name} {len(file.data)} ".encode() + file.data)
    with write_uploads(brought) as called:
        return _cache_in_session((digest.digest(),), "Reading and checking …", read_records, [*called], MAX_RECORDS)


def _cache_in_session(key: tuple[Any, ...], what: str, work: Callable[..., Result], *values: Any) -> Result:
    """Return the result of bounded work; the last ones are kept as long as the session. what: shown meanwhile."""
    kept: dict[tuple[Any, ...], Result] = st.session_state.setdefault(CACHE_KEY, {})
    if key not in kept:
        place = st.empty()

        def look() -> None:
            if is_disconnected():
                st.stop()
            place.caption(what)  # where the visitor asks for something else, Streamlit ends this run here

        found = run_bounded(work, *values, look=look)
        place.empty()
        while len(kept) >= MAX_CACHED:
            del kept[next(iter(kept))]
        kept[key] = found
    return kept[key]


def is_disconnected() -> bool:
    """Return whether the browser of this session is gone."""
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and runtime.exists() and not runtime.get_instance().is_active_session(context.session_id)


def get_display_name(place: Place) -> str:
    """Where a record was found, as whoever brought it knows it."""
    member = f"!{escape_unprintable(place.member)}" if place.member else ""
    return escape_unprintable(Path(place.path).name) + member


def list_findings(found: SourceRecord) -> list[tuple[Finding, Excerpt | None]]:
    """What there is to say about a record, the gravest first, each with the source line."""
    ordered = sorted(found.checked.findings, key=lambda finding: SEVERITIES.index(finding.severity))
    return [
        (finding, faults.guarded(partial(build_excerpt, found.text, finding), _log_excerpt_failure))
        for finding in ordered
    ]


def _log_excerpt_failure(error: Exception) -> None:
    faults.log(error, "the excerpt of a record")


def find_record_repairs(data: bytes, number: int, checked: CheckedRecord, text: str) -> list[Repair]:
    """Return repairs of an illegal record, best first. Its bytes and its number tell it from others of the session. TooMuch."""
    return _cache_in_session((data, number), "Looking for repairs …", _find_repairs, checked, MAX_REPAIRS, text)


def _find_repairs(checked: CheckedRecord, most: int, text: str) -> list[Repair]:
    return faults.guarded(partial(find_repairs, checked, most, text), _log_repair_failure)


def _log_repair_failure(error: Exception) -> list[Repair]:
    faults.log(error, "the repairs of a record")
    return []


def build_repaired_text(found: SourceRecord, repair: Repair) -> str | None:
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
