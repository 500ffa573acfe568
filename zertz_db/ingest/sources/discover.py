"""Find records in files, folders, archives and standard input, as places to read."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from zertz_db.check.findings import OUR_FAULT, TOO_LARGE
from zertz_db.extras import MissingPackage
from zertz_db.ingest.sources.archive_entry import READ_ERRORS, Archive, Entry, MemberRefusal, Source, get_max_unpacked
from zertz_db.ingest.sources.archives import MAGIC_BYTES, begins_like_archive, has_archive_name, open_archive
from zertz_db.ingest.sources.place import Damage, FileList, Place, SourceError, SourceItem, escape_unprintable
from zertz_db.parser import faults

STANDARD_INPUT = "-"
PASTED_NAME = "pasted.txt"
"""The name of a text that was pasted into a page."""
UPLOAD_NAME = "upload.txt"
"""The name of an upload without a name."""
GENERIC_NAMES = frozenset((STANDARD_INPUT, PASTED_NAME, UPLOAD_NAME))
"""Generic names: a source with one is never a new version of an earlier one."""
MAX_DEPTH = 3
"""Maximum depth of archives within archives."""
LARGE_FILE_BYTES = 8_000_000
"""Size from which files are read piece by piece, and never are in memory as a whole."""
BATCH_BYTES = 3_000_000
"""Approximate bytes of a batch for a worker: enough to be worth the transfer, few enough to share out evenly."""
MIN_WEIGHT = 500
"""Minimum weight of an item in bytes; without it, a million empty files would be a single batch."""


def find_files(paths: Iterable[str | Path]) -> FileList:
    """Return every file below the paths once, in order, and whether the user named it.

    Skip hidden files and zertz-db databases inside folders. Raise SourceError for a path that does not exist, and for a folder without
    files.
    """
    files: dict[str, bool] = {}
    for path in map(str, paths):
        if path == STANDARD_INPUT or Path(path).is_file():
            files[path] = True
        elif Path(path).is_dir():
            inside = _walk_folder(path)
            if not inside:
                raise SourceError(f"{escape_unprintable(path)}: the folder has no files in it")
            for file in inside:
                files.setdefault(file, False)
        elif Path(path).exists():
            raise SourceError(
                f"{escape_unprintable(path)}: neither a file nor a folder; a pipe can be read as standard input: -"
            )
        else:
            raise SourceError(f"{escape_unprintable(path)}: no such file or folder")
    return list(files.items())


def _walk_folder(top: str) -> list[str]:
    """Return the files below a folder, and the folders that can't be opened. Do not follow links to folders."""
    closed: list[str] = []
    files = [*_each_file(top, closed)]
    return sorted(files + closed, key=lambda path: Path(path).parts)


def _each_file(top: str, closed: list[str]) -> Iterator[str]:
    """Yield the files below a folder; add folders that can't be opened to `closed`."""
    for folder, below, names in os.walk(top, onerror=lambda error: closed.append(str(error.filename))):
        below[:] = [name for name in below if not _is_excluded(name)]
        paths = [os.path.join(folder, name) for name in names if not _is_excluded(name)]  # noqa: PTH118 - preserves odd names
        yield from (path for path in paths if Path(path).is_file())


def have_bytes(paths: Iterable[str], least: int) -> bool:
    """Return whether the files below the paths have `least` bytes or more. Stop at the file that settles it.

    Standard input counts as empty. Raise OSError for a path that can't be read.
    """
    size = 0
    for top in paths:
        for path in _each_file(top, []) if Path(top).is_dir() else (top,):
            size += _get_size(path)
            if size >= least:
                return True
    return False


def _is_excluded(name: str) -> bool:
    """Return whether a name is hidden, or a database of ours."""
    return name.startswith(".") or name.endswith(".zertz")


def list_places(files: Iterable[tuple[str, bool]]) -> Iterator[SourceItem]:
    """Yield every member of every file: a file itself, an archive's members one by one, those of nested archives too."""
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
    """Return the source of a file's bytes: its path, or the bytes of standard input."""
    return read_standard_input() if path == STANDARD_INPUT else path


def _get_size(path: str) -> int:
    return 0 if path == STANDARD_INPUT else Path(path).stat().st_size


class _FileTooLarge(MemberRefusal):
    """All members of a file, at every depth, are larger than any file of records; the rest is not read."""

    def __init__(self, message: str) -> None:
        super().__init__(f"{message}: no archive of records does; the rest of it is not read", TOO_LARGE)


class _ArchiveWalker:
    """A walk through the members of an archive, and of the archives within it."""

    def __init__(self, file: Place) -> None:
        self._file = file
        self._size = len(read_standard_input()) if file.path == STANDARD_INPUT else file.size
        self._seen: set[str] = set()
        self._tried: dict[str, int] = {}
        """The last number tried to make a name unique, by that name."""
        self._unpacked = 0
        """Bytes of all members so far, at every depth, including archives within archives."""

    def of(self, container: Archive, within: Place | None = None, depth: int = 0) -> Iterator[SourceItem]:
        """Yield the members of an archive: of the file itself, or of its member `within`, at this depth. Close it."""
        try:
            for count, entry in enumerate(container.entries()):
                if within is None and self._is_plain(entry):
                    self._seen.add(entry.name)
                    self._unpacked += entry.size
                    yield Place(self._file.path, entry.name, entry.size, False, entry.number)
                    continue
                if _is_system_file(entry.name):
                    continue
                name = entry.name or get_unpacked_name(within.member if within else self._file.path)
                place = self._build_place(entry, name, count, within)
                if entry.refusal is not None:
                    yield build_damage(place, entry.refusal)
                elif has_archive_name(name) or self._is_packed_again(container, entry):
                    yield from self._archive(container, place, depth)
                else:
                    yield place
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

    def _is_plain(self, entry: Entry) -> bool:
        """Return whether an entry is a file of records like most, for which nothing else has to be decided."""
        return (
            entry.refusal is None
            and not entry.remark
            and _PLAIN_NAME.fullmatch(entry.name) is not None
            and entry.name not in self._seen
        )

    @staticmethod
    def _is_packed_again(container: Archive, entry: Entry) -> bool:
        """Return whether the content of a compressed file, which has no name of its own, begins like an archive."""
        return not entry.name and begins_like_archive(container.content(entry.number, MAGIC_BYTES))

    def _build_place(self, entry: Entry, name: str, count: int, within: Place | None) -> Place:
        full = f"{within.member}!{name}" if within else name
        self._unpacked += entry.size
        if within is not None and self._unpacked > get_max_unpacked(self._size):
            raise _FileTooLarge(f"its members and theirs unpack to more than {get_max_unpacked(self._size):,} bytes")
        unique = self._make_unique_name(full, count)
        remark = "" if unique == full else "the archive has another member of this name"
        remark = entry.remark or _describe_odd_name(name) or remark
        return Place(self._file.path, unique, entry.size, False, entry.number, within, remark)

    def _archive(self, container: Archive, place: Place, depth: int) -> Iterator[SourceItem]:
        """Yield the members of an archive within another; a member that is not an archive despite its name itself."""
        if depth >= MAX_DEPTH:
            message = f"archives nested more than {MAX_DEPTH} deep: it is not opened"
            yield Damage(place, message, kind=TOO_LARGE)
            return
        try:
            inner = open_archive(container.content(place.number, place.size))
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
        """Return the name, or one with the member's number (from 1) if the archive has it already: `game (7).sgf`."""
        shown = escape_unprintable(name)
        if shown not in self._seen:
            self._seen.add(shown)
            return name
        stem, dot, ending = name.rpartition(".")
        number = max(number, self._tried.get(shown, 0))
        other = name
        while escape_unprintable(other) in self._seen:
            number += 1
            other = f"{stem} ({number}){dot}{ending}" if dot else f"{ending} ({number})"
        self._seen.add(escape_unprintable(other))
        self._tried[shown] = number
        return other


def get_unpacked_name(packed: str) -> str:
    """Return the name of the member of a compressed file: the file's name without the suffix of the compression."""
    name = packed.rpartition("!")[2].replace(os.sep, "/").rpartition("/")[2]
    return (name.rpartition(".")[0] or name) if has_archive_name(name) else name


_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _+(),!/-]*\.(?:sgf|txt)")
"""Names that are printable, lead nowhere, and are those of neither archives nor system files."""
_SYSTEM_FILES = (".DS_Store", "Thumbs.db", "desktop.ini")


def _describe_odd_name(name: str) -> str:
    """Return a remark on a name that would lead out of the folder where a user unpacks the archive, or ""."""
    if (
        name.startswith(("/", "\\"))
        or name[1:2] == ":"
        or (".." in name and ".." in name.replace("\\", "/").split("/"))
    ):
        return "its name leads out of the archive; nothing is written, so it does no harm here"
    return ""


def _is_system_file(name: str) -> bool:
    """Return whether a file is one that some systems add to archives unasked."""
    return name.startswith("__MACOSX/") or (name.endswith(_SYSTEM_FILES) and name.rpartition("/")[2] in _SYSTEM_FILES)


def build_damage(place: Place, error: Exception) -> Damage:
    """Return a place that can't be read, with a short reason."""
    if isinstance(error, MemberRefusal):
        return Damage(place, str(error), error.data, error.kind)
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Damage(place, f"can't be read: {reason or type(error).__name__}")


def build_failure(place: Place, error: Exception, data: bytes = b"") -> Damage:
    """Return a place at which zertz itself fails, as one that can't be read; log the error, unless a package is missing."""
    if isinstance(error, MissingPackage):
        return build_damage(place, error)
    faults.log(error, place.name)
    return Damage(place, faults.message(error), data, OUR_FAULT)


@cache
def read_standard_input() -> bytes:
    """Return all of standard input, which can be read only once."""
    return sys.stdin.buffer.read()


def get_weight(item: SourceItem) -> int:
    """Return the work of reading an item, in bytes."""
    return max(item.size, MIN_WEIGHT)


def split_batches(items: Iterable[SourceItem]) -> Iterator[list[SourceItem]]:
    """Yield the items in batches of about BATCH_BYTES."""
    batch: list[SourceItem] = []
    size = 0
    for place in items:
        weight = get_weight(place)
        if batch and size + weight > BATCH_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(place)
        size += weight
    if batch:
        yield batch
