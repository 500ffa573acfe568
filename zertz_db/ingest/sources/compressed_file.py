"""Compressed files: gzip, bzip2, xz and Zstandard, each as a stream that can be sought in and as a single member.

A file may hold several streams, one after the other. What follows the last one is no part of the content; it is reported.
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
    Entry,
    MemberRefusal,
    Source,
    get_length,
    get_max_unpacked,
    open_source,
)

_BLOCK = 1 << 16
_PIECE = 1 << 20
"""Bytes that are read, and unpacked, at a time."""
_TRAILER_NAME = "(rest)"
"""The name of what follows the content."""
_MAX_TRAILER = 1_000_000
"""Bytes behind the content that are kept."""


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
        """Return what follows the stream."""

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
    """A format of compressed files: the bytes with which it begins, and its module's file and decompressor."""

    name: str
    magic: bytes

    def open(self, file: BinaryIO) -> BinaryIO:
        """Return the unpacked stream, in which one can seek."""
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
    Format("Zstandard", b"\x28\xb5\x2f\xfd"),
)


def detect_format(start: bytes) -> Format | None:
    """Return the format of a compressed file by its first bytes; None if it has another."""
    return next((each for each in _FORMATS if start.startswith(each.magic)), None)


@cache
def _load_zstd_classes() -> tuple[Any, Any]:
    """Return the file and the decompressor of Zstandard, whose errors are OSErrors as those of the other formats.

    Imported late: few files need them, and they are not in the standard library before Python 3.14.
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
    """A single compressed file: its one member has its name without the ending. What follows the content is one more, that is refused."""

    is_slow = False

    def __init__(self, source: Source, form: Format) -> None:
        self._source, self._form = source, form
        with open_source(source) as file:
            self._packed = get_length(file)

    def entries(self) -> Iterator[Entry]:
        """Unpack once, to know the size and whether all of it is content."""
        size, rest = self._measure()
        if size or rest is None:
            yield Entry("", size, 0)
        if rest is not None:
            if not size:
                raise rest
            yield Entry(_TRAILER_NAME, len(rest.data), 1, rest)

    def content(self, number: int, size: int) -> tuple[bytes, bytes]:  # noqa: ARG002 - it has but one
        """As `Archive.content`."""
        pieces: list[bytes] = []
        with open_source(self._source) as file:
            for piece in _read_chunks(file, self._form):
                pieces.append(piece)
                size -= len(piece)
                if size <= 0:
                    break
        return b"".join(pieces), b""

    def close(self) -> None:
        """Nothing is open."""

    def _measure(self) -> tuple[int, MemberRefusal | None]:
        """Return the bytes of content, and what is wrong behind them. Refused if they are more than records can have."""
        most = min(MAX_MEMBER_BYTES, get_max_unpacked(self._packed))
        size = 0
        with open_source(self._source) as file:
            try:
                for piece in _read_chunks(file, self._form):
                    size += len(piece)
                    if size > most:
                        raise MemberRefusal(
                            f"it unpacks to more than {most:,} bytes: no archive of records does", TOO_LARGE
                        )
            except _TrailingData as rest:
                return size, MemberRefusal(f"{rest}", data=rest.data)
            except READ_ERRORS as error:
                raise MemberRefusal(f"can't be unpacked: {str(error) or type(error).__name__}") from error
        return size, None


class _TrailingData(Exception):
    """Where the content ends before the file does, or is cut off."""

    def __init__(self, message: str, data: bytes = b"") -> None:
        super().__init__(message)
        self.data = data


def _read_chunks(file: BinaryIO, form: Format) -> Iterator[bytes]:
    """Yield the content of all streams of a file. Raise _Rest behind it, and the decompressor's error for damaged bytes."""
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
        while not rest.strip(b"\0") and (more := file.read(_BLOCK)):  # zeros may fill a file up
            rest = more
        rest = rest.lstrip(b"\0")
        rest += file.read(len(form.magic) - len(rest)) if len(rest) < len(form.magic) else b""
        if rest and not rest.startswith(form.magic):
            behind = (rest + file.read(_MAX_TRAILER))[:_MAX_TRAILER]
            raise _TrailingData(
                f"{len(behind):,} bytes behind the content are no {form.name} data: they are not read", behind
            )
