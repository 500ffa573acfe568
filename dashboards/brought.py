"""Files that came by the browser: written down for as long as they are imported, and afterwards called what they were called there."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

FOLDER = "zertz-brought-"
"""With what the name of their folder begins."""
_BEFORE_NAME = re.compile(rf"\S*{FOLDER}[^/\\]+[/\\]\d+[/\\]")


@contextmanager
def written(files: Sequence[tuple[str, bytes]]) -> Iterator[list[Path]]:
    """Files (name, content; names may repeat) in a folder that is gone afterwards: their paths."""
    with tempfile.TemporaryDirectory(prefix=FOLDER) as folder:
        paths = []
        for number, (name, content) in enumerate(files):
            path = Path(folder) / str(number) / (Path(name).name or "pasted.txt")
            path.parent.mkdir()
            path.write_bytes(content)
            paths.append(path)
        yield paths


def as_brought(text: str) -> str:
    """A path, or a text with paths, in which files that came by the browser have their names only.

    >>> as_brought("/var/tmp/zertz-brought-x1/0/club.txt games.zip")
    'club.txt games.zip'
    """
    return _BEFORE_NAME.sub("", text)
