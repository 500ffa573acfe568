"""Write uploaded files to a temporary folder under their own names."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from zertz_db.ingest.sources.discover import PASTED_NAME


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
