"""Zip archives of any number of members in little memory: the directory is walked in the file, and members are unpacked straight from it.

The library makes an object for each member before the first can be had, a kilobyte each; archives may have a million members. It also
takes half as long again to unpack one. Source of the layout: APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12 to 4.3.16 and 4.5.3.
"""

from __future__ import annotations

import io
import mmap
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from zertz_db.check.findings import DAMAGED, ENCRYPTED, LINK, TOO_LARGE
from zertz_db.ingest.entries import LARGEST_MEMBER, MOST_MEMBERS, Entry, Refused, Source, most_unpacked

_KEPT = 8_000_000
"""So many bytes of an archive that have been read may stay in memory."""

_HEADER = struct.Struct("<4s22xHH")
"""What stands before a member: the lengths of its name and of further fields."""
_ENTRY = struct.Struct("<4s4xHH4xIIIHHH4xII")
"""What the directory says of a member: flags, method, checksum, sizes packed and unpacked, lengths of name, fields and comment,
attributes, header."""
_END = struct.Struct("<4s8xIIH")
"""What stands behind the directory: its length, its place, the length of a comment."""
_LARGE_END = struct.Struct("<4s36xQQ")
"""The same, before the end, where a number does not fit; then a locator of these bytes:"""
_LOCATOR = 20
_LONGEST_COMMENT = 1 << 16
_DOES_NOT_FIT = 0xFFFFFFFF
_IN_UTF_8 = 1 << 11
_IS_ENCRYPTED = 1


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


class Zip:
    """A zip archive that is open, a `Container`. The numbers of members are the places of their entries, from the directory's begin."""

    is_slow = False

    def __init__(self, source: Source) -> None:
        self._source = source
        self._bytes: bytes | mmap.mmap = _mapped(source) if isinstance(source, str) else source
        self._begin, self._end, self._shift = _directory(self._bytes)
        self._let_go = 0
        self._library: _Library | None = None

    def entries(self) -> Iterator[Entry]:
        """Every member but folders. Raises Refused if they are more, or unpack to more, than any archive of records."""
        members = total = 0
        for _, member in self._walk():
            members, total = members + 1, total + member.size
        if total > most_unpacked(len(self._bytes)) or members > MOST_MEMBERS:
            raise Refused(f"its {members:,} members unpack to {total:,} bytes: no archive of records does", TOO_LARGE)
        for at, member in self._walk():
            self._let_go_of_what_is_before(at)
            if not member.name.endswith(b"/"):
                yield Entry(_text(member), member.size, at - self._begin)

    def _walk(self) -> Iterator[tuple[int, _Member]]:
        at = self._begin
        while at < self._end:
            member = self._member(at)
            yield at, member
            at = member.next

    def _member(self, at: int) -> _Member:
        sign, flags, method, checksum, packed, size, name, fields, comment, attributes, header = _ENTRY.unpack_from(
            self._bytes, at
        )
        if sign != b"PK\x01\x02":
            raise zipfile.BadZipFile("the archive's directory is damaged, or has changed")
        named = at + _ENTRY.size
        behind = named + name
        if _DOES_NOT_FIT in (size, packed, header):
            extra = self._bytes[behind : behind + fields]
            size, packed, header = _large(extra, size, packed, header)
        return _Member(
            self._bytes[named:behind],
            header + self._shift,
            packed,
            size,
            checksum,
            method,
            flags,
            attributes,
            behind + fields + comment,
        )

    def content(self, number: int, size: int) -> tuple[bytes, bytes]:  # noqa: ARG002 - its entry says it
        """As `Container.content`."""
        if number >= self._end - self._begin:
            raise zipfile.BadZipFile("the archive has changed and has fewer members")
        member = self._member(self._begin + number)
        packed = self._packed(member)
        refused = _refusal(member, packed)
        if refused is not None:
            raise refused
        if member.method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            return self._read_by_library(member), b""
        is_stored = member.method == zipfile.ZIP_STORED
        try:
            data, rest = (packed, b"") if is_stored else _inflated(packed, member.size)
        except zlib.error as error:
            raise Refused(f"can't be unpacked: {error}", DAMAGED, packed) from error
        if len(data) != member.size or zlib.crc32(data) != member.checksum:
            raise Refused("is damaged: its size or its checksum is wrong", DAMAGED, packed)
        return data, b"" if is_stored or rest else packed

    def _packed(self, member: _Member) -> bytes:
        at = member.header
        if at < 0 or self._bytes[at : at + 4] != b"PK\x03\x04":
            raise zipfile.BadZipFile("the member's header is damaged")
        _, name, fields = _HEADER.unpack_from(self._bytes, at)
        begin = at + _HEADER.size + name + fields
        self._let_go_of_what_is_before(at)
        return self._bytes[begin : begin + member.packed_size]

    def _read_by_library(self, member: _Member) -> bytes:
        if self._library is None:
            self._library = _Library(self._source)
        return self._library.read(member.header)

    def _let_go_of_what_is_before(self, place: int) -> None:
        """Members are mostly read in order: what lies behind need not stay in memory."""
        if place - self._let_go > _KEPT and isinstance(self._bytes, mmap.mmap) and hasattr(self._bytes, "madvise"):
            self._let_go = place - place % mmap.PAGESIZE
            self._bytes.madvise(mmap.MADV_DONTNEED, 0, self._let_go)

    def close(self) -> None:
        """Let go of the file."""
        if isinstance(self._bytes, mmap.mmap):
            self._bytes.close()
        if self._library is not None:
            self._library.close()


class _Library:
    """The archive as the library has it, for members that are packed in a way which only that unpacks."""

    def __init__(self, source: Source) -> None:
        self._file = zipfile.ZipFile(source if isinstance(source, str) else io.BytesIO(source))
        self._members = {info.header_offset: info for info in self._file.infolist()}

    def read(self, header: int) -> bytes:
        """The bytes of the member whose header is there."""
        return self._file.read(self._members[header])

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def _mapped(path: str) -> mmap.mmap:
    with Path(path).open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _directory(data: bytes | mmap.mmap) -> tuple[int, int, int]:
    """Where the directory begins and ends, and by how much all lies behind the places that are written: other bytes may stand before."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - _END.size - _LONGEST_COMMENT))
    if end < 0:
        raise zipfile.BadZipFile("the archive has no directory")
    _, length, place, _ = _END.unpack_from(data, end)
    large = end - _LOCATOR - _LARGE_END.size
    if large >= 0 and data[end - _LOCATOR : end - _LOCATOR + 4] == b"PK\x06\x07":
        sign, length, place = _LARGE_END.unpack_from(data, large)
        if sign != b"PK\x06\x06":
            raise zipfile.BadZipFile("the archive's directory is damaged")
        end = large
    if length > end:
        raise zipfile.BadZipFile("the archive's directory is damaged")
    return end - length, end, end - length - place


def _large(fields: bytes, *values: int) -> tuple[int, ...]:
    """Sizes and place, those that did not fit from the entry's further fields."""
    at = 0
    while at + 4 <= len(fields):
        kind, length = struct.unpack_from("<HH", fields, at)
        if kind == 1:
            missing = iter(struct.unpack_from(f"<{values.count(_DOES_NOT_FIT)}Q", fields, at + 4))
            return tuple(next(missing) if value == _DOES_NOT_FIT else value for value in values)
        at += 4 + length
    return values


def _text(member: _Member) -> str:
    encoding = "utf-8" if member.flags & _IN_UTF_8 else "cp437"
    return member.name.decode(encoding, "backslashreplace")


def _refusal(member: _Member, packed: bytes) -> Refused | None:
    if member.flags & _IS_ENCRYPTED:
        return Refused("it is encrypted", ENCRYPTED, packed)
    if stat.S_ISLNK(member.attributes >> 16):
        return Refused("a link: links in archives are not followed", LINK, packed)
    if member.size > LARGEST_MEMBER or member.size > most_unpacked(len(packed)):
        return Refused(f"it unpacks to {member.size:,} bytes, more than records can have", TOO_LARGE)
    return None


def _inflated(packed: bytes, size: int) -> tuple[bytes, bytes]:
    """At most one byte more than what it should be, and what is left of the packed ones."""
    inflating = zlib.decompressobj(-zlib.MAX_WBITS)
    data = inflating.decompress(packed, size + 1)
    return data, inflating.unused_data or (b"" if inflating.eof else packed)
