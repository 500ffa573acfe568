"""Zip archives of any number of members in little memory: the directory is walked in the file, and members are unpacked straight from it.

The library makes an object for each member before the first can be had, a kilobyte each; archives may have a million members. It also
takes half as long again to unpack one, and unpacks some kinds without end, whatever the directory says. Source of the layout:
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
from typing import BinaryIO, NamedTuple, Protocol

from zertz_db.check.findings import DAMAGED, ENCRYPTED, LINK, TOO_LARGE
from zertz_db.ingest.sources.archive_entry import (
    MAX_MEMBER_BYTES,
    MAX_MEMBERS,
    READ_ERRORS,
    Entry,
    MemberRefusal,
    Source,
    get_length,
    get_max_unpacked,
    open_source,
)

_HEADER = struct.Struct("<4s22xHH")
"""What stands before a member: the lengths of its name and of further fields."""
_ENTRY = struct.Struct("<4s4xHH4xIIIHHH4xII")
"""What the directory says of a member: flags, method, checksum, sizes packed and unpacked, lengths of name, fields and comment,
attributes, header."""
_END = struct.Struct("<4s6xHIIH")
"""What stands behind the directory: the number of entries, its length, its place, the length of a comment."""
_ENTRY_COUNT_MODULUS = 1 << 16
"""The number of entries begins again at 0 there."""
_ZIP64_END = struct.Struct("<4s28xQQQ")
"""The same, before the end, where a number does not fit; then a locator of these bytes:"""
_ZIP64_LOCATOR_BYTES = 20
_MAX_COMMENT = 1 << 16
_BLOCK = 1 << 18
"""Bytes of a directory that are read at a time."""
_ZIP64_MARKER = 0xFFFFFFFF
_UTF_8_FLAG = 1 << 11
_ENCRYPTED_FLAG = 1


class _Member(NamedTuple):
    """A member's entry: where its header is, bytes packed and unpacked, and so on; `next` is where the next entry begins."""

    name: bytes
    header: int
    packed_size: int
    size: int
    checksum: int
    method: int
    flags: int
    attributes: int
    next: int


def _build_damage_error() -> zipfile.BadZipFile:
    return zipfile.BadZipFile("the archive's directory is damaged, or has changed")


class ZipArchive:
    """A zip archive that is open, an `Archive`. The numbers of members are the places of their entries, from the directory's begin."""

    is_slow = False

    def __init__(self, source: Source) -> None:
        self._file = open_source(source)
        self._block, self._at = b"", 0
        """A stretch of the directory, and where it begins."""
        try:
            self._length = get_length(self._file)
            self._begin, self._end, self._shift, self._stated = _find_directory(self._file, self._length)
        except BaseException:
            self._file.close()
            raise

    def entries(self) -> Iterator[Entry]:
        """Every member but folders. Raises Refused if they are more, or unpack to more, than any archive of records."""
        with suppress(zipfile.BadZipFile):  # it is raised again behind the members before it
            self._weigh()
        count = 0
        for at, member in self._walk():
            count += 1
            if not member.name.endswith(b"/"):
                yield Entry(_text(member), member.size, at - self._begin)
        if (self._stated - count) % _ENTRY_COUNT_MODULUS:
            raise zipfile.BadZipFile(
                f"the archive's end says that it has {self._stated:,} members, its directory lists {count:,}: the others can't be found"
            )

    def _weigh(self) -> None:
        total = 0
        for count, (_, member) in enumerate(self._walk(), start=1):
            packed = min(member.packed_size, self._length)
            if not _is_too_large(member.size, packed):  # what is too large by itself is told in its turn
                total += packed + member.size
            if count > MAX_MEMBERS:
                raise MemberRefusal(f"it has more than {MAX_MEMBERS:,} members: no archive of records does", TOO_LARGE)
            if total > get_max_unpacked(self._length):
                raise MemberRefusal(
                    f"{count:,} of its members unpack to {total:,} bytes: no archive of records does", TOO_LARGE
                )

    def _walk(self) -> Iterator[tuple[int, _Member]]:
        at = self._begin
        while at < self._end:
            member = self._member(at)
            yield at, member
            at = member.next

    def _member(self, at: int) -> _Member:
        begin = self._within_block(at, _ENTRY.size)
        if begin + _ENTRY.size > len(self._block):
            raise _build_damage_error()
        sign, flags, method, checksum, packed, size, name, fields, comment, attributes, header = _ENTRY.unpack_from(
            self._block, begin
        )
        if sign != b"PK\x01\x02":
            raise _build_damage_error()
        named = self._within_block(at, _ENTRY.size + name + fields) + _ENTRY.size
        behind = named + name
        if _ZIP64_MARKER in (size, packed, header):
            size, packed, header = _read_zip64_fields(self._block[behind : behind + fields], size, packed, header)
        return _Member(
            self._block[named:behind],
            header + self._shift,
            packed,
            size,
            checksum,
            method,
            flags,
            attributes,
            at + _ENTRY.size + name + fields + comment,
        )

    def _within_block(self, at: int, count: int) -> int:
        """Where in the block this place of the directory is, with so many bytes from there, if there are so many."""
        behind = min(at + count, self._end)
        if at < self._at or behind > self._at + len(self._block):
            self._block, self._at = self._bytes(at, min(max(count, _BLOCK), self._end - at)), at
        return at - self._at

    def content(self, number: int, size: int) -> tuple[bytes, bytes]:  # noqa: ARG002 - its entry says it
        """As `Archive.content`."""
        member = self._member(self._begin + number)
        packed = self._packed(member)
        if member.flags & _ENCRYPTED_FLAG:
            raise MemberRefusal("it is encrypted", ENCRYPTED, packed)
        if stat.S_ISLNK(member.attributes >> 16):
            raise MemberRefusal("a link: links in archives are not followed", LINK, packed)
        if member.method not in _UNPACKERS:
            raise MemberRefusal(
                f"it is packed by method {member.method}, which is not known here: pack it anew", DAMAGED, packed
            )
        try:
            data, is_all = _UNPACKERS[member.method](packed, member.size)
        except READ_ERRORS as error:
            raise MemberRefusal(f"can't be unpacked: {str(error) or type(error).__name__}", DAMAGED, packed) from error
        if len(data) != member.size or zlib.crc32(data) != member.checksum:
            raise MemberRefusal("is damaged: its size or its checksum is wrong", DAMAGED, packed)
        return data, packed if is_all and member.method == zipfile.ZIP_DEFLATED else b""

    def _packed(self, member: _Member) -> bytes:
        """A member's bytes as they lie there. Raises Refused, before they are read, if they are more than records can have."""
        header = self._bytes(member.header, _HEADER.size)
        if len(header) < _HEADER.size or header[:4] != b"PK\x03\x04":
            raise zipfile.BadZipFile("the member's header is damaged")
        _, name, fields = _HEADER.unpack(header)
        begin = member.header + _HEADER.size + name + fields
        there = min(member.packed_size, max(0, self._length - begin))
        if _is_too_large(member.size, there):
            raise MemberRefusal(f"it comes to {max(member.size, there):,} bytes, more than records can have", TOO_LARGE)
        return self._bytes(begin, there)

    def _bytes(self, at: int, count: int) -> bytes:
        """So many bytes from there, or as many as the file has."""
        return _read_at(self._file, at, count) if 0 <= at < self._length and count > 0 else b""

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def _read_at(file: BinaryIO, at: int, count: int) -> bytes:
    """Bytes are read, not mapped into memory: somebody may cut the file meanwhile, which would end the process."""
    file.seek(at)
    return file.read(count)


def _find_directory(file: BinaryIO, length: int) -> tuple[int, int, int, int]:
    """Return where the directory begins and ends, by how much all is shifted by other bytes before it, and the stated number of members."""
    first = max(0, length - _END.size - _MAX_COMMENT)
    tail = _read_at(file, first, length - first)
    at = _find_end_record(tail)
    _, stated, directory, place, _ = _END.unpack_from(tail, at)
    end = first + at
    large = end - _ZIP64_LOCATOR_BYTES - _ZIP64_END.size
    if large >= 0:
        before = _read_at(file, large, _ZIP64_END.size + _ZIP64_LOCATOR_BYTES)
        if before.startswith(b"PK\x06\x06") and before[_ZIP64_END.size :].startswith(b"PK\x06\x07"):
            _, stated, directory, place = _ZIP64_END.unpack_from(before)
            end = large
    if directory > end:
        raise zipfile.BadZipFile("the archive's directory is damaged")
    return end - directory, end, end - directory - place, stated


def _find_end_record(tail: bytes) -> int:
    """Where it is: the last whose comment goes on to the file's end, as comments may hold its sign; else the last, as bytes may be lost."""
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
    """Sizes and place, those that did not fit from the entry's further fields."""
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


def _text(member: _Member) -> str:
    encoding = "utf-8" if member.flags & _UTF_8_FLAG else "cp437"
    return member.name.decode(encoding, "surrogateescape")


def _is_too_large(size: int, packed: int) -> bool:
    return max(size, packed) > MAX_MEMBER_BYTES or size > get_max_unpacked(packed)


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def _decompress(unpacking: _Decompressor, packed: bytes, size: int) -> tuple[bytes, bool]:
    """At most one byte more than what it should be, and whether just the packed ones, and all of them, are that."""
    data = unpacking.decompress(packed, size + 1)
    return data, unpacking.eof and not unpacking.unused_data


def _unpack_stored(packed: bytes, size: int) -> tuple[bytes, bool]:  # noqa: ARG001 - as the others
    return packed, True


def _inflate(packed: bytes, size: int) -> tuple[bytes, bool]:
    return _decompress(zlib.decompressobj(-zlib.MAX_WBITS), packed, size)


def _bunzip(packed: bytes, size: int) -> tuple[bytes, bool]:
    return _decompress(bz2.BZ2Decompressor(), packed, size)


def _unpack_lzma(packed: bytes, size: int) -> tuple[bytes, bool]:
    """The format of files of its own has the same bytes behind another header; `size` may be all that tells where they end."""
    begin = 4 + int.from_bytes(packed[2:4], "little")
    of_a_file = packed[4:begin] + b"\xff" * 8 + packed[begin:]
    data, is_all = _decompress(lzma.LZMADecompressor(lzma.FORMAT_ALONE, MAX_MEMBER_BYTES), of_a_file, size)
    return data[:size], is_all


_UNPACKERS: dict[int, Callable[[bytes, int], tuple[bytes, bool]]] = {
    zipfile.ZIP_STORED: _unpack_stored,
    zipfile.ZIP_DEFLATED: _inflate,
    zipfile.ZIP_BZIP2: _bunzip,
    zipfile.ZIP_LZMA: _unpack_lzma,
}
