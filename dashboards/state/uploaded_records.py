"""Read and check records in uploaded files. This runs in a separate process (`bounded_work`) and is independent of pages."""

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
    """Records of uploads, in order; files without records; whether there are more records than requested."""

    records: tuple[SourceRecord, ...]
    skipped: tuple[Skipped, ...]
    is_truncated: bool


def read_records(paths: Sequence[str], most: int) -> ReadResult:
    """Read and check at most `most` records and files at these paths. SourceError; MemoryError, also if a record failed because of one."""
    records: list[SourceRecord] = []
    skipped: list[Skipped] = []
    for item in islice(read_and_check(read_contents(list_places(find_files(paths)))), most + 1):
        if isinstance(item, Skipped):
            skipped.append(item)
            continue
        if any(
            finding.code == OUR_FAULT.code and "MemoryError" in finding.message for finding in item.checked.findings
        ):
            raise MemoryError
        records.append(item)
    return ReadResult(tuple(records[:most]), tuple(skipped), len(records) > most)
