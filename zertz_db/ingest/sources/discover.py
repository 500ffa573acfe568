"""Where records come from: files, folders, archives and standard input, as places that are to be read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from parser import faults
from zertz_db.check.findings import OUR_FAULT, TOO_LARGE
from zertz_db.ingest.sources.archive_entry import READ_ERRORS, Archive, Entry, MemberRefusal, Source, get_max_unpacked
from zertz_db.ingest.sources.archives import has_archive_name, open_archive
from zertz_db.ingest.sources.place import Damage, FileList, Place, SourceError, SourceItem, escape_unprintable

STANDARD_INPUT = "-"
PASTED_NAME = "pasted.txt"
"""The name of a text that was pasted into a page."""
UPLOAD_NAME = "upload.txt"
"""The name of an upload that has none of its own."""
GENERIC_NAMES = frozenset((STANDARD_INPUT, PASTED_NAME, UPLOAD_NAME))
"""Names of anything: what comes under them is never a new version of what came before."""
MAX_DEPTH = 3
"""So many archives may lie within each other."""
LARGE_FILE_BYTES = 8_000_000
"""Files of more bytes than this are looked at piece by piece, and never are in memory as a whole."""
BATCH_BYTES = 2_000_000
"""About so many bytes go to a worker at a time: enough to be worth the way, few enough to share out evenly."""
MIN_WEIGHT = 500
"""Bytes: what is to be read weighs so much at least, else a million empty files were a single lot."""


def find_files(paths: Iterable[str | Path]) -> FileList:
    """Every file below the paths, in order, each once, and whether it was named itself.

    Hidden files and databases of our own inside folders are passed over. Raises SourceError for a path that does not exist, and for
    a folder without files.
    """
    found: dict[str, bool] = {}
    for path in map(str, paths):
        if path == STANDARD_INPUT or Path(path).is_file():
            found[path] = True
        elif Path(path).is_dir():
            inside = _walk_folder(path)
            if not inside:
                raise SourceError(f"{escape_unprintable(path)}: the folder has no files in it")
            for file in inside:
                found.setdefault(file, False)
        elif Path(path).exists():
            raise SourceError(f"{escape_unprintable(path)}: neither a file nor a folder")
        else:
            raise SourceError(f"{escape_unprintable(path)}: no such file or folder")
    return list(found.items())


def _walk_folder(top: str) -> list[str]:
    """The files below a folder, and the folders that can't be opened; links to folders are not followed."""
    closed: list[str] = []
    files: list[str] = []
    for folder, below, names in os.walk(top, onerror=lambda error: closed.append(str(error.filename))):
        below[:] = [name for name in below if not _is_excluded(name)]
        paths = [os.path.join(folder, name) for name in names if not _is_excluded(name)]  # noqa: PTH118 - keeps odd names as they are
        files += [path for path in paths if Path(path).is_file()]
    return sorted(files + closed, key=lambda path: Path(path).parts)


def _is_excluded(name: str) -> bool:
    """Hidden, or a database of ours."""
    return name.startswith(".") or name.endswith(".zertz")


def list_places(files: Iterable[tuple[str, bool]]) -> Iterator[SourceItem]:
    """Every member of every file: a file by itself, an archive's members one by one, those of archives within it too."""
    for path, named in files:
        place = Place(path, named=named)
        try:
            place = place._replace(size=_get_size(path))
            if path != STANDARD_INPUT and Path(path).is_dir():
                yield Damage(place, "the folder can't be opened")
            else:
                yield from _list_places_in_file(place)
        except (*READ_ERRORS, MemberRefusal) as error:
            yield build_damage(place, error)
        except Exception as error:  # noqa: BLE001 - one file must not stop the others
            yield build_failure(place, error)


def _list_places_in_file(place: Place) -> Iterator[SourceItem]:
    container = open_archive(get_source(place.path))
    if container is not None:
        yield from _ArchiveWalker(place).of(container)
    elif place.path == STANDARD_INPUT:
        yield place._replace(named=True)
    else:
        yield place


def get_source(path: str) -> Source:
    """What the bytes of a file can be had from."""
    return read_standard_input() if path == STANDARD_INPUT else path


def _get_size(path: str) -> int:
    return 0 if path == STANDARD_INPUT else Path(path).stat().st_size


class _FileTooLarge(MemberRefusal):
    """All that a file holds, at every depth, is more than any file of records: what is left of it is not read."""

    def __init__(self, message: str) -> None:
        super().__init__(f"{message}: no archive of records does; the rest of it is not read", TOO_LARGE)


class _ArchiveWalker:
    """The members of a file that is an archive, and of the archives within it."""

    def __init__(self, file: Place) -> None:
        self._file = file
        self._size = len(read_standard_input()) if file.path == STANDARD_INPUT else file.size
        self._met: set[str] = set()
        self._tried: dict[str, int] = {}
        """Up to which number the names that others were told apart by are taken."""
        self._unpacked = 0
        """Bytes of all members so far, at every depth, archives within archives included."""

    def of(self, container: Archive, within: Place | None = None, depth: int = 0) -> Iterator[SourceItem]:
        """Those of one archive: the file itself, or the one at `within`, so many archives deep. Closes it."""
        try:
            for count, entry in enumerate(container.entries()):
                if not _is_system_file(entry.name):
                    yield from self._place(container, entry, count, within, depth)
        except _FileTooLarge as error:
            if within is not None:
                raise
            yield build_damage(self._file, error)
        except (*READ_ERRORS, MemberRefusal) as error:
            yield build_damage(within or self._file, error)
        except Exception as error:  # noqa: BLE001 - as above
            yield build_failure(within or self._file, error)
        finally:
            container.close()

    def _place(
        self, container: Archive, entry: Entry, count: int, within: Place | None, depth: int
    ) -> Iterator[SourceItem]:
        name = entry.name or get_unpacked_name(within.member if within else self._file.path)
        full = f"{within.member}!{name}" if within else name
        self._unpacked += entry.size
        if within is not None and self._unpacked > get_max_unpacked(self._size):
            raise _FileTooLarge(f"its members and theirs unpack to more than {get_max_unpacked(self._size):,} bytes")
        told_apart = self._make_unique_name(full, count)
        remark = "" if told_apart == full else "the archive has another member of this name"
        place = Place(
            self._file.path,
            told_apart,
            entry.size,
            number=entry.number,
            within=within,
            remark=entry.remark or _describe_odd_name(name) or remark,
        )
        if entry.refusal is not None:
            yield build_damage(place, entry.refusal)
        elif has_archive_name(name):
            yield from self._archive(container, place, depth)
        else:
            yield place

    def _archive(self, container: Archive, place: Place, depth: int) -> Iterator[SourceItem]:
        """The members of an archive within another; where it is none in spite of its name, itself."""
        if depth >= MAX_DEPTH:
            message = f"archives within each other, more than {MAX_DEPTH}: it is not looked into"
            yield Damage(place, message, kind=TOO_LARGE)
            return
        try:
            inner = open_archive(container.content(place.number, place.size)[0])
        except (*READ_ERRORS, MemberRefusal) as error:
            yield build_damage(place, error)
            return
        except Exception as error:  # noqa: BLE001 - as above
            yield build_failure(place, error)
            return
        if inner is None:
            yield place
        else:
            yield from self.of(inner, place, depth + 1)

    def _make_unique_name(self, name: str, number: int) -> str:
        """The name, or, where the archive has it already, one with the member's number (from 1): `game (7).sgf`."""
        shown = escape_unprintable(name)
        if shown not in self._met:
            self._met.add(shown)
            return name
        stem, dot, ending = name.rpartition(".")
        number = max(number, self._tried.get(shown, 0))
        other = name
        while escape_unprintable(other) in self._met:
            number += 1
            other = f"{stem} ({number}){dot}{ending}" if dot else f"{ending} ({number})"
        self._met.add(escape_unprintable(other))
        self._tried[shown] = number
        return other


def get_unpacked_name(packed: str) -> str:
    """Return the name of what is in a compressed file: its own without the ending."""
    name = packed.rpartition("!")[2].replace(os.sep, "/").rpartition("/")[2]
    return name.rpartition(".")[0] or name


def _describe_odd_name(name: str) -> str:
    """What is to be said of a name that would lead out of the folder into which somebody unpacks the archive."""
    if name.startswith(("/", "\\")) or name[1:2] == ":" or ".." in name.replace("\\", "/").split("/"):
        return "its name leads out of the archive; nothing is written, so it does no harm here"
    return ""


def _is_system_file(name: str) -> bool:
    """What some systems put into archives beside what they were asked to."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2] in (".DS_Store", "Thumbs.db", "desktop.ini")


def build_damage(place: Place, error: Exception) -> Damage:
    """A place that can't be read, and why, in a few words."""
    if isinstance(error, MemberRefusal):
        return Damage(place, str(error), error.data, error.kind)
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Damage(place, f"can't be read: {said or type(error).__name__}")


def build_failure(place: Place, error: Exception, data: bytes = b"") -> Damage:
    """Return a place at which zertz itself fails, as one that can't be read; log the error."""
    faults.log(error, place.name)
    return Damage(place, faults.message(error), data, OUR_FAULT)


@cache
def read_standard_input() -> bytes:
    """All of standard input: it can be read only once."""
    return sys.stdin.buffer.read()


def get_weight(found: SourceItem) -> int:
    """How much work it is to read it, in bytes."""
    return max(found.size, MIN_WEIGHT)


def split_batches(found: Iterable[SourceItem]) -> Iterator[list[SourceItem]]:
    """What there is to read in lots of about CHUNK_BYTES."""
    lot: list[SourceItem] = []
    size = 0
    for place in found:
        if lot and size + get_weight(place) > BATCH_BYTES:
            yield lot
            lot, size = [], 0
        lot.append(place)
        size += get_weight(place)
    if lot:
        yield lot
