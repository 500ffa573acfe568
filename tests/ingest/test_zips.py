"""Zip archives, walked in the file: the library must find the same members with the same bytes."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.ingest import zips
from zertz_db.ingest.entries import Refused
from zertz_db.ingest.zips import Zip

METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
NAMES = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=30)
MEMBERS = st.lists(st.tuples(NAMES, st.binary(max_size=3000), st.sampled_from(METHODS), st.booleans()), max_size=8)


def zipped(members: list[tuple[str, bytes, int, bool]], comment: bytes = b"", before: bytes = b"") -> bytes:
    """An archive of (name, bytes, method, whether sizes are written in the large form); other bytes may stand before it."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data, method, is_large in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            with archive.open(info, "w", force_zip64=is_large) as member:
                member.write(data)
        archive.comment = comment
    return before + target.getvalue()


def by_library(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(info.filename, archive.read(info)) for info in archive.infolist() if not info.filename.endswith("/")]


def by_us(source: str | bytes) -> list[tuple[str, bytes]]:
    archive = Zip(source)
    try:
        return [(entry.name, archive.content(entry.number, entry.size)[0]) for entry in archive.entries()]
    finally:
        archive.close()


@settings(deadline=None)
@pytest.mark.filterwarnings("ignore:Duplicate name")
@given(MEMBERS, st.binary(max_size=200), st.binary(max_size=200))
def test_the_library_finds_the_same(members: list[tuple[str, bytes, int, bool]], comment: bytes, before: bytes) -> None:
    data = zipped(members, comment, before)
    assert by_us(data) == by_library(data)


@pytest.mark.parametrize("limit", ["ZIP64_LIMIT", "ZIP_FILECOUNT_LIMIT"])
def test_the_large_form_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """Archives of more than 4 GB, or of more than 65,535 members, are written so; a lower limit makes small ones alike."""
    monkeypatch.setattr(zipfile, limit, 10)
    members = [(f"{number}.txt", b"%d" % number * 40, zipfile.ZIP_DEFLATED, True) for number in range(30)]
    data = zipped(members, before=b"a program that unpacks itself")
    assert b"PK\x06\x06" in data
    (tmp_path / "large.zip").write_bytes(data)
    assert by_us(str(tmp_path / "large.zip")) == [(name, content) for name, content, *_ in members]


def test_members_are_had_in_any_order_and_by_their_numbers() -> None:
    archive = Zip(zipped([(f"{number}", b"%d" % number, zipfile.ZIP_STORED, False) for number in range(9)]))
    found = list(archive.entries())
    assert [archive.content(entry.number, entry.size)[0] for entry in reversed(found)] == [
        entry.name.encode() for entry in reversed(found)
    ]
    with pytest.raises(zipfile.BadZipFile, match="has changed"):
        archive.content(10_000, 1)


def test_memory_is_let_go_of_while_members_are_walked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "_KEPT", 10_000)
    members = [(f"{number}", b"%d" % number * 500, zipfile.ZIP_STORED, False) for number in range(100)]
    (tmp_path / "a.zip").write_bytes(zipped(members))
    assert by_us(str(tmp_path / "a.zip")) == [(name, data) for name, data, *_ in members]


@pytest.mark.parametrize("most", [3, 4])
def test_more_members_than_any_archive_has_are_refused(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(zips, "MOST_MEMBERS", most)
    archive = Zip(zipped([(f"{number}", b"", zipfile.ZIP_STORED, False) for number in range(4)]))
    if most < 4:
        with pytest.raises(Refused, match="4 members"):
            list(archive.entries())
    else:
        assert len(list(archive.entries())) == 4
