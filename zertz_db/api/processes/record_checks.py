"""Check records in bytes: what the process for checks does."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from zertz_db.parser import faults

if TYPE_CHECKING:
    from zertz_db.ingest.records.read_records import SourceRecord


def check_records(data: bytes, dialect: str | None) -> list[dict[str, Any]]:
    """Return the verdict on each record in bytes, as `zertz check --format jsonl`."""
    from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
    from zertz_db.ingest.sources.place import Content, Place

    return [
        faults.guarded(partial(_verdict, found), partial(_build_failure, found))
        for found in read_and_check([Content(Place("body", named=True), data)], dialect)
        if isinstance(found, SourceRecord)
    ]


def _verdict(found: SourceRecord) -> dict[str, Any]:
    return {"index": found.number, **found.checked.as_json()}


def _build_failure(found: SourceRecord, error: Exception) -> dict[str, Any]:
    from zertz_db.ingest.records.read_records import reject_record

    return _verdict(reject_record(found, error))
