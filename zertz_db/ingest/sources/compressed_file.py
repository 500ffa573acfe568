"""Compressed files: gzip, bzip2, xz and Zstandard, each as a seekable stream and as a single member.

A file may have several streams, one after the other. Bytes after the last one are not content; they are reported.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, BinaryIO, NamedTuple, Protocol

from zertz_db.check.findings import TOO_LARGE
from zertz_db.ingest.sources.archive_entry import (
    MAX_MEMBER_BYTES,
    READ_ERRORS,
    REST_NAME,
    Entry,
    MemberRefusal,
    Source,
    get_length,
    get_max_unpacked,
    open_source,
)

_BLOCK = 1 << 16
_PIECE = 1 << 20
"""Bytes to read, and to unpack, at a time."""
_MAX_TRAILER = 1_000_000
"""Maximum bytes after the content that are stored."""


class Decompressor(Protocol):
    """A decompressor of one stream, with the interface of `bz2.BZ2Decompressor`."""

    @property
    def eof(self) -> bool:
        """Return whether the stream has ended."""

    @property
    def needs_input(self) -> bool:
        """Return whether all input so far is used."""

    @property
    def unused_data(self) -> bytes:
        """Return the bytes after the stream."""

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Return the next bytes, up to a length."""


class _GzipDecompressor:
    """One stream of gzip, with the interface of the others."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        return not self._stream.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


class Format(NamedTuple):
    """A format of compressed files: its name, the first bytes of its streams, and those of other parts, which have no content."""

    name: str
    magic: bytes
    other_parts: tuple[bytes, ...] = ()

    def begins(self, data: bytes) -> bool:
        """Return whether bytes begin with a part of this format."""
        return data.startswith((self.magic, *self.other_parts))

    def open(self, file: BinaryIO) -> BinaryIO:
        """Return the unpacked stream, which is seekable."""
        match self.name:
            case "gzip":
                return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
            case "bzip2":
                return bz2.BZ2File(file)  # type: ignore[return-value]
            case "xz":
                return lzma.LZMAFile(file)  # type: ignore[return-value]
            case _:
                return _load_zstd_classes()[0](file)  # type: ignore[no-any-return]

    def decompressor(self) -> Decompressor:
        """Return a new decompressor of one stream."""
        match self.name:
            case "gzip":
                return _GzipDecompressor()
            case "bzip2":
                return bz2.BZ2Decompressor()
            case "xz":
                return lzma.LZMADecompressor(memlimit=MAX_MEMBER_BYTES)
            case _:
                return _load_zstd_classes()[1]()  # type: ignore[no-any-return]


_FORMATS = (
    Format("gzip", b"\x1f\x8b\x08"),
    Format("bzip2", b"BZh"),
    Format("xz", b"\xfd7zXZ\0"),
    # Parallel compressors write frames that a reader skips.
    Format("Zstandard", b"\x28\xb5\x2f\xfd", tuple(bytes((number, 0x2A, 0x4D, 0x18)) for number in range(0x50, 0x60))),
)


def detect_format(start: bytes) -> Format | None:
    """Return the format of a compressed file by its first bytes, or None."""
    return next((each for each in _FORMATS if each.begins(start)), None)


@cache
def _load_zstd_classes() -> tuple[Any, Any]:
    """Return the file and the decompressor of Zstandard, with OSErrors like those of the other formats.

    Lazy import: few files need them, and the standard library has them only from Python 3.14 on.
    """
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    class File(zstd.ZstdFile):
        def read(self, size: int | None = -1) -> bytes:
            with _convert_errors(zstd.ZstdError):
                return super().read(size)

    class Decompressor:
        def __init__(self) -> None:
            self._stream = zstd.ZstdDecompressor()

        def __getattr__(self, name: str) -> Any:
            return getattr(self._stream, name)

        def decompress(self, data: bytes, max_length: int) -> bytes:
            with _convert_errors(zstd.ZstdError):
                return self._stream.decompress(data, max_length)

    return File, Decompressor


@contextmanager
def _convert_errors(kind: type[Exception]) -> Iterator[None]:
    try:
        yield
    except kind as error:
        raise OSError(str(error)) from error


class CompressedFile:
    """A compressed file: its one member has its name without the suffix. Bytes after the content are a second, refused one."""

    is_slow = False

    def __init__(self, source: Source, form: Format) -> None:
        self._source, self._form = source, form
        with open_source(source) as file:
            self._packed = get_length(file)

    def entries(self) -> Iterator[Entry]:
        """Unpack once, to measure the content and find bytes after it."""
        size, rest = self._measure()
        if size or rest is None:
            yield Entry("", size, 0)
        if rest is not None:
            if not size:
                raise rest
            yield Entry(REST_NAME, len(rest.data), 1, rest)

    def content(self, number: int, size: int) -> bytes:  # noqa: ARG002 - it has only one
        """Return the unpacked bytes, up to `size`."""
        pieces: list[bytes] = []
        with open_source(self._source) as file:
            for piece in _read_chunks(file, self._form):
                pieces.append(piece)
                size -= len(piece)
                if size <= 0:
                    break
        return b"".join(pieces)

    def close(self) -> None:
        """Do nothing: no file is open."""

    def _measure(self) -> tuple[int, MemberRefusal | None]:
        """Return the bytes of content, and the fault after them. Raise MemberRefusal if they are more than records can have."""
        limit = min(MAX_MEMBER_BYTES, get_max_unpacked(self._packed))
        size = 0
        with open_source(self._source) as file:
            try:
                for piece in _read_chunks(file, self._form):
                    size += len(piece)
                    if size > limit:
                        raise MemberRefusal(
                            f"it unpacks to more than {limit:,} bytes: no archive of records does", TOO_LARGE
                        )
            except _TrailingData as rest:
                return size, MemberRefusal(f"{rest}", data=rest.data)
            except READ_ERRORS as error:
                raise MemberRefusal(f"can't be unpacked: {str(error) or type(error).__name__}") from error
        return size, None


class _TrailingData(Exception):
    """The content ends before the file does, or is cut off. data: the bytes after it."""

    def __init__(self, message: str, data: bytes = b"") -> None:
        super().__init__(message)
        self.data = data


def _read_chunks(file: BinaryIO, form: Format) -> Iterator[bytes]:
    """Yield the content of all streams of a file. Raise _TrailingData after it, and the decompressor's error for damaged bytes."""
    rest = file.read(_BLOCK)
    while rest:
        stream = form.decompressor()
        while not stream.eof:
            if stream.needs_input and not rest:
                rest = file.read(_BLOCK)
                if not rest:
                    raise _TrailingData("the file is truncated here: the content up to here is read")
            yield stream.decompress(rest, _PIECE)
            rest = b""
        rest = stream.unused_data
        while not rest.strip(b"\0") and (more := file.read(_BLOCK)):  # zeros may pad a file
            rest = more
        rest = rest.lstrip(b"\0")
        rest += file.read(len(form.magic) - len(rest)) if len(rest) < len(form.magic) else b""
        if rest and not form.begins(rest):
            trailing = (rest + file.read(_MAX_TRAILER))[:_MAX_TRAILER]
            raise _TrailingData(
                f"{len(trailing):,} bytes after the content are not {form.name} data: they are not read", trailing
            )
