"""The bytes of places: files, and members from the archive in which they are, which stays open for those that follow."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from zertz_db.ingest.containers import open_container
from zertz_db.ingest.entries import LARGEST_MEMBER, TROUBLE, Container, Refused, Source, length_of, opened
from zertz_db.ingest.large_files import Bytes, LargeFile
from zertz_db.ingest.sources import LARGE, STANDARD_INPUT, Content, Damage, Found, Place, damage, failure, source_of


def read(wanted: Iterable[Found]) -> Iterator[Content | Damage]:
    """The bytes of places, in order, what can't be read in its turn; an archive is opened once for members that follow each other."""
    path = None
    try:
        for place in wanted:
            if isinstance(place, Damage):
                yield place if place.place.member else place._replace(data=_as_it_lies(place.path))
                continue
            try:
                yield _content(place, place.path == path)
            except (*TROUBLE, Refused) as error:
                yield damage(place, error)
            except Exception as error:  # noqa: BLE001 - one file or member must not stop the others
                yield failure(place, error, _as_it_lies(place.path) if place.number < 0 else b"")
            path = place.path
    finally:
        _open_archives.close_quick_ones()


def _content(place: Place, is_begun: bool) -> Content:
    if place.number < 0:
        return Content(place, _whole(place))
    data, deflated = _open_archives.container_of(place, is_begun).content(place.number, place.size)
    return Content(place, data, None, deflated)


def _whole(place: Place) -> Bytes:
    source = source_of(place.path)
    if isinstance(source, bytes):
        return source
    if place.size > LARGE:
        return LargeFile(Path(source))
    return Path(source).read_bytes()


def _as_it_lies(path: str) -> bytes:
    try:
        with opened(source_of(path)) as file:
            return file.read() if length_of(file) <= LARGEST_MEMBER else b""
    except OSError:
        return b""


class _OpenArchives(threading.local):
    """The archive that is being read, with those in which it is. A slow one stays open for the next lot, which goes on in it.

    Each thread has its own: the pages read what several people have brought at once.
    """

    def __init__(self) -> None:
        self._open: list[tuple[object, Container]] = []

    def container_of(self, place: Place, is_begun: bool) -> Container:
        """The archive in which a place is; archives in which it is not are closed. is_begun: the last place was of the same file."""
        if is_begun and self._open:
            inmost, last = self._open[-1]
            if place.within == inmost or (place.within is None and len(self._open) == 1):
                return last
        chain = []
        outer = place.within
        while outer is not None:
            chain.append(outer)
            outer = outer.within
        file = self._open[0][0] if is_begun and self._open else (place.path, _state(place.path))
        keys: list[object] = [file, *reversed(chain)]
        both = zip(keys, self._open, strict=False)
        kept = next((at for at, (key, (old, _)) in enumerate(both) if old != key), min(len(keys), len(self._open)))
        self._close(kept)
        for key in keys[kept:]:
            source: Source = source_of(place.path)
            if isinstance(key, Place):
                source = self._open[-1][1].content(key.number, key.size)[0]
            container = open_container(source)
            if container is None:
                raise Refused("it is no archive any more")
            self._open.append((key, container))
        return self._open[-1][1]

    def close_quick_ones(self) -> None:
        """Close what costs nothing to open again."""
        if not (self._open and self._open[0][1].is_slow):
            self._close(0)

    def _close(self, kept: int) -> None:
        while len(self._open) > kept:
            self._open.pop()[1].close()


_open_archives = _OpenArchives()


def _state(path: str) -> tuple[int, ...]:
    """What changes when a file does."""
    if path == STANDARD_INPUT:
        return ()
    known = Path(path).stat()
    return known.st_mtime_ns, known.st_size, known.st_ino
