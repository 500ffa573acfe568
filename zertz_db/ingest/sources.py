"""Where records come from: files, folders, zip archives and standard input, as members with their bytes."""

from __future__ import annotations

import lzma
import mmap
import os
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import NamedTuple

STANDARD_INPUT = "-"
LARGEST_MEMBER = 1_000_000_000
"""Bytes that a member of an archive may unpack to: more is no archive of records."""
CHUNK_BYTES = 1_500_000
"""About so many bytes go to a worker at a time: enough to be worth the way, few enough to share out evenly."""


class SourceError(Exception):
    """A path that can't be read at all; the message names the cause."""


Files = list[tuple[str, bool]]
"""Paths of files, and whether they were named themselves."""


class Place(NamedTuple):
    """A file, or a member of an archive, that is to be read.

    `named` says that the user named it (or its archive) himself: then it ought to hold records; inside folders and archives other
    files may lie about.
    """

    path: str
    member: str = ""
    size: int = 0
    named: bool = False
    number: int = -1
    """The member's number in the archive's directory (names may repeat)."""

    @property
    def name(self) -> str:
        """`path` or `path!member`, as findings are headed."""
        path, member = self.shown
        return f"{path}!{member}" if member else path

    @property
    def shown(self) -> tuple[str, str]:
        """Path and member for people, for JSON and for the database: whatever can't be printed is escaped."""
        return printable(self.path), printable(self.member)


class Damage(NamedTuple):
    """A file, an archive or a member that can't be read; `place` says which, `data` is what could be had of it as it lies there."""

    place: Place
    message: str
    data: bytes = b""


class Content(NamedTuple):
    """A member's bytes, and their encoding where that is known from before (as `parser.encoding.decode` names it).

    deflated: the same bytes as the archive has them, if it has them so.
    """

    place: Place
    data: bytes
    encoding: str | None = None
    deflated: bytes = b""


def find_files(paths: Iterable[str | Path]) -> Files:
    """Every file below the paths, in order, each once, and whether it was named itself.

    Hidden files and databases of our own inside folders are passed over. Raises SourceError for a path that does not exist, and for
    a folder without files.
    """
    found: dict[str, bool] = {}
    for path in map(str, paths):
        if path == STANDARD_INPUT or Path(path).is_file():
            found[path] = True
        elif Path(path).is_dir():
            inside = _inside(path)
            if not inside:
                raise SourceError(f"{printable(path)}: the folder has no files in it")
            for file in inside:
                found.setdefault(file, False)
        elif Path(path).exists():
            raise SourceError(f"{printable(path)}: neither a file nor a folder")
        else:
            raise SourceError(f"{printable(path)}: no such file or folder")
    return list(found.items())


def _inside(top: str) -> list[str]:
    """The files below a folder, and the folders that can't be opened; links to folders are not followed."""
    closed: list[str] = []
    files: list[str] = []
    for folder, below, names in os.walk(top, onerror=lambda error: closed.append(str(error.filename))):
        below[:] = [name for name in below if not _is_ours(name)]
        paths = [os.path.join(folder, name) for name in names if not _is_ours(name)]  # noqa: PTH118 - keeps odd names as they are
        files += [path for path in paths if Path(path).is_file()]
    return sorted(files + closed, key=lambda path: Path(path).parts)


def _is_ours(name: str) -> bool:
    """Hidden, or a database of ours."""
    return name.startswith(".") or name.endswith(".zertz")


def printable(text: str) -> str:
    """A text without anything that a terminal obeys or that is no character: such signs are escaped with a backslash."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


_TROUBLE = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    RuntimeError,
    ValueError,
    IndexError,
    MemoryError,
)
"""What is raised for files that can't be read, and for archives that are damaged, encrypted or packed in unknown ways."""


def places(files: Iterable[tuple[str, bool]]) -> Iterator[Place | Damage]:
    """Every member of every file: a file by itself, an archive's members one by one."""
    for path, named in files:
        if path == STANDARD_INPUT:
            yield Place(path, named=True)
            continue
        try:
            if Path(path).is_dir():
                yield Damage(Place(path, named=named), "the folder can't be opened")
            elif zipfile.is_zipfile(path):
                yield from _members(path)
            else:
                yield _file(path, named)
        except _TROUBLE as error:
            yield Damage(Place(path, named=named), f"can't be read: {_cause(error)}", _as_it_lies(path))


def _file(path: str, named: bool) -> Place | Damage:
    with Path(path).open("rb") as file:
        start = file.read(4)
    place = Place(path, size=Path(path).stat().st_size, named=named)
    if start == b"PK\x03\x04":
        return Damage(place, "a zip archive without its directory: it is truncated or damaged", _as_it_lies(path))
    return place


def _as_it_lies(path: str) -> bytes:
    try:
        return Path(path).read_bytes() if Path(path).stat().st_size <= LARGEST_MEMBER else b""
    except OSError:
        return b""


def _members(path: str) -> Iterator[Place]:
    met: set[str] = set()
    with zipfile.ZipFile(path) as archive:
        for number, entry in enumerate(archive.infolist()):
            if not entry.is_dir() and not _is_litter(entry.filename):
                name = _told_apart(entry.filename, met, number)
                yield Place(path, name, entry.file_size, number=number)


def _told_apart(name: str, met: set[str], number: int) -> str:
    """The name, or, where an archive has it already, one with the member's number (from 1): `game (7).sgf`."""
    stem, dot, ending = name.rpartition(".")
    while printable(name) in met:
        number += 1
        name = f"{stem} ({number}){dot}{ending}" if dot else f"{ending} ({number})"
    met.add(printable(name))
    return name


def _is_litter(name: str) -> bool:
    """What some systems put into archives beside what they were asked to."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2] in (".DS_Store", "Thumbs.db", "desktop.ini")


def read(wanted: Iterable[Place]) -> Iterator[Content | Damage]:
    """The bytes of places, in order; an archive is opened once for members that follow each other."""
    with ExitStack() as open_archives:
        archive: _Archive | None = None
        for place in wanted:
            try:
                if place.number < 0:
                    yield Content(place, _whole(place.path))
                    continue
                if archive is None or archive.path != place.path:
                    archive = None
                    open_archives.close()
                    archive = open_archives.enter_context(_Archive(place.path))
                content = archive.content(place)
            except _TROUBLE as error:
                content = Damage(place, f"can't be read: {_cause(error)}")
            yield content


def _whole(path: str) -> bytes:
    return standard_input() if path == STANDARD_INPUT else Path(path).read_bytes()


class _Archive:
    """A zip archive whose members are unpacked straight from the file: `ZipFile.read` takes half as long again."""

    def __init__(self, path: str) -> None:
        self.path = path
        with zipfile.ZipFile(path) as archive, Path(path).open("rb") as file:
            self._entries = archive.infolist()
            self._file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def __enter__(self) -> _Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def content(self, place: Place) -> Content | Damage:
        """The bytes of a member."""
        entry = self._entries[place.number]
        if entry.file_size > LARGEST_MEMBER:
            return Damage(place, f"it unpacks to {entry.file_size:,} bytes, more than records can have")
        if entry.flag_bits & 1 or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            with zipfile.ZipFile(self.path) as archive:
                return Content(place, archive.read(entry))
        packed = self._packed(entry)
        is_stored = entry.compress_type == zipfile.ZIP_STORED
        try:
            data, rest = (packed, b"") if is_stored else _inflated(packed, entry.file_size)
        except zlib.error as error:
            return Damage(place, f"can't be unpacked: {error}", packed)
        if len(data) != entry.file_size or zlib.crc32(data) != entry.CRC:
            return Damage(place, "is damaged: its size or its checksum is wrong", packed)
        return Content(place, data, deflated=b"" if is_stored or rest else packed)

    def _packed(self, entry: zipfile.ZipInfo) -> bytes:
        header = entry.header_offset
        if self._file[header : header + 4] != b"PK\x03\x04":
            raise zipfile.BadZipFile("the member's header is damaged")
        name, extra = struct.unpack_from("<HH", self._file, header + 26)
        begin = header + 30 + name + extra
        return self._file[begin : begin + entry.compress_size]


def _inflated(packed: bytes, size: int) -> tuple[bytes, bytes]:
    """At most one byte more than what it should be, and what is left of the packed ones."""
    inflating = zlib.decompressobj(-zlib.MAX_WBITS)
    data = inflating.decompress(packed, size + 1)
    return data, inflating.unused_data or (b"" if inflating.eof else packed)


@cache
def standard_input() -> bytes:
    """All of standard input: it can be read only once."""
    return sys.stdin.buffer.read()


def _cause(error: Exception) -> str:
    """What went wrong, in a few words."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


def chunks(found: Iterable[Place]) -> Iterator[list[Place]]:
    """Places in lots of about CHUNK_BYTES."""
    lot: list[Place] = []
    size = 0
    for place in found:
        if lot and size + place.size > CHUNK_BYTES:
            yield lot
            lot, size = [], 0
        lot.append(place)
        size += place.size
    if lot:
        yield lot
