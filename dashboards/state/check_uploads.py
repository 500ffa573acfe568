"""Check uploaded records without any database, record by record."""

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
from parser.vocabulary.terms import Severity
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import Finding
from zertz_db.check.repair.patch_text import repaired_text
from zertz_db.check.repair.repairs import Repair, find_repairs
from zertz_db.ingest.check_files import Excerpt, build_excerpt
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.ingest.sources.place import Place, escape_unprintable

Result = TypeVar("Result")

MAX_RECORDS = 2_000
"""Maximum number of records shown here; `zertz check` has no limit."""
MAX_REPAIRS = 5
"""Maximum number of repairs offered for a record."""
CACHE_KEY = "results of work on uploads"
MAX_CACHED = 20
"""Maximum cached results per session."""


class Upload(NamedTuple):
    """An uploaded file: its name and its bytes."""

    name: str
    data: bytes


def read_uploads(uploads: Sequence[Upload]) -> ReadResult:
    """Read and check the records in files and archives; cache the result for the session. SourceError, WorkLimitExceeded."""
    digest = hashlib.sha256()
    for file in uploads:
        digest.update(f"{len(file.name)} {file.name} {len(file.data)} ".encode() + file.data)
    with write_uploads(uploads) as names:
        return _cache_in_session((digest.digest(),), "Reading and checking …", read_records, [*names], MAX_RECORDS)


def _cache_in_session(key: tuple[Any, ...], caption: str, work: Callable[..., Result], *values: Any) -> Result:
    """Return the result of bounded work; cache the latest ones for the session. caption: shown meanwhile."""
    cached: dict[tuple[Any, ...], Result] = st.session_state.setdefault(CACHE_KEY, {})
    if key not in cached:
        slot = st.empty()

        def poll() -> None:
            if is_disconnected():
                st.stop()
            slot.caption(caption)  # Streamlit ends this run here if the visitor requests something else

        found = run_bounded(work, *values, poll=poll)
        slot.empty()
        while len(cached) >= MAX_CACHED:
            del cached[next(iter(cached))]
        cached[key] = found
    return cached[key]


def is_disconnected() -> bool:
    """Return whether this session's browser is disconnected."""
    return build_disconnection_check()()


def build_disconnection_check() -> Callable[[], bool]:
    """Return a function for any thread that checks if the browser of this session is disconnected."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not runtime.exists():
        return lambda: False
    session, server = context.session_id, runtime.get_instance()
    return lambda: not server.is_active_session(session)


def get_display_name(place: Place) -> str:
    """Return the place of a record under the name that its visitor uploaded it with."""
    member = f"!{escape_unprintable(place.member)}" if place.member else ""
    return escape_unprintable(Path(place.path).name) + member


def list_findings(found: SourceRecord) -> list[tuple[Finding, Excerpt | None]]:
    """Return a record's findings, the most severe first, each with its source line."""
    severities = tuple(Severity)
    ordered = sorted(found.checked.findings, key=lambda finding: severities.index(finding.severity))
    return [
        (finding, faults.guarded(partial(build_excerpt, found.text, finding), _log_excerpt_failure))
        for finding in ordered
    ]


def _log_excerpt_failure(error: Exception) -> None:
    faults.log(error, "the excerpt of a record")


def find_record_repairs(data: bytes, number: int, checked: CheckedRecord, text: str) -> list[Repair]:
    """Return repairs of an illegal record, best first, cached by its bytes and its number. WorkLimitExceeded."""
    return _cache_in_session((data, number), "Looking for repairs …", _find_repairs, checked, MAX_REPAIRS, text)


def _find_repairs(checked: CheckedRecord, most: int, text: str) -> list[Repair]:
    return faults.guarded(partial(find_repairs, checked, most, text), _log_repair_failure)


def _log_repair_failure(error: Exception) -> list[Repair]:
    faults.log(error, "the repairs of a record")
    return []


def build_repaired_text(found: SourceRecord, repair: Repair) -> str | None:
    """Return the record's text, repaired; None if the repair is not proven or can't be written."""
    try:
        return repaired_text(found.text, found.checked.record, repair)
    except ValueError:
        return None
    except Exception as error:  # noqa: BLE001 - the record's findings are shown nevertheless
        faults.log(error, "a repaired record")
        return None


def replace_record(pasted: str, start: int, record: str, text: str) -> str | None:
    """Replace one record of a text by another; spaces at its end stay. Return None if the text no longer has the record.

    >>> replace_record("[Event] 1. a \\n\\n[Event] 1. b", 0, "[Event] 1. a \\n\\n", "[Event] 1. c\\n")
    '[Event] 1. c \\n\\n[Event] 1. b'
    """
    if not pasted.startswith(record, start):
        if pasted.count(record) != 1:
            return None
        start = pasted.index(record)
    rest = pasted[start + len(record) :]
    spaces = record[len(record.rstrip()) :] or ("\n\n" if rest.strip() else "")
    return pasted[:start] + text.rstrip() + spaces + rest
