"""Zip archives with any number of members in little memory: read the directory in the file, and unpack members straight from it.

The library makes an object of half a kilobyte for each member before the first can be read; archives may have a million members. It also
takes half as long again to unpack one, and unpacks some kinds without limit, whatever the directory states. Source of the layout:
APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12 to 4.3.16, 4.5.3 and 5.8.8.
"""

from __future__ import annotations

import bz2
import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import BinaryIO, NamedTuple, Protocol

from zertz_db.check.findings import DAMAGED, ENCRYPTED, LINK, TOO_LARGE
from zertz_db.ingest.sources.archive_entry import (
    MAX_MEMBER_BYTES,
    MAX_MEMBERS,
    READ_ERRORS,
    REST_NAME,
    Entry,
    MemberRefusal,
    Source,
    get_length,
    get_max_unpacked,
    open_source,
)
from zertz_db.plurals import format_count

try:
    from isal import isal_zlib
except ImportError:
    isal_zlib = None  # type: ignore[assignment]

_HEADER = struct.Struct("<4s22xHH")
"""The header before a member: the lengths of its name and of further fields."""
_ENTRY = struct.Struct("<4s4xHH4xIIIHHH4xII")
"""An entry of the directory: flags, method, checksum, sizes packed and unpacked, lengths of name, fields and comment, attributes,
header."""
_END = struct.Struct("<4s6xHIIH")
"""The record after the directory: the number of entries, its length, its offset, the length of a comment."""
_ENTRY_COUNT_MODULUS = 1 << 16
"""The modulus of the number of entries, which overflows."""
_ZIP64_END = struct.Struct("<4s28xQQQ")
"""The record before that one if a number does not fit; a locator of this many bytes follows it:"""
_ZIP64_LOCATOR_BYTES = 20
_MAX_COMMENT = 1 << 16
MAX_REST = 1 << 20
"""Bytes after an archive's end within which its end is searched for, if there is none where a comment may begin."""
_BLOCK = 1 << 19
"""Bytes of a directory to read at a time: several of the largest entries."""
_MAX_ENTRY = _ENTRY.size + 2 * 0xFFFF
"""Maximum bytes of an entry that are read: its comment is not."""
_SMALL_DIRECTORY = 1 << 16
"""Size in bytes up to which a directory is parsed as a whole: those of some hundred members."""
_SMALL_ARCHIVE = 1 << 20
"""Size in bytes up to which an archive is read as a whole with its first member: those of some thousand members."""
_CACHED_DIRECTORIES = 32
"""Number of parsed directories in memory: an archive is opened to list its members, and again to read them."""
_ZIP64_MARKER = 0xFFFFFFFF
_MAGIC = b"PK\x03\x04"
"""The first bytes of a member's header."""
_MEMBERS_TRIED = 1000
"""Number of members whose headers are searched for before a directory counts as wrong."""
_PADDING = b"\0\r\n"
"""Bytes with which disks and transfers fill a file; nothing is lost with them."""
_UTF_8_FLAG = 1 << 11
_ENCRYPTED_FLAG = 1


class _Member(NamedTuple):
    """A member's entry: the offset of its header, bytes packed and unpacked, and so on. next: the offset of the next entry."""

    name: bytes
    header: int
    packed_size: int
    size: int
    checksum: int
    method: int
    flags: int
    attributes: int
    next: int


class ZipArchive:
    """An open zip archive, an `Archive`. The number of a member is the offset of its entry in the directory.

    max_rest: maximum number of bytes after the record at its end, its comment included.
    """

    is_slow = False

    def __init__(self, source: Source, max_rest: int = _MAX_COMMENT) -> None:
        self._file = open_source(source)
        self._data = source if isinstance(source, bytes) else None
        self._block, self._at = b"", 0
        """A segment of the directory, and its offset."""
        try:
            self._length = get_length(self._file)
            self._begin, self._end, self._shift, self._stated, self._last = _find_directory(
                self._file, self._length, max_rest
            )
            self._members = self._parse_small_directory()
        except BaseException:
            self._file.close()
            raise

    def entries(self) -> Iterator[Entry]:
        """Yield every member except folders, and other bytes after the archive as a refused one.

        Raise MemberRefusal if there are too many members, or they unpack to too many bytes.
        """
        with suppress(zipfile.BadZipFile):  # it is raised again after the members before it
            self._weigh()
        count = 0
        for at, member in self._walk():
            count += 1
            if not member.name.endswith(b"/"):
                yield Entry(_text(member), member.size, at - self._begin)
        if (self._stated - count) % _ENTRY_COUNT_MODULUS:
            raise zipfile.BadZipFile(
                f"the archive's end states {self._stated:,} members, its directory lists {count:,}: the others can't be found"
            )
        rest = self._bytes(self._last, self._length - self._last)
        if rest.strip(_PADDING):
            refusal = MemberRefusal(f"{format_count(len(rest), 'byte')} after the archive's end: not read", data=rest)
            yield Entry(REST_NAME, len(rest), self._end - self._begin, refusal)

    def has_usable_directory(self) -> bool:
        """Return whether the directory can be parsed, and one of its first members is where it states."""
        if not self._members and self._end - self._begin <= _SMALL_DIRECTORY:
            return False
        with suppress(*READ_ERRORS):
            return any(self._bytes(member.header, 4) == _MAGIC for _, member in islice(self._walk(), _MEMBERS_TRIED))
        return False

    def _parse_small_directory(self) -> dict[int, _Member]:
        """Return the members of a small directory by the offset of the entry; none of a large or odd one."""
        if self._end - self._begin > _SMALL_DIRECTORY:
            return {}
        return _parse_directory(self._bytes(self._begin, self._end - self._begin), self._begin, self._shift)

    def _weigh(self) -> None:
        total = sum(member.packed_size + member.size for member in self._members.values())
        if 0 < len(self._members) <= MAX_MEMBERS and total <= get_max_unpacked(0):
            return  # no member is too large, nor are all together
        total = 0
        for count, (_, member) in enumerate(self._walk(), start=1):
            packed = min(member.packed_size, self._length)
            if not _is_too_large(member.size, packed):  # a member that is too large itself is reported in its turn
                total += packed + member.size
            if count > MAX_MEMBERS:
                raise MemberRefusal(f"it has more than {MAX_MEMBERS:,} members: no archive of records does", TOO_LARGE)
            if total > get_max_unpacked(self._length):
                raise MemberRefusal(
                    f"{count:,} of its members unpack to {total:,} bytes: no archive of records does", TOO_LARGE
                )

    def _walk(self) -> Iterator[tuple[int, _Member]]:
        if self._members:
            yield from self._members.items()
            return
        at = self._begin
        while at < self._end:
            member = self._member(at)
            yield at, member
            at = member.next

    def _member(self, at: int) -> _Member:
        """Return the member whose entry is at an offset; read the next segment of the directory if necessary."""
        if at in self._members:
            return self._members[at]
        if at < self._at or min(at + _MAX_ENTRY, self._end) > self._at + len(self._block):
            self._block, self._at = self._bytes(at, min(_BLOCK, self._end - at)), at
        return _unpack_member(self._block, at - self._at, self._at, self._shift)

    def content(self, number: int, size: int) -> bytes:  # noqa: ARG002 - its entry has it
        """Return the bytes of a member. Raise MemberRefusal."""
        member = self._member(self._begin + number)
        packed = self._packed(member)
        if member.flags & _ENCRYPTED_FLAG:
            raise MemberRefusal("it is encrypted", ENCRYPTED, packed)
        if stat.S_ISLNK(member.attributes >> 16):
            raise MemberRefusal("a link: links in archives are not followed", LINK, packed)
        if member.method not in _UNPACKERS:
            raise MemberRefusal(
                f"it is packed by method {member.method}, which is not supported: pack it again", DAMAGED, packed
            )
        if (whole := _inflate_whole(packed, member)) is not None:
            return whole
        try:
            data = _UNPACKERS[member.method](packed, member.size)
        except READ_ERRORS as error:
            raise MemberRefusal(f"can't be unpacked: {str(error) or type(error).__name__}", DAMAGED, packed) from error
        if len(data) != member.size or zlib.crc32(data) != member.checksum:
            raise MemberRefusal("is damaged: its size or its checksum is wrong", DAMAGED, packed)
        return data

    def _packed(self, member: _Member) -> bytes:
        """Return a member's packed bytes. Raise MemberRefusal, before they are read, if they are more than records can have."""
        if self._data is None and self._length <= _SMALL_ARCHIVE:
            self._data = _read_at(self._file, 0, self._length)
        header = self._bytes(member.header, _HEADER.size)
        if len(header) < _HEADER.size or header[:4] != _MAGIC:
            raise zipfile.BadZipFile("the member's header is damaged")
        _, name, fields = _HEADER.unpack(header)
        begin = member.header + _HEADER.size + name + fields
        available = min(member.packed_size, max(0, self._length - begin))
        if _is_too_large(member.size, available):
            raise MemberRefusal(
                f"it comes to {max(member.size, available):,} bytes, more than records can have", TOO_LARGE
            )
        return self._bytes(begin, available)

    def _bytes(self, at: int, count: int) -> bytes:
        """Return this number of bytes from an offset, or as many as the file has."""
        if self._data is not None and at >= 0 and count > 0:
            return self._data[at : at + count]
        return _read_at(self._file, at, count) if 0 <= at < self._length and count > 0 else b""

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _read_at(file: BinaryIO, at: int, count: int) -> bytes:
    """Read bytes. The file is not mapped: if another program truncated it, that would end the process."""
    file.seek(at)
    return file.read(count)


def _find_directory(file: BinaryIO, length: int, max_rest: int) -> tuple[int, int, int, int, int]:
    """Return start and end of the directory, the shift by other bytes before the archive, the stated number of members, and the
    archive's end with its comment.
    """
    first = max(0, length - _END.size - max_rest)
    tail = _read_at(file, first, length - first)
    at = _find_end_record(tail)
    _, stated, directory, place, comment = _END.unpack_from(tail, at)
    end = first + at
    last = end + _END.size + comment
    large = end - _ZIP64_LOCATOR_BYTES - _ZIP64_END.size
    if large >= 0:
        before = _read_at(file, large, _ZIP64_END.size + _ZIP64_LOCATOR_BYTES)
        if before.startswith(b"PK\x06\x06") and before[_ZIP64_END.size :].startswith(b"PK\x06\x07"):
            _, stated, directory, place = _ZIP64_END.unpack_from(before)
            end = large
    if directory > end:
        raise zipfile.BadZipFile("the archive's directory is damaged")
    return end - directory, end, end - directory - place, stated, last


def _find_end_record(tail: bytes) -> int:
    """Return the offset of the end record: the last whose comment ends with the file, since comments may contain its magic; or the last."""
    last = at = tail.rfind(b"PK\x05\x06", 0, len(tail) - _END.size + 4)
    while at >= 0:
        *_, comment = _END.unpack_from(tail, at)
        if at + _END.size + comment == len(tail):
            return at
        at = tail.rfind(b"PK\x05\x06", 0, at + 3)
    if last < 0:
        raise zipfile.BadZipFile("the archive has no directory")
    return last


def _read_zip64_fields(fields: bytes, *values: int) -> tuple[int, ...]:
    """Return sizes and offset; those that did not fit come from the entry's further fields."""
    at = 0
    while at + 4 <= len(fields):
        kind, length = struct.unpack_from("<HH", fields, at)
        at += 4
        if kind == 1:
            count = values.count(_ZIP64_MARKER)
            if 8 * count > min(length, len(fields) - at):
                raise zipfile.BadZipFile("the archive's directory is damaged: sizes are missing")
            missing = iter(struct.unpack_from(f"<{count}Q", fields, at))
            return tuple(next(missing) if value == _ZIP64_MARKER else value for value in values)
        at += length
    return values


@lru_cache(maxsize=_CACHED_DIRECTORIES)
def _parse_directory(directory: bytes, begin: int, shift: int) -> dict[int, _Member]:
    """Return the members of a directory by the offset of the entry; none if the directory is damaged."""
    members: dict[int, _Member] = {}
    at, end = begin, begin + len(directory)
    while at < end:
        try:
            members[at] = member = _unpack_member(directory, at - begin, begin, shift)
        except zipfile.BadZipFile:
            return {}
        at = member.next
    return members if at == end else {}


def _unpack_member(block: bytes, begin: int, offset: int, shift: int) -> _Member:
    """Return the member whose entry begins at an index of a part of the directory. offset: of that part in the file."""
    if not block.startswith(b"PK\x01\x02", begin) or begin + _ENTRY.size > len(block):
        raise zipfile.BadZipFile("the archive's directory is damaged, or has changed")
    _, flags, method, checksum, packed, size, name, fields, comment, attributes, header = _ENTRY.unpack_from(
        block, begin
    )
    first = begin + _ENTRY.size
    last = first + name
    if _ZIP64_MARKER in (size, packed, header):
        size, packed, header = _read_zip64_fields(block[last : last + fields], size, packed, header)
    end = offset + last + fields + comment
    return _Member(block[first:last], header + shift, packed, size, checksum, method, flags, attributes, end)


def _text(member: _Member) -> str:
    if member.name.isascii():
        return member.name.decode("ascii")
    encoding = "utf-8" if member.flags & _UTF_8_FLAG else "cp437"
    return member.name.decode(encoding, "surrogateescape")


def _is_too_large(size: int, packed: int) -> bool:
    return max(size, packed) > MAX_MEMBER_BYTES or size > get_max_unpacked(packed)


class _Decompressor(Protocol):
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def _decompress(unpacking: _Decompressor, packed: bytes, size: int) -> bytes:
    """Return at most `size` + 1 unpacked bytes."""
    return unpacking.decompress(packed, size + 1)


def _unpack_stored(packed: bytes, size: int) -> bytes:  # noqa: ARG001 - as the others
    return packed


def _inflate_whole(packed: bytes, member: _Member) -> bytes | None:
    """Return the bytes of a usual member that is whole, by isal; None for any other, and without isal: zlib says what is wrong."""
    if isal_zlib is None or member.method != zipfile.ZIP_DEFLATED:
        return None
    try:
        data = _decompress(isal_zlib.decompressobj(-zlib.MAX_WBITS), packed, member.size)
    except Exception:  # noqa: BLE001 - whatever is wrong, zlib names it
        return None
    return data if len(data) == member.size and isal_zlib.crc32(data) == member.checksum else None


def _inflate(packed: bytes, size: int) -> bytes:
    return _decompress(zlib.decompressobj(-zlib.MAX_WBITS), packed, size)


def _bunzip(packed: bytes, size: int) -> bytes:
    return _decompress(bz2.BZ2Decompressor(), packed, size)


def _unpack_lzma(packed: bytes, size: int) -> bytes:
    """Unpack LZMA: its files have another header before the same bytes; only `size` may determine the end."""
    begin = 4 + int.from_bytes(packed[2:4], "little")
    of_a_file = packed[4:begin] + b"\xff" * 8 + packed[begin:]
    return _decompress(lzma.LZMADecompressor(lzma.FORMAT_ALONE, MAX_MEMBER_BYTES), of_a_file, size)[:size]


_UNPACKERS: dict[int, Callable[[bytes, int], bytes]] = {
    zipfile.ZIP_STORED: _unpack_stored,
    zipfile.ZIP_DEFLATED: _inflate,
    zipfile.ZIP_BZIP2: _bunzip,
    zipfile.ZIP_LZMA: _unpack_lzma,
}
