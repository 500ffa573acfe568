"""Places of records: files and members of archives, and those that can't be read."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from zertz_db.check.findings import DAMAGED, Kind
from zertz_db.errors import UserMistake


class SourceError(UserMistake):
    """A path can't be read; the message names the cause."""


FileList = list[tuple[str, bool]]
"""Paths of files, and whether the user named them."""


class ReadRequest(NamedTuple):
    """The paths to read, and display names for temporary ones (such as a browser's upload)."""

    paths: list[str]
    called: Mapping[str, str] = {}

    def get_display_name(self, path: str) -> str:
        """Return the name of a path for people and for the database."""
        return escape_unprintable(self.called.get(path, path))

    @property
    def names(self) -> list[str]:
        """Return the display names of all paths."""
        return [self.get_display_name(path) for path in self.paths]


class Place(NamedTuple):
    """A file, or a member of an archive, to read.

    named: the user named it (or its archive), so it must hold records; folders and archives may have other files.
    """

    path: str
    member: str = ""
    """Its name in the archive; within nested archives, the names of all, separated by `!`."""
    size: int = 0
    named: bool = False
    number: int = -1
    """Its number in the archive (names may repeat); -1 for a file."""
    within: Place | None = None
    """The member that is the archive around it; None if that is the file itself."""
    remark: str = ""
    """An oddity of its name."""

    @property
    def name(self) -> str:
        """Return `path` or `path!member`, the heading of findings."""
        path, member = self.shown
        return f"{path}!{member}" if member else path

    @property
    def shown(self) -> tuple[str, str]:
        """Return path and member for people, for JSON and for the database, with unprintable characters escaped."""
        return escape_unprintable(self.path), escape_unprintable(self.member)


class Damage(NamedTuple):
    """A file, an archive or a member that can't be read. data: the bytes as they are in the archive, as far as possible.

    `read_contents` reads the bytes of a whole file later, because many such items may be pending.
    """

    place: Place
    message: str
    data: bytes = b""
    kind: Kind = DAMAGED

    @property
    def path(self) -> str:
        """Return the path of the file."""
        return self.place.path

    @property
    def size(self) -> int:
        """Return the size in bytes, for its weight."""
        return len(self.data) if self.place.member else self.place.size


SourceItem: TypeAlias = "Place | Damage"
"""A place to read, or one that can't be read."""


class Content(NamedTuple):
    """A member's bytes, and their encoding if known (as `zertz_db.parser.text.encoding.decode` names it)."""

    place: Place
    data: ByteSource
    encoding: str | None = None


def escape_unprintable(text: str) -> str:
    """Return a text with unprintable characters, such as a terminal's control sequences, escaped with a backslash."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


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
