"""Archives and compressed files: what is in them, and its bytes. Whatever they claim, memory and time stay within bounds.

Nothing is ever written to a file, so names of members can do no harm, and links are not followed.
"""

from __future__ import annotations

import io
import zipfile

from zertz_db.check.findings import UNSUPPORTED
from zertz_db.ingest.sources.archive_entry import Archive, MemberRefusal, Source, open_source
from zertz_db.ingest.sources.tar_archive import open_tar
from zertz_db.ingest.sources.zip_archive import ZipArchive

_ARCHIVE_SUFFIXES = (
    ".zip",
    ".tar",
    ".gz",
    ".tgz",
    ".bz2",
    ".tbz2",
    ".xz",
    ".txz",
    ".zst",
    ".tzst",
    ".7z",
    ".rar",
    ".lz4",
    ".z",
    ".lz",
    ".cab",
    ".lzh",
)

_UNSUPPORTED_FORMATS = {
    b"7z\xbc\xaf\x27\x1c": ("7z archive", "7z x"),
    b"Rar!\x1a\x07": ("RAR archive", "unrar x"),
    b"\x04\x22\x4d\x18": ("LZ4 file", "lz4 -d"),
    b"\x1f\x9d": ("file of compress", "uncompress"),
    b"LZIP": ("lzip file", "lzip -d"),
    b"MSCF": ("cabinet file", "cabextract"),
}
"""Formats that are not read, by their first bytes, and the program that unpacks each."""


def open_archive(source: Source) -> Archive | None:
    """The archive that a file or some bytes are, told by their content; None where they are none. Raises `entries.TROUBLE` or Refused."""
    with open_source(source) as file:
        start = file.read(8)
    is_zip = zipfile.is_zipfile(source if isinstance(source, str) else io.BytesIO(source))
    if is_zip and start.startswith(b"PK"):
        return ZipArchive(source)
    if start.startswith(b"PK\x03\x04"):
        raise MemberRefusal("a zip archive without its directory: it is truncated or damaged")
    for magic, (what, program) in _UNSUPPORTED_FORMATS.items():
        if start.startswith(magic):
            raise MemberRefusal(
                f"a {what}, which is not read here: unpack it first (`{program}`), or pack it again as zip", UNSUPPORTED
            )
    # A tar may end with a zip archive as its last member, and other bytes may stand before a zip archive.
    return open_tar(source) or (ZipArchive(source) if is_zip else None)


def has_archive_name(name: str) -> bool:
    """Whether a member's name is that of an archive: members by other names are not looked into."""
    return name.lower().endswith(_ARCHIVE_SUFFIXES)
