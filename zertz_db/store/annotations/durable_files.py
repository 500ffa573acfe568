"""Writing to the text files with what people say: half a line would keep everybody from reading the rest."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zertz_db.store.errors import DiskFull, is_disk_full


def append(path: Path, text: str) -> None:
    """Append lines to a file, which is made if it is not there: all of them are on the disk, or nothing (DiskFull, OSError).

    A last line that somebody has left open, as some editors do, is ended before.
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
    """Let a file have another text at once: it is on the disk, or the file is as it was and none is beside it (DiskFull, OSError)."""
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
    """Whatever the system has against writing is told with the file."""
    try:
        yield
    except OSError as error:
        if is_disk_full(error):
            raise DiskFull(path) from error
        error.filename = str(path)
        raise
