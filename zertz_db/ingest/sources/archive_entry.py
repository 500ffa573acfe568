"""Entries of archives, and limits beyond which none is unpacked, whatever it claims."""

from __future__ import annotations

import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol, TypeAlias

from zertz_db.check.findings import DAMAGED, Kind

MAX_MEMBER_BYTES = 500_000_000
"""Maximum bytes to which a member may unpack: more is not a file of records."""
MAX_COMPRESSION_RATIO = 200
"""Maximum ratio of unpacked to packed bytes; text packs to a tenth, plain repetition to a hundredth."""
MIN_SUSPICIOUS_BYTES = 50_000_000
"""Bytes up to which no ratio is a danger."""
MAX_MEMBERS = 1_000_000
REST_NAME = "(rest)"
"""The name of bytes after the content, which are not read."""

Source: TypeAlias = str | bytes
"""A file's path, or the bytes of an archive within another."""

READ_ERRORS = (
    OSError,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    RuntimeError,
    ValueError,
    IndexError,
    OverflowError,
    struct.error,
    MemoryError,
)
"""Errors for files that can't be read, and for archives that are damaged or packed in unknown ways."""


class MemberRefusal(Exception):
    """A member can't be unpacked, or must not be. data: its bytes as the archive has them."""

    def __init__(self, message: str, kind: Kind = DAMAGED, data: bytes = b"") -> None:
        super().__init__(message)
        self.kind = kind
        self.data = data


class Entry(NamedTuple):
    """A member. number: the argument of `content`. refusal: why it has no bytes. remark: an oddity."""

    name: str
    size: int
    number: int
    refusal: MemberRefusal | None = None
    remark: str = ""


class Archive(Protocol):
    """An open archive. is_slow: opening it again and returning to a member costs as much as reading it."""

    is_slow: bool

    def entries(self) -> Iterator[Entry]:
        """Yield every member in order. Raise an error of READ_ERRORS, or MemberRefusal."""

    def content(self, number: int, size: int) -> bytes:
        """Return the bytes of a member. Raise as `entries` does."""

    def close(self) -> None:
        """Close the file."""


def get_max_unpacked(packed: int) -> int:
    """Return the maximum bytes to which these packed bytes may unpack."""
    return max(MIN_SUSPICIOUS_BYTES, MAX_COMPRESSION_RATIO * packed)


def open_source(source: Source) -> BinaryIO:
    """Open a file, or bytes, for reading."""
    return Path(source).open("rb") if isinstance(source, str) else io.BytesIO(source)


def get_length(file: BinaryIO) -> int:
    """Return the size of a file in bytes; leave it at its start."""
    length = file.seek(0, io.SEEK_END)
    file.seek(0)
    return length
