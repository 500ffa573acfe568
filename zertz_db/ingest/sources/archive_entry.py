"""What archives are made of: members with their sizes, and bounds beyond which none is unpacked, whatever it claims."""

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
"""Bytes that a member may unpack to: more is no file of records."""
MAX_COMPRESSION_RATIO = 200
"""How many times as large as its packed bytes something may be; text packs to a tenth, plain repetition to a hundredth."""
MIN_SUSPICIOUS_BYTES = 50_000_000
"""Up to so many bytes no ratio is a danger."""
MAX_MEMBERS = 1_000_000

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
"""What is raised for files that can't be read, and for archives that are damaged or packed in unknown ways."""


class MemberRefusal(Exception):
    """A member that can't be had or is not to be had; `data`: its bytes as they lie in the archive."""

    def __init__(self, message: str, kind: Kind = DAMAGED, data: bytes = b"") -> None:
        super().__init__(message)
        self.kind = kind
        self.data = data


class Entry(NamedTuple):
    """A member: `number` is what `content` wants to be told; `refused` says why it has no bytes, `remark` what is odd about it."""

    name: str
    size: int
    number: int
    refusal: MemberRefusal | None = None
    remark: str = ""


class Archive(Protocol):
    """An archive that is open. `is_slow`: to open it once more, and come to where one was, costs as much as to read it."""

    is_slow: bool

    def entries(self) -> Iterator[Entry]:
        """Every member in order; raises what is in TROUBLE, or Refused."""

    def content(self, number: int, size: int) -> tuple[bytes, bytes]:
        """The bytes of a member, and the same deflated if the archive has them so; raises as `entries`."""

    def close(self) -> None:
        """Let go of the file."""


def get_max_unpacked(packed: int) -> int:
    """So many bytes may come of so many packed ones."""
    return max(MIN_SUSPICIOUS_BYTES, MAX_COMPRESSION_RATIO * packed)


def open_source(source: Source) -> BinaryIO:
    """The file, or the bytes, to read from."""
    return Path(source).open("rb") if isinstance(source, str) else io.BytesIO(source)


def get_length(file: BinaryIO) -> int:
    """Its bytes; it is to be read from its begin afterwards."""
    length = file.seek(0, io.SEEK_END)
    file.seek(0)
    return length
