"""Read regular files whole; reject a pipe, a device or a folder instead of waiting for it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from zertz_db.store.errors import UnreadableFile

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read(path: Path, most: int = -1) -> bytes:
    """Return the bytes of a regular file, or its first `most` bytes.

    Raise FileNotFoundError or NotADirectoryError if the file does not exist, UnreadableFile if it is not regular or can't be read.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UnreadableFile(path, "it is not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            return file.read(most)
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from error
    finally:
        os.close(descriptor)
