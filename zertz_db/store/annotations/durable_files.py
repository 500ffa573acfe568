"""Write to the files of annotations durably: half a line would make the rest unreadable."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zertz_db.store.errors import DiskFull, is_disk_full


def append(path: Path, text: str) -> None:
    """Append lines to a file, created if missing: all of them reach the disk, or none. Raise DiskFull or OSError.

    End the last line first if an editor has left it open.
    """
    rest = text.encode()
    with _naming(path), path.open("a+b", buffering=0) as file:
        before = file.seek(0, os.SEEK_END)
        if before:
            file.seek(before - 1)
            rest = rest if file.read(1) == b"\n" else b"\n" + rest
        try:
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except OSError:
            file.truncate(before)
            raise


def replace(path: Path, text: str | bytes) -> None:
    """Replace a file by another text at once, or leave it unchanged, without a temporary file. Raise DiskFull or OSError."""
    new = path.with_name(f"{path.name}.new")
    try:
        with _naming(path):
            with new.open("wb") as file:
                file.write(text if isinstance(text, bytes) else text.encode())
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
    finally:
        new.unlink(missing_ok=True)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Add the file's path to an error of the system; raise DiskFull for a full disk."""
    try:
        yield
    except OSError as error:
        if is_disk_full(error):
            raise DiskFull(path) from error
        error.filename = str(path)
        raise
