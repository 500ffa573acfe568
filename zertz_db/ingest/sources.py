"""Where records come from: files, folders, zip archives and standard input, as members with their bytes."""

from __future__ import annotations

import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

STANDARD_INPUT = "-"
CHUNK_BYTES = 3_000_000
"""About so many bytes go to a worker at a time: enough to be worth the way, few enough to share out evenly."""


class SourceError(Exception):
    """A path that can't be read at all; the message names the cause."""


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


class Damage(NamedTuple):
    """An archive, or a member, whose bytes can't be had; `place` says which."""

    place: Place
    message: str


class Content(NamedTuple):
    """A member's bytes."""

    place: Place
    data: bytes


def find_files(paths: Iterable[str | Path]) -> list[tuple[str, bool]]:
    """Every file below the paths, in order, each once, and whether it was named itself.

    Hidden files and databases of our own inside folders are passed over. Raises SourceError for a path that does not exist, and for
    a folder without files.
    """
    found: dict[str, bool] = {}
    for path in map(str, paths):
        if path == STANDARD_INPUT or Path(path).is_file():
            found[path] = True
        elif Path(path).is_dir():
            inside = [
                file for file in sorted(Path(path).rglob("*")) if file.is_file() and not _is_ours(file, Path(path))
            ]
            if not inside:
                raise SourceError(f"{path}: the folder has no files in it")
            for file in inside:
                found.setdefault(str(file), False)
        elif Path(path).exists():
            raise SourceError(f"{path}: neither a file nor a folder")
        else:
            raise SourceError(f"{path}: no such file or folder")
    return list(found.items())


def _is_ours(file: Path, top: Path) -> bool:
    inner = file.relative_to(top).parts
    return any(part.startswith(".") or part.endswith(".zertz") for part in inner)


def places(files: Iterable[tuple[str, bool]]) -> Iterator[Place | Damage]:
    """Every member of every file: a file by itself, an archive's members one by one."""
    for path, named in files:
        if path == STANDARD_INPUT:
            yield Place(path, named=True)
            continue
        try:
            if zipfile.is_zipfile(path):
                yield from _members(path)
            else:
                yield _file(path, named)
        except (OSError, zipfile.BadZipFile) as error:
            yield Damage(Place(path, named=named), f"can't be read: {_cause(error)}")


def _file(path: str, named: bool) -> Place | Damage:
    with Path(path).open("rb") as file:
        start = file.read(4)
    place = Place(path, size=Path(path).stat().st_size, named=named)
    if start == b"PK\x03\x04":
        return Damage(place, "a zip archive without its directory: it is truncated or damaged")
    return place


def _members(path: str) -> Iterator[Place]:
    with zipfile.ZipFile(path) as archive:
        for number, entry in enumerate(archive.infolist()):
            if not entry.is_dir() and not _is_litter(entry.filename):
                yield Place(path, entry.filename, entry.file_size, number=number)


def _is_litter(name: str) -> bool:
    """What some systems put into archives beside what they were asked to."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2] in (".DS_Store", "Thumbs.db", "desktop.ini")


def read(wanted: Iterable[Place]) -> Iterator[Content | Damage]:
    """The bytes of places, in order; an archive is opened once for members that follow each other."""
    archive: zipfile.ZipFile | None = None
    path = ""
    try:
        for place in wanted:
            if place.number >= 0 and path != place.path:
                if archive:
                    archive.close()
                archive, path = zipfile.ZipFile(place.path), place.path
            yield _content(place, archive)
    finally:
        if archive:
            archive.close()


def _content(place: Place, archive: zipfile.ZipFile | None) -> Content | Damage:
    try:
        if place.path == STANDARD_INPUT:
            return Content(place, standard_input())
        if place.number < 0 or archive is None:
            return Content(place, Path(place.path).read_bytes())
        return Content(place, archive.read(archive.infolist()[place.number]))
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        # RuntimeError and NotImplementedError are what zipfile raises for encrypted members and unknown compressions.
        return Damage(place, f"can't be read: {_cause(error)}")


@cache
def standard_input() -> bytes:
    """All of standard input: it can be read only once."""
    return sys.stdin.buffer.read()


def _cause(error: Exception) -> str:
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
