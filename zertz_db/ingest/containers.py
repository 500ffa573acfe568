"""Archives and compressed files: what is in them, and its bytes. Whatever they claim, memory and time stay within bounds.

Nothing is ever written to a file, so names of members can do no harm, and links are not followed.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import mmap
import stat
import struct
import tarfile
import zipfile
import zlib
from array import array
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol, TypeAlias

from zertz_db.check.findings import DAMAGED, ENCRYPTED, LINK, TOO_LARGE, Kind

LARGEST_MEMBER = 500_000_000
"""Bytes that a member may unpack to: more is no file of records."""
LARGEST_RATIO = 200
"""How many times as large as its packed bytes something may be; text packs to a tenth, plain repetition to a hundredth."""
HARMLESS = 50_000_000
"""Up to so many bytes no ratio is a danger."""
LARGEST_STREAM = 20_000_000_000
"""Bytes that a compressed archive may unpack to in all."""
MOST_MEMBERS = 1_000_000
_LONG_DIRECTORY = 1_000
"""Members of a zip archive from which on its directory is not read again for every lot."""

Source: TypeAlias = str | bytes
"""A file's path, or the bytes of an archive within another."""

TROUBLE = (
    OSError,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    RuntimeError,
    ValueError,
    IndexError,
    struct.error,
    MemoryError,
)
"""What is raised for files that can't be read, and for archives that are damaged or packed in unknown ways."""


class Refused(Exception):
    """A member that can't be had or is not to be had; `data`: its bytes as they lie in the archive."""

    def __init__(self, message: str, kind: Kind = DAMAGED, data: bytes = b"") -> None:
        super().__init__(message)
        self.kind = kind
        self.data = data


class Entry(NamedTuple):
    """A member: `number` is what `content` wants to be told; `refused` says why it has no bytes."""

    name: str
    size: int
    number: int
    refused: Refused | None = None


class Container(Protocol):
    """An archive that is open. `is_slow`: to open it once more, and come to where one was, costs as much as to read it."""

    is_slow: bool

    def entries(self) -> Iterator[Entry]:
        """Every member in order; raises what is in TROUBLE, or Refused."""

    def content(self, number: int, size: int) -> tuple[bytes, bytes]:
        """The bytes of a member, and the same deflated if the archive has them so; raises as `entries`."""

    def close(self) -> None:
        """Let go of the file."""


def open_container(source: Source) -> Container | None:
    """The archive that a file or some bytes are, told by their content; None where they are none. Raises what is in TROUBLE."""
    if _is_zip(source):
        return _Zip(source)
    start = _start(source)
    unpack = next((unpack for magic, unpack in _COMPRESSED.items() if start.startswith(magic)), None)
    if unpack is not None:
        return _compressed(source, unpack)
    if _is_tar(start):
        return _Tar(_opened(source), is_slow=False)
    return None


def may_be_container(name: str) -> bool:
    """Whether a member's name is that of an archive: members by other names are not looked into."""
    return name.lower().endswith(_ENDINGS)


_ENDINGS = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz")
_BLOCK = tarfile.BLOCKSIZE


def _is_zip(source: Source) -> bool:
    return zipfile.is_zipfile(source if isinstance(source, str) else io.BytesIO(source))


def _opened(source: Source) -> BinaryIO:
    return Path(source).open("rb") if isinstance(source, str) else io.BytesIO(source)


def _start(source: Source) -> bytes:
    with _opened(source) as file:
        return file.read(_BLOCK)


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
    file = _opened(source)
    packed = file.seek(0, io.SEEK_END)
    file.seek(0)
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
    """A stream of unpacked bytes that ends in Refused where it comes to more than records can be."""

    def __init__(self, stream: BinaryIO, packed: int, file: BinaryIO) -> None:
        self._stream, self._file = stream, file
        self._limit = min(LARGEST_STREAM, max(HARMLESS, LARGEST_RATIO * packed))

    def read(self, size: int | None = -1) -> bytes:
        """As of any file."""
        left = self._limit - self._stream.tell()
        data = self._stream.read(left + 1 if size is None or size < 0 else min(size, left + 1))
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
        file = _opened(self._source)
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


class _Tar:
    """A tar archive. The numbers of members are the places at which their bytes begin, so that nobody has to look for them twice."""

    def __init__(self, file: BinaryIO | _Bounded, is_slow: bool) -> None:
        self._file = file
        self.is_slow = is_slow

    def entries(self) -> Iterator[Entry]:
        with tarfile.open(fileobj=self._file, mode="r:", errorlevel=2) as archive:
            for count, member in enumerate(archive):
                archive.members = []  # type: ignore[attr-defined] # they would pile up
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


_KEPT = 8_000_000
"""So many bytes of an archive that have been read may stay in memory."""


_BEYOND = 1 << 64
"""No file is so long. Where the beginning of one is lost, what its directory says of headers points before it: as good as beyond it."""


class _Member(NamedTuple):
    """What a zip archive's directory says of a member: where its header is, bytes packed and unpacked, and so on."""

    header: int
    packed_size: int
    size: int
    checksum: int
    compress_type: int
    flags: int
    attributes: int


class _Directory:
    """A zip archive's directory in a tenth of the memory that the library's takes: archives may have a million members."""

    def __init__(self, members: list[zipfile.ZipInfo]) -> None:
        self.names = [member.filename for member in members]
        facts = (
            (
                member.header_offset % _BEYOND,
                member.compress_size,
                member.file_size,
                member.CRC,
                member.compress_type,
                member.flag_bits,
                member.external_attr,
            )
            for member in members
        )
        self._facts = array("Q", chain.from_iterable(facts))
        self.sizes = self._facts[2 :: len(_Member._fields)]

    def __len__(self) -> int:
        return len(self.names)

    def member(self, number: int) -> _Member:
        """What it says of the member of this number. Raises IndexError where there is none."""
        width = len(_Member._fields)
        if number >= len(self):
            raise IndexError("the archive has changed and has fewer members")
        return _Member(*self._facts[width * number : width * (number + 1)])


def _zip_file(source: Source) -> zipfile.ZipFile:
    return zipfile.ZipFile(source if isinstance(source, str) else io.BytesIO(source))


def _read_directory(source: Source) -> _Directory:
    with _zip_file(source) as archive:
        return _Directory(archive.infolist())


@lru_cache(maxsize=1)
def _directory(path: str, state: tuple[int, ...]) -> _Directory:  # noqa: ARG001 - a file that has changed is another
    """The directory of a file: its members are looked for first, and read later."""
    return _read_directory(path)


def state_of(path: str) -> tuple[int, ...]:
    """What changes when a file does."""
    known = Path(path).stat()
    return known.st_mtime_ns, known.st_size, known.st_ino


class _Zip:
    """A zip archive whose members are unpacked straight from the file: `ZipFile.read` takes half as long again."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._directory = _directory(source, state_of(source)) if isinstance(source, str) else _read_directory(source)
        self.is_slow = len(self._directory) > _LONG_DIRECTORY
        self._bytes: bytes | mmap.mmap = _mapped(source) if isinstance(source, str) else source
        self._let_go = 0
        self._library: zipfile.ZipFile | None = None
        """The archive once more, from when a member is packed in a way that only the library unpacks: it reads the whole directory."""

    def entries(self) -> Iterator[Entry]:
        members = len(self._directory)
        total = sum(self._directory.sizes)
        if _is_bomb(total, len(self._bytes)) or members > MOST_MEMBERS:
            raise Refused(f"its {members:,} members unpack to {total:,} bytes: no archive of records does", TOO_LARGE)
        for number, (name, size) in enumerate(zip(self._directory.names, self._directory.sizes, strict=True)):
            if not name.endswith("/"):
                yield Entry(name, size, number)

    def content(self, number: int, size: int) -> tuple[bytes, bytes]:  # noqa: ARG002 - its directory says it
        entry = self._directory.member(number)
        packed = self._packed(entry)
        refused = _zip_refusal(entry, packed)
        if refused is not None:
            raise refused
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            return self._read_by_library(number), b""
        is_stored = entry.compress_type == zipfile.ZIP_STORED
        try:
            data, rest = (packed, b"") if is_stored else _inflated(packed, entry.size)
        except zlib.error as error:
            raise Refused(f"can't be unpacked: {error}", DAMAGED, packed) from error
        if len(data) != entry.size or zlib.crc32(data) != entry.checksum:
            raise Refused("is damaged: its size or its checksum is wrong", DAMAGED, packed)
        return data, b"" if is_stored or rest else packed

    def _read_by_library(self, number: int) -> bytes:
        if self._library is None:
            self._library = _zip_file(self._source)
        return self._library.read(self._library.infolist()[number])

    def _packed(self, entry: _Member) -> bytes:
        header = entry.header
        if self._bytes[header : header + 4] != b"PK\x03\x04":
            raise zipfile.BadZipFile("the member's header is damaged")
        name, extra = struct.unpack_from("<HH", self._bytes, header + 26)
        begin = header + 30 + name + extra
        self._let_go_of_what_is_before(header)
        return self._bytes[begin : begin + entry.packed_size]

    def _let_go_of_what_is_before(self, place: int) -> None:
        """Members are mostly read in order: what lies behind need not stay in memory."""
        if isinstance(self._bytes, mmap.mmap) and hasattr(self._bytes, "madvise") and place - self._let_go > _KEPT:
            self._let_go = place - place % mmap.PAGESIZE
            self._bytes.madvise(mmap.MADV_DONTNEED, 0, self._let_go)

    def close(self) -> None:
        if isinstance(self._bytes, mmap.mmap):
            self._bytes.close()
        if self._library is not None:
            self._library.close()


def _mapped(path: str) -> mmap.mmap:
    with Path(path).open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _zip_refusal(entry: _Member, packed: bytes) -> Refused | None:
    if entry.flags & 1:
        return Refused("it is encrypted", ENCRYPTED, packed)
    if stat.S_ISLNK(entry.attributes >> 16):
        return Refused("a link: links in archives are not followed", LINK, packed)
    if entry.size > LARGEST_MEMBER or _is_bomb(entry.size, len(packed)):
        return Refused(f"it unpacks to {entry.size:,} bytes, more than records can have", TOO_LARGE)
    return None


def _is_bomb(size: int, packed: int) -> bool:
    return size > HARMLESS and size > LARGEST_RATIO * packed


def _inflated(packed: bytes, size: int) -> tuple[bytes, bytes]:
    """At most one byte more than what it should be, and what is left of the packed ones."""
    inflating = zlib.decompressobj(-zlib.MAX_WBITS)
    data = inflating.decompress(packed, size + 1)
    return data, inflating.unused_data or (b"" if inflating.eof else packed)
