"""Write uploaded files to a temporary folder under their own names; read and check the records in files.

Reading runs in a separate process (`bounded_work`), so nothing here depends on pages.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from zertz_db.check.findings import OUR_FAULT
from zertz_db.ingest.records.read_records import Skipped, SourceRecord, read_and_check
from zertz_db.ingest.sources.discover import PASTED_NAME, find_files, list_places
from zertz_db.ingest.sources.read_bytes import read_contents


@contextmanager
def write_uploads(files: Sequence[tuple[str, bytes]]) -> Iterator[dict[str, str]]:
    """Write files (name, content) to a temporary folder; yield their names by path. Repeated names get numbers."""
    with tempfile.TemporaryDirectory(prefix="zertz-") as folder:
        names: dict[str, str] = {}
        for number, (name, content) in enumerate(files):
            own = _make_unique_name(Path(name).name or PASTED_NAME, {*names.values()})
            path = Path(folder) / str(number) / own  # a file system may treat two names as one
            path.parent.mkdir()
            path.write_bytes(content)
            names[str(path)] = own
        yield names


def _make_unique_name(name: str, taken: set[str]) -> str:
    path = Path(name)
    numbered = (f"{path.stem} ({number}){path.suffix}" for number in count(2))
    return name if name not in taken else next(other for other in numbered if other not in taken)


@dataclass(frozen=True, slots=True)
class ReadResult:
    """Records of uploads, in order; files without records; whether there are more records than requested."""

    records: tuple[SourceRecord, ...]
    skipped: tuple[Skipped, ...]
    is_truncated: bool


def read_records(paths: Sequence[str], most: int, letters: str | None = None) -> ReadResult:
    """Read and check at most `most` records and files at these paths. SourceError; MemoryError, also if a record failed because of one."""
    records: list[SourceRecord] = []
    skipped: list[Skipped] = []
    for item in islice(read_and_check(read_contents(list_places(find_files(paths))), language=letters), most + 1):
        if isinstance(item, Skipped):
            skipped.append(item)
            continue
        if any(
            finding.code == OUR_FAULT.code and "MemoryError" in finding.message for finding in item.checked.findings
        ):
            raise MemoryError
        records.append(item)
    return ReadResult(tuple(records[:most]), tuple(skipped), len(records) > most)
