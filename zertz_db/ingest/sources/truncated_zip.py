"""Truncated zip archives: their directory is missing or wrong, so find the complete members by the headers before them.

A directory of these members replaces the missing one, and the archive is then read as any other, with the same limits. Source of the
layout: APPNOTE.TXT of PKWARE, sections 4.3.6, 4.3.7, 4.3.9 and 4.5.3.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from zertz_db.check.findings import TOO_LARGE
from zertz_db.ingest.sources.archive_entry import (
    MAX_MEMBER_BYTES,
    MAX_MEMBERS,
    Entry,
    MemberRefusal,
    Source,
    get_length,
    get_max_unpacked,
    open_source,
)
from zertz_db.ingest.sources.zip_archive import ZipArchive
from zertz_db.plurals import format_count

_HEADER = struct.Struct("<4s2xHH4xIIIHH")
"""The header before a member: flags, method, checksum, sizes packed and unpacked, lengths of its name and of further fields."""
_ENTRY = struct.Struct("<4s4xHH4xIIIHHH8xI")
"""An entry of a directory: flags, method, checksum, sizes packed and unpacked, lengths of name, fields and comment, header."""
_END = struct.Struct("<4s4xHHIIH")
"""The record after a directory: its number of entries, twice, its length, its offset, the length of a comment."""
_DESCRIPTORS = (struct.Struct("<III"), struct.Struct("<IQQ"))
"""Checksum and sizes packed and unpacked, after a member whose header lacks them."""
_END_MAGIC = b"PK\x05\x06"
_MAX_COMMENT = 1 << 16
_DESCRIPTOR_MAGIC = b"PK\x07\x08"
_DESCRIPTOR_FLAG, _ENCRYPTED_FLAG = 1 << 3, 1
_ZIP64_MARKER = 0xFFFFFFFF
_COUNT_MODULUS = 1 << 16
_BLOCK = 1 << 16
"""Packed bytes to unpack at a time."""


class _Member(NamedTuple):
    """A complete member: the offset of its header, and of the bytes after it."""

    header: int
    name: bytes
    flags: int
    method: int
    checksum: int
    packed_size: int
    size: int
    end: int


class TruncatedZip:
    """A zip archive without its directory, an `Archive`: its complete members, then a MemberRefusal that states where it is cut off.

    It is in memory as a whole. Raise MemberRefusal for a file that is too large for that, or has no complete member.
    """

    is_slow = True

    def __init__(self, source: Source) -> None:
        with open_source(source) as file:
            if get_length(file) > MAX_MEMBER_BYTES:
                raise MemberRefusal(
                    "a zip archive without its directory, too large to search: it is truncated or damaged"
                )
            data = file.read()
        members = list(_find_members(data))
        if not members:
            raise MemberRefusal("a zip archive without its directory: it is truncated or damaged")
        end = members[-1].end
        self._message = _describe_end(data, end, len(members))
        self._archive = ZipArchive(data[:end] + _build_directory(members, end))

    def entries(self) -> Iterator[Entry]:
        """Yield every complete member except folders. Raise MemberRefusal at the end."""
        yield from self._archive.entries()
        raise MemberRefusal(self._message)

    def content(self, number: int, size: int) -> bytes:
        """Return the bytes of a member, as `ZipArchive.content` does."""
        return self._archive.content(number, size)

    def close(self) -> None:
        """Close the archive."""
        self._archive.close()


def follows_other_members(source: Source, max_rest: int = _MAX_COMMENT) -> bool:
    """Return whether the last directory in a file is of another archive than the one at its start. max_rest: bytes after its end record.

    So it is if two archives are joined, and if the last complete member of a truncated archive is an archive.
    """
    with open_source(source) as file:
        length = get_length(file)
        first = max(0, length - _END.size - max_rest)
        file.seek(first)
        tail = file.read()
    at = tail.rfind(_END_MAGIC)
    if at < 0 or at + _END.size > len(tail):
        return False
    *_, size, place, _ = _END.unpack_from(tail, at)
    return _ZIP64_MARKER not in (size, place) and first + at - size - place > 0


def _describe_end(data: bytes, end: int, count: int) -> str:
    """Return what is wrong behind the last complete member, and the number of members."""
    found = f"{format_count(count, 'member')} could be found"
    directories = data.count(_END_MAGIC, end, len(data) - _END.size + len(_END_MAGIC))
    if directories == 1:
        at = data.find(_END_MAGIC, end)
        *_, size, place, comment = _END.unpack_from(data, at)
        rest = len(data) - at - _END.size - comment
        if rest > 0 and (place, place + size) == (end, at):
            return f"{format_count(rest, 'byte')} after the archive's end: not read"
        return f"the archive's directory is damaged: {found} without it"
    if directories:
        return f"another archive follows, which is not read, and this one ends after member {count:,}: {found}"
    place = " in its directory," if data.startswith(b"PK\x01\x02", end) else ""
    return f"the archive is cut off{place} after member {count:,}: {found}"


def _find_members(data: bytes) -> Iterator[_Member]:
    """Yield the members from the start on whose headers and packed bytes are complete. Raise MemberRefusal beyond the limits."""
    at = count = unpacked = 0
    while member := _read_member(data, at, get_max_unpacked(len(data)) - unpacked):
        at = member.end
        count += 1
        if member.flags & _DESCRIPTOR_FLAG:
            unpacked += member.size
        if count > MAX_MEMBERS:
            raise MemberRefusal(f"it has more than {MAX_MEMBERS:,} members: no archive of records does", TOO_LARGE)
        yield member


def _read_member(data: bytes, at: int, limit: int) -> _Member | None:
    """Return the member with its header at an offset; None if it is incomplete. limit: maximum bytes to unpack for its end."""
    if data[at : at + 4] != b"PK\x03\x04" or at + _HEADER.size > len(data):
        return None
    _, flags, method, checksum, packed, size, name_length, field_length = _HEADER.unpack_from(data, at)
    begin = at + _HEADER.size + name_length + field_length
    name = data[at + _HEADER.size : begin - field_length]
    if begin > len(data):
        return None
    if flags & _DESCRIPTOR_FLAG and not packed:
        return _measure(data, _Member(at, name, flags, method, checksum, packed, size, begin), limit)
    if _ZIP64_MARKER in (packed, size):
        sizes = _read_zip64_sizes(data[begin - field_length : begin])
        if sizes is None:
            return None
        size, packed = sizes
    end = begin + packed
    return _Member(at, name, flags, method, checksum, packed, size, end) if end <= len(data) else None


def _measure(data: bytes, member: _Member, limit: int) -> _Member | None:
    """Return a member with its sizes, which its header lacks, by its deflated bytes; None if these are incomplete or of another method."""
    if member.method != zipfile.ZIP_DEFLATED or member.flags & _ENCRYPTED_FLAG:
        return None
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    at, size, checksum = member.end, 0, 0
    rest = b""
    try:
        while not unpacking.eof:
            if not rest:
                rest, at = data[at : at + _BLOCK], at + _BLOCK
            if not rest or size > min(limit, MAX_MEMBER_BYTES):
                return None
            piece = unpacking.decompress(rest, _BLOCK)
            rest = unpacking.unconsumed_tail
            size, checksum = size + len(piece), zlib.crc32(piece, checksum)
    except zlib.error:
        return None
    end = min(at, len(data)) - len(unpacking.unused_data)
    measured = member._replace(checksum=checksum, packed_size=end - member.end, size=size, end=end)
    return _read_descriptor(data, measured)


def _read_descriptor(data: bytes, member: _Member) -> _Member:
    """Return a measured member with the checksum of its descriptor, and its end after that; unchanged if it has none with its sizes."""
    begin = member.end + len(_DESCRIPTOR_MAGIC) * data.startswith(_DESCRIPTOR_MAGIC, member.end)
    for form in _DESCRIPTORS:
        if begin + form.size <= len(data):
            checksum, packed, size = form.unpack_from(data, begin)
            if (packed, size) == (member.packed_size, member.size):
                return member._replace(checksum=checksum, end=begin + form.size)
    return member


def _read_zip64_sizes(fields: bytes) -> tuple[int, int] | None:
    """Return the sizes unpacked and packed in a header's further fields."""
    at = 0
    while at + 4 <= len(fields):
        kind, length = struct.unpack_from("<HH", fields, at)
        if kind == 1 and length >= 16 and at + 20 <= len(fields):
            size, packed = struct.unpack_from("<QQ", fields, at + 4)
            return size, packed
        at += 4 + length
    return None


def _build_directory(members: list[_Member], at: int) -> bytes:
    """Return the directory of these members, and the record after it, for a file in which it begins at an offset."""
    entries = b"".join(
        _ENTRY.pack(
            b"PK\x01\x02",
            one.flags,
            one.method,
            one.checksum,
            one.packed_size,
            min(one.size, _ZIP64_MARKER - 1),
            len(one.name),
            0,
            0,
            one.header,
        )
        + one.name
        for one in members
    )
    count = len(members) % _COUNT_MODULUS
    return entries + _END.pack(_END_MAGIC, count, count, len(entries), at, 0)
