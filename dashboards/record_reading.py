"""Records in files that visitors bring, read and checked. It runs in a process of its own (`bounded_work`), and knows nothing of pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from zertz_db.check.findings import OUR_FAULT
from zertz_db.ingest.contents import read
from zertz_db.ingest.reading import Passed, Sighted, sight
from zertz_db.ingest.sources import find_files, places


@dataclass(frozen=True, slots=True)
class Found:
    """The records in what was brought, in order; files that are no records; whether there are more than were asked for."""

    records: tuple[Sighted, ...]
    passed: tuple[Passed, ...]
    is_cut: bool


def read_records(paths: Sequence[str], most: int) -> Found:
    """Read and check at most `most` records and files at these paths. SourceError; MemoryError, also if a record failed for it."""
    records: list[Sighted] = []
    passed: list[Passed] = []
    for found in islice(sight(read(places(find_files(paths)))), most + 1):
        if isinstance(found, Passed):
            passed.append(found)
            continue
        if any(one.code == OUR_FAULT.code and "MemoryError" in one.message for one in found.checked.findings):
            raise MemoryError
        records.append(found)
    return Found(tuple(records[:most]), tuple(passed), len(records) > most)
