"""Open archives and compressed files, with limits on memory and time, whatever they claim.

Nothing is ever written to a file, so names of members can do no harm. Links are not followed.
"""

from __future__ import annotations

import io
import zipfile
from contextlib import closing, suppress

from zertz_db.check.findings import UNSUPPORTED
from zertz_db.ingest.sources.archive_entry import Archive, MemberRefusal, Source, get_length, open_source
from zertz_db.ingest.sources.compressed_file import detect_format
from zertz_db.ingest.sources.tar_archive import open_tar

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

MAGIC_BYTES = 8
"""Number of first bytes that tell the formats apart, but for tar."""
_WHOLE_BYTES = 4_000_000
"""Size up to which a zip archive is read as a whole: some reads for each member take longer."""

_UNSUPPORTED_FORMATS = {
    b"7z\xbc\xaf\x27\x1c": ("7z archive", "7z x"),
    b"Rar!\x1a\x07": ("RAR archive", "unrar x"),
    b"\x04\x22\x4d\x18": ("LZ4 file", "lz4 -d"),
    b"\x1f\x9d": ("file of compress", "uncompress"),
    b"LZIP": ("lzip file", "lzip -d"),
    b"MSCF": ("cabinet file", "cabextract"),
}
"""Unsupported formats by their first bytes, and the program that unpacks each."""


def open_archive(source: Source) -> Archive | None:
    """Open a file or bytes as an archive, detected by content; None if it is not one. Raise an error of READ_ERRORS, or MemberRefusal."""
    with open_source(source) as file:
        start = file.read(MAGIC_BYTES)
        if start.startswith(b"PK") and get_length(file) <= _WHOLE_BYTES:
            source = file.read()
    is_zip = zipfile.is_zipfile(source if isinstance(source, str) else io.BytesIO(source))
    if start.startswith(b"PK") and (found := _open_zip(source, start, is_zip)):
        return found
    for magic, (name, program) in _UNSUPPORTED_FORMATS.items():
        if start.startswith(magic):
            raise MemberRefusal(
                f"a {name}, which is not supported: unpack it first (`{program}`), or pack it again as zip", UNSUPPORTED
            )
    # A tar may end with a zip archive as its last member, and a zip archive may follow other bytes.
    if tar := open_tar(source):
        return tar
    if not is_zip:
        return None
    from zertz_db.ingest.sources.zip_archive import ZipArchive

    return ZipArchive(source)


def _open_zip(source: Source, start: bytes, is_zip: bool) -> Archive | None:
    """Open a zip archive from its start, or what is left of one; None if it is not one."""
    from zertz_db.ingest.sources.truncated_zip import TruncatedZip, follows_other_members
    from zertz_db.ingest.sources.zip_archive import ZipArchive

    if not is_zip:
        return _open_zip_without_end(source) if start.startswith(b"PK\x03\x04") else None
    with suppress(MemberRefusal):
        if follows_other_members(source) or not _has_usable_directory(source):
            return TruncatedZip(source)
    return ZipArchive(source)


def _open_zip_without_end(source: Source) -> Archive:
    """Open a zip archive whose end is not where a comment may begin: many other bytes follow it, or it is truncated."""
    from zertz_db.ingest.sources.truncated_zip import TruncatedZip, follows_other_members
    from zertz_db.ingest.sources.zip_archive import MAX_REST, ZipArchive

    with suppress(zipfile.BadZipFile):
        if not follows_other_members(source, MAX_REST):
            archive = ZipArchive(source, MAX_REST)
            if archive.has_usable_directory():
                return archive
            archive.close()
    return TruncatedZip(source)


def _has_usable_directory(source: Source) -> bool:
    from zertz_db.ingest.sources.zip_archive import ZipArchive

    with suppress(zipfile.BadZipFile), closing(ZipArchive(source)) as archive:
        return archive.has_usable_directory()
    return False


def begins_like_archive(start: bytes) -> bool:
    """Return whether the first MAGIC_BYTES of some content are those of an archive or a compressed file, supported or not."""
    return start.startswith((b"PK\x03\x04", *_UNSUPPORTED_FORMATS)) or detect_format(start) is not None


def has_archive_name(name: str) -> bool:
    """Return whether a member has an archive's name; members with other names are not opened as archives."""
    return name.lower().endswith(_ARCHIVE_SUFFIXES)
