"""Tar archives and compressed files, also one within the other: read as streams, of which none unpacks to more than records can be."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Iterator
from typing import BinaryIO, Protocol, Self

from zertz_db.check.findings import DAMAGED, LINK, TOO_LARGE
from zertz_db.ingest.entries import (
    LARGEST_MEMBER,
    MOST_MEMBERS,
    TROUBLE,
    Container,
    Entry,
    Refused,
    Source,
    length_of,
    most_unpacked,
    opened,
)

LARGEST_STREAM = 20_000_000_000
"""Bytes that a compressed archive may unpack to in all."""
_BLOCK = tarfile.BLOCKSIZE


def open_tar(source: Source) -> Container | None:
    """The archive or the single compressed file that a file or some bytes are; None where they are neither. Raises what is in TROUBLE."""
    with opened(source) as file:
        start = file.read(_BLOCK)
    unpack = next((unpack for magic, unpack in _COMPRESSED.items() if start.startswith(magic)), None)
    if unpack is not None:
        return _compressed(source, unpack)
    return _Tar(opened(source), is_slow=False) if _is_tar(start) else None


def _is_tar(start: bytes) -> bool:
    try:
        tarfile.TarInfo.frombuf(start, "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


class _Unpack(Protocol):
    def __call__(self, file: BinaryIO) -> BinaryIO: ...


def _gunzip(file: BinaryIO) -> BinaryIO:
    return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]


def _bunzip(file: BinaryIO) -> BinaryIO:
    return bz2.BZ2File(file)  # type: ignore[return-value]


def _unxz(file: BinaryIO) -> BinaryIO:
    return lzma.LZMAFile(file)  # type: ignore[return-value]


_COMPRESSED: dict[bytes, _Unpack] = {b"\x1f\x8b\x08": _gunzip, b"BZh": _bunzip, b"\xfd7zXZ\0": _unxz}


def _compressed(source: Source, unpack: _Unpack) -> Container:
    """A compressed archive, or a single compressed file."""
    file = opened(source)
    packed = length_of(file)
    stream = _Bounded(unpack(file), packed, file)
    try:
        if _is_tar(stream.read(_BLOCK)):
            stream.seek(0)
            return _Tar(stream, is_slow=True)
    except TROUBLE:
        pass  # it is told when its content is asked for
    stream.close()
    return _Single(source, unpack, packed)


class _Bounded(io.BufferedIOBase):
    """A stream of unpacked bytes that ends in Refused where it comes, or is read at once, to more than records can be."""

    def __init__(self, stream: BinaryIO, packed: int, file: BinaryIO) -> None:
        self._stream, self._file = stream, file
        self._limit = min(LARGEST_STREAM, most_unpacked(packed))

    def read(self, size: int | None = -1) -> bytes:
        """As of any file."""
        left = self._limit - self._stream.tell()
        wanted = left + 1 if size is None or size < 0 else min(size, left + 1)
        if wanted > LARGEST_MEMBER + 1:  # tars may claim names of any length
            raise _too_large(LARGEST_MEMBER)
        data = self._stream.read(wanted)
        if len(data) > left:
            raise _too_large(self._limit)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """As of any file."""
        if whence == io.SEEK_SET and offset > self._limit:
            raise _too_large(self._limit)
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        """As of any file."""
        return self._stream.tell()

    def close(self) -> None:
        """Also what is below it."""
        self._stream.close()
        self._file.close()


def _too_large(limit: int) -> Refused:
    return Refused(f"it unpacks to more than {limit:,} bytes: no archive of records does", TOO_LARGE)


class _Single:
    """A single compressed file: its one member has its name without the ending."""

    is_slow = False

    def __init__(self, source: Source, unpack: _Unpack, packed: int) -> None:
        self._source, self._unpack, self._packed = source, unpack, packed

    def entries(self) -> Iterator[Entry]:
        yield Entry("", self._packed, 0)

    def content(self, number: int, size: int) -> tuple[bytes, bytes]:  # noqa: ARG002 - it has but one
        file = opened(self._source)
        stream = _Bounded(self._unpack(file), self._packed, file)
        try:
            data = stream.read(LARGEST_MEMBER + 1)
        finally:
            stream.close()
        if len(data) > LARGEST_MEMBER:
            raise _too_large(LARGEST_MEMBER)
        return data, b""

    def close(self) -> None:
        pass


class _Header(tarfile.TarInfo):
    """A member's header. The library takes a damaged one for the archive's end, and what lies behind it would be lost in silence."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """As there; raises Refused where it is neither a header nor the end."""
        try:
            return super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if not buf.strip(b"\0"):
                raise
            raise Refused("a member's header is damaged: what lies behind it can't be found") from error


class _Tar:
    """A tar archive. The numbers of members are the places at which their bytes begin, so that nobody has to look for them twice."""

    def __init__(self, file: BinaryIO | _Bounded, is_slow: bool) -> None:
        self._file = file
        self.is_slow = is_slow

    def entries(self) -> Iterator[Entry]:
        with tarfile.open(fileobj=self._file, mode="r:", errorlevel=2, tarinfo=_Header) as archive:
            last = -1
            for count, member in enumerate(archive):
                archive.members = []  # type: ignore[attr-defined] # they would pile up
                if member.size < 0 or member.offset <= last:  # it would go on for ever
                    raise Refused("is damaged: a member's size is less than nothing")
                last = member.offset
                if count >= MOST_MEMBERS:
                    raise Refused(f"it has more than {MOST_MEMBERS:,} members", TOO_LARGE)
                if not member.isdir():
                    yield Entry(member.name, member.size, member.offset_data, _tar_refusal(member))

    def content(self, number: int, size: int) -> tuple[bytes, bytes]:
        self._file.seek(number)
        data = self._file.read(size)
        if len(data) < size:
            raise Refused("the archive is truncated here", DAMAGED, data)
        return data, b""

    def close(self) -> None:
        self._file.close()


def _tar_refusal(member: tarfile.TarInfo) -> Refused | None:
    if member.issym() or member.islnk():
        return Refused(f"a link to {member.linkname!r}: links in archives are not followed", LINK)
    if not member.isreg():
        return Refused("a device or pipe, no file", LINK)
    if member.issparse() or member.size > LARGEST_MEMBER:
        return Refused(f"it unpacks to {member.size:,} bytes, more than records can have", TOO_LARGE)
    return None
