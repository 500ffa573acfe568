"""Files that came by the browser: written down for as long as they are read, and called what they are called there."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from zertz_db.ingest.sources.discover import PASTED_NAME


@contextmanager
def write_uploads(files: Sequence[tuple[str, bytes]]) -> Iterator[dict[str, str]]:
    """Files (name, content) in a folder that is gone afterwards: by the path of each, its name; names that repeat get numbers."""
    with tempfile.TemporaryDirectory(prefix="zertz-") as folder:
        called: dict[str, str] = {}
        for number, (name, content) in enumerate(files):
            own = _make_unique_name(Path(name).name or PASTED_NAME, {*called.values()})
            path = Path(folder) / str(number) / own  # a file system may take two names for one
            path.parent.mkdir()
            path.write_bytes(content)
            called[str(path)] = own
        yield called


def _make_unique_name(name: str, met: set[str]) -> str:
    path = Path(name)
    numbered = (f"{path.stem} ({number}){path.suffix}" for number in count(2))
    return name if name not in met else next(other for other in numbered if other not in met)
