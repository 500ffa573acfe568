"""Check uploaded records without any database, record by record."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import Finding
from zertz_db.check.repair.patch_text import repaired_text
from zertz_db.check.repair.repairs import Repair, find_repairs
from zertz_db.dashboards.state.session_work import cache_in_session
from zertz_db.dashboards.state.uploads import ReadResult, read_records, write_uploads
from zertz_db.ingest.check_files import Excerpt, build_excerpt
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.ingest.sources.place import Place, escape_unprintable
from zertz_db.parser import faults
from zertz_db.parser.text.encoding import encode
from zertz_db.parser.vocabulary.terms import Severity

MAX_RECORDS = 2_000
"""Maximum number of records shown here; `zertz check` has no limit."""
MAX_REPAIRS = 5
"""Maximum number of repairs offered for a record."""


class Upload(NamedTuple):
    """An uploaded file: its name and its bytes."""

    name: str
    data: bytes


def read_uploads(uploads: Sequence[Upload], letters: str | None = None) -> ReadResult:
    """Read and check the records in files and archives; cache the result for the session. SourceError, WorkLimitExceeded.

    letters: the stated language of the colour letters, None to detect it.
    """
    digest = hashlib.sha256(f"{letters} ".encode())
    for file in uploads:
        digest.update(f"{len(file.name)} {file.name} {len(file.data)} ".encode() + file.data)
    with write_uploads(uploads) as names:
        return cache_in_session(
            (digest.digest(),), "Reading and checking …", read_records, [*names], MAX_RECORDS, letters
        )


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
    return cache_in_session((data, number), "Looking for repairs …", _find_repairs, checked, MAX_REPAIRS, text)


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


def replace_bytes(data: bytes, found: SourceRecord, text: str) -> bytes | None:
    """Replace a record of a file by a text, in the record's encoding. Return None if the file does not have it once as plain bytes."""
    if found.place.member or not found.data or b"\0" in found.data or data.count(found.data) != 1:
        return None
    try:
        new = encode(text.rstrip(), found.encoding or "utf-8")
    except (UnicodeError, LookupError):
        return None
    spaces = found.data[len(found.data.rstrip()) :]
    return data.replace(found.data, new + spaces)
