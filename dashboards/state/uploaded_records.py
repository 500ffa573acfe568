"""Records in files that visitors bring, read and checked. It runs in a process of its own (`bounded_work`), and knows nothing of pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from zertz_db.check.findings import OUR_FAULT
from zertz_db.ingest.records.read_records import Skipped, SourceRecord, read_and_check
from zertz_db.ingest.sources.discover import find_files, list_places
from zertz_db.ingest.sources.read_bytes import read_contents


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The records in what was brought, in order; files that are no records; whether there are more than were asked for."""

    records: tuple[SourceRecord, ...]
    skipped: tuple[Skipped, ...]
    is_truncated: bool


def read_records(paths: Sequence[str], most: int) -> ReadResult:
    """Read and check at most `most` records and files at these paths. SourceError; MemoryError, also if a record failed for it."""
    records: list[SourceRecord] = []
    passed: list[Skipped] = []
    for found in islice(read_and_check(read_contents(list_places(find_files(paths)))), most + 1):
        if isinstance(found, Skipped):
            passed.append(found)
            continue
        if any(one.code == OUR_FAULT.code and "MemoryError" in one.message for one in found.checked.findings):
            raise MemoryError
        records.append(found)
    return ReadResult(tuple(records[:most]), tuple(passed), len(records) > most)
