"""Files that are too large for memory: read slices on demand."""

from __future__ import annotations

import os
import weakref
from pathlib import Path
from typing import TypeAlias


class LargeFile:
    """The bytes of a file, read slice by slice.

    Its size is that at the opening. It is read, not mapped: if another program truncates it meanwhile, bytes are missing, whereas a
    mapped file would end the process.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)
        self._size = os.fstat(self._file.fileno()).st_size
        weakref.finalize(self, self._file.close)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, part: slice) -> bytes:
        begin, end, _ = part.indices(self._size)
        self._file.seek(begin)
        return b"".join(iter(lambda: self._file.read(max(end - self._file.tell(), 0)), b""))

    def __bytes__(self) -> bytes:
        return self[:]


ByteSource: TypeAlias = bytes | LargeFile
"""The bytes of a file or member."""
