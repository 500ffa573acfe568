"""Places of records: files and members of archives, and what can't be read of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from zertz_db.check.findings import DAMAGED, Kind
from zertz_db.errors import UserMistake
from zertz_db.ingest.sources.large_file import ByteSource


class SourceError(UserMistake):
    """A path that can't be read at all; the message names the cause."""


FileList = list[tuple[str, bool]]
"""Paths of files, and whether they were named themselves."""


class ReadRequest(NamedTuple):
    """What somebody asked to read: the paths, and what people call those that say nothing to them (a file that came by the browser)."""

    paths: list[str]
    called: Mapping[str, str] = {}

    def get_display_name(self, path: str) -> str:
        """A path for people and for the database."""
        return escape_unprintable(self.called.get(path, path))

    @property
    def names(self) -> list[str]:
        """All paths, the same way."""
        return [self.get_display_name(path) for path in self.paths]


class Place(NamedTuple):
    """A file, or a member of an archive, that is to be read.

    `named` says that the user named it (or its archive) himself: then it ought to hold records; inside folders and archives other
    files may lie about.
    """

    path: str
    member: str = ""
    """Its name in the archive; where archives lie within each other, the names of all with `!` between them."""
    size: int = 0
    named: bool = False
    number: int = -1
    """What the archive knows it by (names may repeat); -1 for a file."""
    within: Place | None = None
    """The member that is the archive in which it is, where that is not the file itself."""
    remark: str = ""
    """What is odd about its name."""

    @property
    def name(self) -> str:
        """`path` or `path!member`, as findings are headed."""
        path, member = self.shown
        return f"{path}!{member}" if member else path

    @property
    def shown(self) -> tuple[str, str]:
        """Path and member for people, for JSON and for the database: whatever can't be printed is escaped."""
        return escape_unprintable(self.path), escape_unprintable(self.member)


class Damage(NamedTuple):
    """A file, an archive or a member that can't be read; `place` says which, `data` is what could be had of it as it lies there.

    That of a file as a whole is had by `contents.read`: many may wait for it.
    """

    place: Place
    message: str
    data: bytes = b""
    kind: Kind = DAMAGED

    @property
    def path(self) -> str:
        """That of the file."""
        return self.place.path

    @property
    def size(self) -> int:
        """How much it weighs."""
        return len(self.data) if self.place.member else self.place.size


SourceItem: TypeAlias = "Place | Damage"
"""What there is to read, or can't be."""


class Content(NamedTuple):
    """A member's bytes, and their encoding where that is known from before (as `parser.text.encoding.decode` names it).

    deflated: the same bytes as the archive has them, if it has them so.
    """

    place: Place
    data: ByteSource
    encoding: str | None = None
    deflated: bytes = b""


def escape_unprintable(text: str) -> str:
    """A text without anything that a terminal obeys or that is no character: such signs are escaped with a backslash."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
