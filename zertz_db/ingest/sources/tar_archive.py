"""Tar archives and compressed files, also nested, as streams with a limit on what they unpack to."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Iterator
from typing import Any, BinaryIO, Self

from zertz_db.check.findings import DAMAGED, LINK, TOO_LARGE
from zertz_db.ingest.sources.archive_entry import (
    MAX_MEMBER_BYTES,
    MAX_MEMBERS,
    READ_ERRORS,
    Archive,
    Entry,
    MemberRefusal,
    Source,
    get_length,
    get_max_unpacked,
    open_source,
)
from zertz_db.ingest.sources.compressed_file import CompressedFile, Format, detect_format

MAX_STREAM_BYTES = 20_000_000_000
"""Maximum bytes to which a compressed archive may unpack in all."""
_BLOCK = tarfile.BLOCKSIZE
_SPARSE = 1 << 62
"""A bit of the number of a sparse member."""
_PIECE_BYTES = 2_048 * _BLOCK
_MAX_PADDING_BYTES = 20 * _PIECE_BYTES
"""Maximum bytes after an archive's end in which another one is searched for."""


def open_tar(source: Source) -> Archive | None:
    """Open a file or bytes as a tar archive or a compressed file; return None if it is neither. Raise an error of READ_ERRORS."""
    with open_source(source) as file:
        packed = get_length(file)
        start = file.read(_BLOCK)
    form = detect_format(start)
    if form is not None:
        return _open_compressed(source, form)
    return _TarArchive(open_source(source), packed, is_slow=False) if _is_tar(start) else None


def _is_tar(start: bytes) -> bool:
    try:
        tarfile.TarInfo.frombuf(start, "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def _open_compressed(source: Source, form: Format) -> Archive:
    """Open a compressed archive, or a single compressed file."""
    file = open_source(source)
    packed = get_length(file)
    stream = _BoundedStream(form.open(file), packed, file)
    try:
        if _is_tar(stream.read(_BLOCK)):
            stream.seek(0)
            return _TarArchive(stream, packed, is_slow=True)
    except READ_ERRORS:
        pass  # it is reported when its content is measured
    stream.close()
    return CompressedFile(source, form)


class _BoundedStream(io.BufferedIOBase):
    """A stream of unpacked bytes that raises MemberRefusal beyond the limits, in all or in one read."""

    def __init__(self, stream: BinaryIO, packed: int, file: BinaryIO) -> None:
        self._stream, self._file = stream, file
        self._limit = min(MAX_STREAM_BYTES, get_max_unpacked(packed))

    def read(self, size: int | None = -1) -> bytes:
        """Read as any file. Raise MemberRefusal beyond the limits."""
        left = self._limit - self._stream.tell()
        wanted = left + 1 if size is None or size < 0 else min(size, left + 1)
        if wanted > MAX_MEMBER_BYTES + 1:  # tars may claim names of any length
            raise _build_size_error(MAX_MEMBER_BYTES)
        data = self._stream.read(wanted)
        if len(data) > left:
            raise _build_size_error(self._limit)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Seek as any file. Raise MemberRefusal beyond the limits."""
        if whence == io.SEEK_SET and offset > self._limit:
            raise _build_size_error(self._limit)
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        """Return the position in the unpacked bytes."""
        return self._stream.tell()

    def close(self) -> None:
        """Close the stream and the file below it."""
        self._stream.close()
        self._file.close()


def _build_size_error(limit: int) -> MemberRefusal:
    return MemberRefusal(f"it unpacks to more than {limit:,} bytes: no archive of records does", TOO_LARGE)


class _Header(tarfile.TarInfo):
    """A member's header. The library takes a damaged one for the archive's end, and would silently lose everything after it."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Parse a header. Raise MemberRefusal if it is neither a header nor the end."""
        try:
            return super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if not buf.strip(b"\0"):
                raise
            raise MemberRefusal("a member's header is damaged: the members after it can't be found") from error

    remark = ""

    def _proc_pax(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        """Read an extended header only if it is whole: Python's versions read damaged ones differently."""
        file: Any = archive.fileobj
        begin = file.tell()
        blocks = -(-self.size // _BLOCK)
        if _is_extended_header(file.read(blocks * _BLOCK)[: self.size]):
            file.seek(begin)
            return super()._proc_pax(archive)  # type: ignore[misc, no-any-return]
        try:
            member = self.fromtarfile(archive)
        except tarfile.HeaderError as error:
            raise MemberRefusal("a member's extended header is damaged, and no header follows it") from error
        member.remark = "its extended header is damaged and left out: name, size and date are those of its plain header"
        member.offset = self.offset
        return member


def _is_extended_header(data: bytes) -> bool:
    """Return whether the bytes are records `LENGTH NAME=VALUE` with a line feed and correct lengths (POSIX, pax, extended header)."""
    at = 0
    while data[at:].strip(b"\0"):
        match = _PAX_RECORD.match(data, at)
        end = at + int(match[1]) if match else 0
        if match is None or not match.end() < end <= len(data) or data[end - 1 : end] != b"\n":
            return False
        at = end
    return True


_PAX_RECORD = re.compile(rb"([0-9]{1,10}) [^=\n]+=")


class _TarArchive:
    """A tar archive. The number of a member is the offset of its bytes, so none is searched for twice.

    The number of a sparse member is the offset of its header, which has the places of its parts, and a bit more.
    """

    def __init__(self, file: BinaryIO | _BoundedStream, packed: int, is_slow: bool) -> None:
        self._file = file
        self.is_slow = is_slow
        self._max_sparse = get_max_unpacked(packed)
        """Maximum bytes of all sparse members: their holes take no bytes in the archive."""

    def entries(self) -> Iterator[Entry]:
        begin: int | None = 0
        last, count, sparse = -1, 0, 0
        while begin is not None:
            self._file.seek(begin)
            with tarfile.open(fileobj=self._file, mode="r:", errorlevel=2, tarinfo=_Header) as archive:
                for member in archive:
                    archive.members = []  # type: ignore[attr-defined] # they would fill the memory
                    if member.size < 0 or member.offset <= last:  # it would never end
                        raise MemberRefusal("is damaged: a member's size is negative")
                    last, count = member.offset, count + 1
                    if count > MAX_MEMBERS:
                        raise MemberRefusal(f"it has more than {MAX_MEMBERS:,} members", TOO_LARGE)
                    if not member.isdir():
                        name, remark = member.name.partition("\0")[0], getattr(member, "remark", "")
                        refusal, number = _find_refusal(member), member.offset_data
                        if refusal is None and member.issparse():
                            refusal, number = self._find_refusal_of_sparse(member, sparse), member.offset | _SPARSE
                            sparse += 0 if refusal else member.size
                        yield Entry(name, member.size, number, refusal, remark)
                end = archive.offset
            begin = self._find_next_part(end)

    def _find_next_part(self, end: int) -> int | None:
        """Return the offset of the archive that follows an archive's end (`cat a.tar b.tar`), or None if only padding follows."""
        self._file.seek(end)
        for at in range(end, end + _MAX_PADDING_BYTES, _PIECE_BYTES):
            piece = self._file.read(_PIECE_BYTES)
            own = len(piece) - len(piece.lstrip(b"\0"))
            if own < len(piece):
                block = own - own % _BLOCK
                if not _is_tar((piece[block:] + self._file.read(_BLOCK))[:_BLOCK]):
                    raise MemberRefusal("other bytes follow the archive's end, which are not read")
                return at + block
            if len(piece) < _PIECE_BYTES:
                break
        return None

    def _find_refusal_of_sparse(self, member: tarfile.TarInfo, before: int) -> MemberRefusal | None:
        """Return why a sparse member has no bytes. before: bytes of the sparse members before it."""
        if before + member.size > self._max_sparse:
            return _build_size_error(self._max_sparse)
        end = 0
        for at, length in _sparse_parts(member):
            if length and not end <= at <= at + length <= member.size:
                return MemberRefusal("is damaged: the parts of a sparse file overlap, or are beyond its end")
            end = max(end, at + length)
        return None

    def _read_sparse(self, header: int, size: int) -> bytes:
        """Return the bytes of a sparse member, with zeros in its holes."""
        self._file.seek(header)
        with tarfile.open(fileobj=self._file, mode="r:", errorlevel=2, tarinfo=_Header) as archive:
            member = archive.next()
        if member is None or not member.issparse():
            raise MemberRefusal("the archive has changed")
        content = bytearray(size)
        self._file.seek(member.offset_data)
        for at, length in _sparse_parts(member):
            data = self._file.read(length)
            content[at : at + length] = data
            if len(data) < length:
                raise MemberRefusal("the archive is truncated here", DAMAGED, bytes(content[: at + len(data)]))
        return bytes(content)

    def content(self, number: int, size: int) -> bytes:
        if number & _SPARSE:
            return self._read_sparse(number - _SPARSE, size)
        self._file.seek(number)
        data = self._file.read(size)
        if len(data) < size:
            raise MemberRefusal("the archive is truncated here", DAMAGED, data)
        return data

    def close(self) -> None:
        self._file.close()


def _sparse_parts(member: tarfile.TarInfo) -> list[tuple[int, int]]:
    """Return the offset and length of each part of a sparse member; the parts follow each other in the archive."""
    header: Any = member
    return header.sparse or []


def _find_refusal(member: tarfile.TarInfo) -> MemberRefusal | None:
    if member.issym() or member.islnk():
        return MemberRefusal(f"a link to {member.linkname!r}: links in archives are not followed", LINK)
    if not member.isreg():
        return MemberRefusal("a device or pipe, not a file", LINK)
    if member.size > MAX_MEMBER_BYTES:
        return MemberRefusal(f"it unpacks to {member.size:,} bytes, more than records can have", TOO_LARGE)
    return None
