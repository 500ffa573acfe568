"""Read the bytes of files and members; an archive stays open for its next members."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from zertz_db.ingest.sources.archive_entry import (
    MAX_MEMBER_BYTES,
    READ_ERRORS,
    Archive,
    MemberRefusal,
    Source,
    get_length,
    open_source,
)
from zertz_db.ingest.sources.archives import open_archive
from zertz_db.ingest.sources.discover import LARGE_FILE_BYTES, STANDARD_INPUT, build_damage, build_failure, get_source
from zertz_db.ingest.sources.place import ByteSource, Content, Damage, LargeFile, Place, SourceItem


def read_contents(wanted: Iterable[SourceItem]) -> Iterator[Content | Damage]:
    """Yield the bytes of places in order, unreadable ones as Damage. Open an archive once for consecutive members."""
    path = None
    try:
        for place in wanted:
            if isinstance(place, Damage):
                yield place if place.place.member else place._replace(data=_read_damaged(place.path))
                continue
            try:
                yield _read_content(place, place.path == path)
            except (*READ_ERRORS, MemberRefusal) as error:
                yield build_damage(place, error)
            except Exception as error:  # noqa: BLE001 - one file or member must not stop the others
                yield build_failure(place, error, _read_damaged(place.path) if place.number < 0 else b"")
            path = place.path
    finally:
        _open_archives.close_fast()


def _read_content(place: Place, is_begun: bool) -> Content:
    if place.number < 0:
        return Content(place, _read_whole(place))
    return Content(place, _open_archives.find_archive(place, is_begun).content(place.number, place.size))


def _read_whole(place: Place) -> ByteSource:
    source = get_source(place.path)
    if isinstance(source, bytes):
        return source
    if place.size > LARGE_FILE_BYTES:
        return LargeFile(Path(source))
    return Path(source).read_bytes()


def _read_damaged(path: str) -> bytes:
    try:
        with open_source(get_source(path)) as file:
            return file.read() if get_length(file) <= MAX_MEMBER_BYTES else b""
    except OSError:
        return b""


class _OpenArchives(threading.local):
    """The archive that is read at the moment, and those around it. A slow one stays open for the next batch, which continues in it.

    Each thread has its own, because several users of the pages may upload at once.
    """

    def __init__(self) -> None:
        self._open: list[tuple[object, Archive]] = []

    def find_archive(self, place: Place, is_begun: bool) -> Archive:
        """Return the archive of a place; close those without it. is_begun: the last place was in the same file."""
        if is_begun and self._open:
            innermost, last = self._open[-1]
            if place.within == innermost or (place.within is None and len(self._open) == 1):
                return last
        chain = []
        outer = place.within
        while outer is not None:
            chain.append(outer)
            outer = outer.within
        file = self._open[0][0] if is_begun and self._open else (place.path, _state(place.path))
        keys: list[object] = [file, *reversed(chain)]
        both = zip(keys, self._open, strict=False)
        shared = next((at for at, (key, (old, _)) in enumerate(both) if old != key), min(len(keys), len(self._open)))
        self._close(shared)
        for key in keys[shared:]:
            source: Source = get_source(place.path)
            if isinstance(key, Place):
                source = self._open[-1][1].content(key.number, key.size)
            container = open_archive(source)
            if container is None:
                raise MemberRefusal("it is not an archive any more")
            self._open.append((key, container))
        return self._open[-1][1]

    def close_fast(self) -> None:
        """Close archives that cost nothing to open again."""
        if not (self._open and self._open[0][1].is_slow):
            self._close(0)

    def _close(self, depth: int) -> None:
        while len(self._open) > depth:
            self._open.pop()[1].close()


_open_archives = _OpenArchives()


def _state(path: str) -> tuple[int, ...]:
    """Return values that change with a file."""
    if path == STANDARD_INPUT:
        return ()
    known = Path(path).stat()
    return known.st_mtime_ns, known.st_size, known.st_ino
