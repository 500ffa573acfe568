"""Zip archives, read in the file: the library must find the same members with the same bytes."""

from __future__ import annotations

import io
import lzma
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.check.findings import DAMAGED, TOO_LARGE, Kind
from zertz_db.ingest.sources import zip_archive
from zertz_db.ingest.sources.archive_entry import READ_ERRORS, MemberRefusal
from zertz_db.ingest.sources.zip_archive import ZipArchive

METHODS = [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
NAMES = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=30)
MEMBERS = st.lists(st.tuples(NAMES, st.binary(max_size=3000), st.sampled_from(METHODS), st.booleans()), max_size=8)


def zipped(members: list[tuple[str, bytes, int, bool]], comment: bytes = b"", before: bytes = b"") -> bytes:
    """Return an archive of (name, bytes, method, whether sizes use the large form), optionally after other bytes."""
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
    archive = ZipArchive(source)
    try:
        entries = [entry for entry in archive.entries() if not entry.refusal]
        return [(entry.name, archive.content(entry.number, entry.size)) for entry in entries]
    finally:
        archive.close()


def test_entries_across_the_blocks_in_which_the_directory_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_archive, "_SMALL_DIRECTORY", 0)
    monkeypatch.setattr(zip_archive, "_MAX_ENTRY", 70)
    monkeypatch.setattr(zip_archive, "_BLOCK", 100)  # an entry and a part of the next one
    data = zipped([(f"record number {number}.txt", b"x", zipfile.ZIP_STORED, False) for number in range(9)], b"", b"")
    assert by_us(data) == by_library(data)


@settings(deadline=None)
@pytest.mark.filterwarnings("ignore:Duplicate name")
@given(MEMBERS, st.binary(max_size=200).filter(lambda comment: b"PK" not in comment), st.binary(max_size=200))
def test_the_library_finds_the_same(members: list[tuple[str, bytes, int, bool]], comment: bytes, before: bytes) -> None:
    """The library fails on an archive whose comment has the magic of an end record; that case has a separate test."""
    data = zipped(members, comment, before)
    assert by_us(data) == by_library(data)


@pytest.mark.parametrize("limit", ["ZIP64_LIMIT", "ZIP_FILECOUNT_LIMIT"])
def test_the_large_form_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """Archives of more than 4 GB, or of more than 65,535 members, use it; a lower limit makes small ones use it."""
    monkeypatch.setattr(zipfile, limit, 10)
    members = [(f"{number}.txt", b"%d" % number * 40, zipfile.ZIP_DEFLATED, True) for number in range(30)]
    data = zipped(members, before=b"a program that unpacks itself")
    assert b"PK\x06\x06" in data
    (tmp_path / "large.zip").write_bytes(data)
    assert by_us(str(tmp_path / "large.zip")) == [(name, content) for name, content, *_ in members]


def test_members_are_read_in_any_order_by_their_numbers() -> None:
    archive = ZipArchive(zipped([(f"{number}", b"%d" % number, zipfile.ZIP_STORED, False) for number in range(9)]))
    found = list(archive.entries())
    assert [archive.content(entry.number, entry.size) for entry in reversed(found)] == [
        entry.name.encode() for entry in reversed(found)
    ]
    with pytest.raises(zipfile.BadZipFile, match="has changed"):
        archive.content(10_000, 1)


@pytest.mark.parametrize("most", [3, 4])
def test_too_many_members_are_rejected(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(zip_archive, "MAX_MEMBERS", most)
    archive = ZipArchive(zipped([(f"{number}", b"", zipfile.ZIP_STORED, False) for number in range(4)]))
    if most < 4:
        with pytest.raises(MemberRefusal, match="more than 3 members"):
            list(archive.entries())
    else:
        assert len(list(archive.entries())) == 4


ENTRY, END, LOCATOR = b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x07"
LARGE_END = 56 + 20
METHOD, CHECKSUM, PACKED_SIZE, SIZE, COMMENT_LENGTH, COUNTS = 10, 16, 20, 24, 32, 8
BOTH = [("a.txt", b"first"), ("b.txt", b"second")]


def both(
    second: bytes = b"second", method: int = zipfile.ZIP_STORED, comment: bytes = b"", remark: bytes = b""
) -> bytes:
    """Return an archive of two members. remark: the comment of the second one."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("a.txt", b"first")
        info = zipfile.ZipInfo("b.txt")
        info.comment, info.compress_type = remark, method
        archive.writestr(info, second)
        archive.comment = comment
    return target.getvalue()


def changed(data: bytes, magic: bytes, at: int, value: bytes) -> bytes:
    """Return the archive with other bytes in the last structure with this prefix."""
    begin = data.rindex(magic) + at
    return data[:begin] + value + data[begin + len(value) :]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(both(comment=b"no " + END + b" but a comment" * 9), id="the magic of the end in a comment"),
        pytest.param(both() + b"added bytes", id="bytes after the end"),
        pytest.param(both(remark=LOCATOR + bytes(16)), id="what looks like a locator"),
        pytest.param(changed(both(), ENTRY, COMMENT_LENGTH, b"\xff\xff"), id="a comment that ends nowhere"),
    ],
)
def test_odd_directories_are_read(data: bytes) -> None:
    assert by_us(data) == BOTH


@pytest.mark.parametrize(
    ("data", "rest", "message"),
    [
        (both() + b"added bytes", b"added bytes", "11 bytes after the archive's end: not read"),
        (both(comment=b"a comment") + b"x", b"x", "1 byte after the archive's end: not read"),
        (b"a program" + both() + b"added", b"added", "5 bytes after the archive's end: not read"),
        (both(comment=b"a comment"), None, ""),
        (both() + bytes(512), None, ""),
        (both() + b"\r\n", None, ""),
    ],
)
def test_bytes_after_the_end_are_a_refused_member(data: bytes, rest: bytes | None, message: str) -> None:
    entries = list(ZipArchive(data).entries())
    assert [entry.name for entry in entries] == ["a.txt", "b.txt", *(["(rest)"] if rest else [])]
    refusals = [
        (entry.size, refusal.data, str(refusal), refusal.kind) for entry in entries if (refusal := entry.refusal)
    ]
    assert refusals == ([(len(rest), rest, message, DAMAGED)] if rest else [])


@pytest.mark.parametrize("counts", [END, b"\x03\0\x03\0", b"\0\0\0\0"])
def test_members_that_the_directory_does_not_list_are_missed(counts: bytes) -> None:
    members = []
    with pytest.raises(zipfile.BadZipFile, match=f"states {int.from_bytes(counts[2:], 'little'):,} members.* lists 2"):
        members.extend(ZipArchive(changed(both(), END, COUNTS, counts)).entries())
    assert len(members) == 2


def test_the_number_of_members_begins_again_at_65536() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as target:
        for number in range(70_000):
            target.writestr(f"{number}", b"")
    data = changed(file.getvalue(), END, COUNTS, (70_000 % 65_536).to_bytes(2, "little") * 2)
    end = data.rindex(END)
    data = data[: end - LARGE_END] + data[end:]  # as writers before ZIP64 left it
    assert sum(1 for _ in ZipArchive(data).entries()) == 70_000


def had(source: str | bytes) -> list[bytes | Kind]:
    """Return the bytes of each member, or the kind of finding that rejects it."""
    archive = ZipArchive(source)

    def one(number: int) -> bytes | Kind:
        try:
            return archive.content(number, 0)
        except MemberRefusal as refused:
            return refused.kind

    try:
        return [one(entry.number) for entry in archive.entries()]
    finally:
        archive.close()


@pytest.mark.parametrize(
    ("at", "value", "kind"),
    [
        (SIZE, (1 << 31).to_bytes(4, "little"), TOO_LARGE),
        (SIZE, b"\xff" * 4, TOO_LARGE),
        (SIZE, b"\x09", DAMAGED),
        (SIZE, b"\x00", DAMAGED),
        (PACKED_SIZE, b"\xff" * 4, DAMAGED),
        (METHOD, b"\x09", DAMAGED),
        (METHOD, b"\x08", DAMAGED),
        (METHOD, b"\x0c", DAMAGED),
        (METHOD, b"\x0e", DAMAGED),
    ],
)
def test_a_wrong_entry_of_the_directory_affects_only_its_member(at: int, value: bytes, kind: Kind) -> None:
    assert had(changed(both(), ENTRY, at, value)) == [b"first", kind]


@pytest.mark.parametrize("method", METHODS[1:])
def test_no_more_is_unpacked_than_the_directory_states(method: int) -> None:
    data = changed(both(bytes(20_000_000), method), ENTRY, SIZE, (10).to_bytes(4, "little"))
    tracemalloc.start()
    try:
        assert had(data) == [b"first", DAMAGED]
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 10_000_000


def test_a_member_that_is_too_large_is_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_archive, "MAX_MEMBER_BYTES", 1000)
    data = changed(both(bytes(1001)), ENTRY, SIZE, (5).to_bytes(4, "little"))
    assert had(data) == [b"first", TOO_LARGE]


def test_overlapping_members_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading them would be in vain, because their sizes are wrong."""
    monkeypatch.setattr(zip_archive, "get_max_unpacked", lambda packed: 10 * packed)
    data = changed(both(bytes(10_000)), ENTRY, SIZE, b"\x01\x00")
    begin, end = data.rindex(ENTRY), data.index(END)
    many = data[begin:end] * 200
    with pytest.raises(MemberRefusal, match="of its members unpack"):
        had(data[:begin] + many + changed(data[end:], END, 12, struct.pack("<II", len(many), begin)))


@pytest.mark.parametrize("length", [0, 10])
def test_a_file_truncated_while_open_is_damaged(tmp_path: Path, length: int) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(both(bytes(100_000)))
    archive = ZipArchive(str(path))
    found = list(archive.entries())
    with path.open("r+b") as file:
        file.truncate(length)
    for entry in found:
        with pytest.raises((*READ_ERRORS, MemberRefusal), match="damaged"):
            archive.content(entry.number, entry.size)
    archive.close()


def test_missing_sizes_are_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 10)
    data = zipped([("a.txt", bytes(40), zipfile.ZIP_STORED, True)])
    assert by_us(data) == [("a.txt", bytes(40))]
    begin = data.rindex(ENTRY) + 46 + len("a.txt")
    with pytest.raises(zipfile.BadZipFile, match="sizes are missing"):
        by_us(data[: begin + 2] + b"\x04" + data[begin + 3 :])


def overwritten(data: bytes, place: int, value: int) -> bytes:
    return data[:place] + bytes([value]) + data[place + 1 :]


def inserted(data: bytes, place: int, value: int) -> bytes:
    return data[:place] + bytes([value]) + data[place:]


def filled(data: bytes, place: int, value: int) -> bytes:
    return data[:place] + bytes([value] * 8) + data[place + 8 :]


def cut(data: bytes, place: int, value: int) -> bytes:
    return data[:place] + data[place + value :]


CHANGES = st.tuples(st.sampled_from([overwritten, inserted, filled, cut]), st.integers(0, 600), st.integers(0, 255))


@settings(deadline=None)
@given(
    st.sampled_from([both(method=method, comment=b"PK") for method in METHODS]),
    st.lists(CHANGES, min_size=1, max_size=3),
)
def test_of_changed_archives_both_read_the_same(
    data: bytes, changes: list[tuple[Callable[[bytes, int, int], bytes], int, int]]
) -> None:
    for change, back, value in changes:
        data = change(data, max(0, len(data) - back), value)
    try:
        ours = had(data)
    except (*READ_ERRORS, MemberRefusal):
        return
    for mine, other in zip(ours, library_had(data), strict=False):
        assert other is None or isinstance(mine, Kind) or mine == other


def told(data: bytes) -> list[bytes | tuple[str, Kind]]:
    """Return the bytes of each member, or the sentence that rejects it and its kind."""
    archive = ZipArchive(data)

    def one(number: int) -> bytes | tuple[str, Kind]:
        try:
            return archive.content(number, 0)
        except MemberRefusal as refused:
            return str(refused), refused.kind

    return [one(entry.number) for entry in archive.entries()]


@pytest.mark.skipif(zip_archive.isal_zlib is None, reason="isal is not installed")
@settings(deadline=None)
@given(st.lists(CHANGES, max_size=3))
def test_isal_and_zlib_unpack_and_reject_alike(
    changes: list[tuple[Callable[[bytes, int, int], bytes], int, int]],
) -> None:
    data = both(method=zipfile.ZIP_DEFLATED)
    for change, back, value in changes:
        data = change(data, max(0, len(data) - back), value)
    try:
        by_isal = told(data)
    except (*READ_ERRORS, MemberRefusal):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zip_archive, "isal_zlib", None)
        assert told(data) == by_isal


def library_had(data: bytes) -> list[bytes | None]:
    """Return the bytes of each member, None if the library can't read it."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception:  # noqa: BLE001 - any kind of damage
        return []

    def one(member: zipfile.ZipInfo) -> bytes | None:
        try:
            return archive.read(member)
        except Exception:  # noqa: BLE001 - as above
            return None

    return [one(member) for member in archive.infolist() if not member.orig_filename.endswith("/")]


def test_a_member_packed_by_lzma_may_end_without_a_mark() -> None:
    """Some packers leave the end to the directory; a test file of the newer form is packed like that."""
    content = b"1. Wd4,d1 Bd3,a1 2. x d3Wd5 " * 50
    newer = lzma.compress(content, lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2}])
    length, of_packing = struct.unpack_from(">xxxHB", newer)
    packed = struct.pack("<HHBI", 0x1409, 5, of_packing, 1 << 23) + newer[6 : 7 + length]
    data = changed(both(packed), ENTRY, METHOD, bytes([zipfile.ZIP_LZMA]))
    data = changed(data, ENTRY, CHECKSUM, zlib.crc32(content).to_bytes(4, "little"))
    data = changed(data, ENTRY, SIZE, len(content).to_bytes(4, "little"))
    assert by_library(data) == by_us(data) == [("a.txt", b"first"), ("b.txt", content)]


@pytest.mark.parametrize("largest", [0, 1 << 20])
def test_small_archives_are_read_as_a_whole_and_large_ones_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, largest: int
) -> None:
    monkeypatch.setattr(zip_archive, "_SMALL_ARCHIVE", largest)
    members = [(f"{number}.sgf", bytes([number]) * 50, zipfile.ZIP_DEFLATED, False) for number in range(5)]
    file = tmp_path / "games.zip"
    file.write_bytes(zipped(members))
    archive = ZipArchive(str(file))
    assert [archive.content(entry.number, entry.size) for entry in archive.entries()] == [one[1] for one in members]
    assert (archive._data is not None) == bool(largest)
    archive.close()
