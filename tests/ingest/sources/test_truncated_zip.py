"""Truncated zip archives: the complete members are read, and one finding states where the archive is cut off."""

from __future__ import annotations

import io
import random
import re
import struct
import zipfile
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from tests.queries.sample import RECORDS
from zertz_db.check.findings import DAMAGED, ENCRYPTED, TOO_LARGE
from zertz_db.ingest.check_files import CheckOptions, check_paths
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.sources import truncated_zip
from zertz_db.ingest.sources.archive_entry import MemberRefusal
from zertz_db.ingest.sources.archives import open_archive
from zertz_db.ingest.sources.truncated_zip import TruncatedZip
from zertz_db.maintain.doctor import examine

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
MEMBERS = {f"{number}.txt": record.encode() for number, record in enumerate(RECORDS[:4])}


class Pipe(io.RawIOBase):
    """A file that can't seek: an archive written to it has sizes after each member."""

    def __init__(self) -> None:
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        self.data += bytes(data)  # type: ignore[call-overload]
        return len(bytes(data))  # type: ignore[call-overload]


def archive(method: int, *, streamed: bool = False) -> tuple[bytes, list[int]]:
    """Return an archive, and the offset after each of its members."""
    file: Pipe | io.BytesIO = Pipe() if streamed else io.BytesIO()
    ends = []
    with zipfile.ZipFile(file, "w", method) as writing:  # type: ignore[arg-type]
        for name, data in MEMBERS.items():
            writing.writestr(name, data)
            ends.append(len(file.data) if isinstance(file, Pipe) else file.tell())
    return file.data if isinstance(file, Pipe) else file.getvalue(), ends


def read(data: bytes) -> tuple[dict[str, bytes], str]:
    """Return the members of an archive, and why there are no more."""
    found: dict[str, bytes] = {}
    try:
        opened = open_archive(data)
        assert opened is not None
        for entry in opened.entries():
            found[entry.name] = opened.content(entry.number, entry.size)
    except MemberRefusal as error:
        return found, str(error)
    return found, ""


@pytest.mark.parametrize("streamed", [False, True], ids=["sizes before", "sizes after"])
@pytest.mark.parametrize("method", METHODS)
def test_every_complete_member_is_read(method: int, streamed: bool) -> None:
    data, ends = archive(method, streamed=streamed)
    for cut in sorted({*range(0, len(data), 7), *ends, *(end - 1 for end in ends), *(end + 1 for end in ends)}):
        if cut < 4:
            continue
        found, why = read(data[:cut])
        whole = sum(end <= cut for end in ends)
        if not streamed:
            assert [*found] == [*MEMBERS][:whole]
            assert (f"after member {whole}" if whole else "truncated or damaged") in why
        elif method == zipfile.ZIP_DEFLATED:
            assert whole <= len(found) <= whole + 1  # complete but for the sizes after it
        assert found.items() <= MEMBERS.items()


def test_a_cut_directory_loses_no_member() -> None:
    data, ends = archive(zipfile.ZIP_DEFLATED)
    found, why = read(data[: ends[-1] + 60])
    assert (found, "in its directory, after member 4" in why) == (MEMBERS, True)


def test_an_archive_in_a_truncated_one_hides_no_other_member() -> None:
    inner, file = archive(zipfile.ZIP_DEFLATED)[0], io.BytesIO()
    with zipfile.ZipFile(file, "w") as writing:
        writing.writestr("a.txt", b"1. Wd4,d1 *")
        writing.writestr("inner.zip", inner)
        end = file.tell()
    for cut in (end, end + 20):
        found, why = read(file.getvalue()[:cut])
        assert (found, "after member 2" in why) == ({"a.txt": b"1. Wd4,d1 *", "inner.zip": inner}, True)


@pytest.mark.parametrize("count", [65_514, 1_000_000, 1_048_577])
@pytest.mark.parametrize("before", [b"", b"PK\x05\x06"])
def test_members_before_many_other_bytes_are_read(count: int, before: bytes, tmp_path: Path) -> None:
    data, _ = archive(zipfile.ZIP_DEFLATED)
    (tmp_path / "games.zip").write_bytes(data + before + b"x" * (count - len(before)))
    reports = [report for batch in check_paths([tmp_path / "games.zip"], CheckOptions()) for report in batch]
    *read_ones, rest = reports
    assert "unreadable" not in {report.verdict for report in read_ones}
    assert len(read_ones) == len(MEMBERS)
    assert DAMAGED.code in str(rest.findings)
    assert before or f"{count:,} bytes after the archive's end: not read" in str(rest.findings)


def test_two_archives_in_one_file_are_reported() -> None:
    data, _ = archive(zipfile.ZIP_DEFLATED)
    found, why = read(data + data)
    assert (found, "another archive follows" in why) == (MEMBERS, True)
    assert read(b"PK\x03\x04" + b"\xff" * 50 + data)[0] == MEMBERS


END = b"PK\x05\x06"


@pytest.mark.parametrize("field", [12, 16], ids=["length", "offset"])
@pytest.mark.parametrize("change", [-7, -1, 1, 500, 10**8])
def test_members_are_found_without_a_wrong_directory(field: int, change: int) -> None:
    data = bytearray(archive(zipfile.ZIP_DEFLATED)[0])
    at = data.rindex(END) + field
    struct.pack_into("<I", data, at, struct.unpack_from("<I", data, at)[0] + change)
    found, why = read(bytes(data))
    assert (found, why) == (MEMBERS, "the archive's directory is damaged: 4 members could be found without it")


@pytest.mark.parametrize("number", range(4))
def test_members_are_found_without_a_damaged_directory(number: int) -> None:
    data = archive(zipfile.ZIP_DEFLATED)[0]
    at = [found.start() for found in re.finditer(b"PK\x01\x02", data)][number]
    found, why = read(data[:at] + b"?" + data[at + 1 :])
    assert (found, "directory is damaged" in why) == (MEMBERS, True)


@pytest.mark.parametrize("number", range(4))
def test_a_member_with_a_damaged_header_hides_no_other_one(number: int) -> None:
    data, ends = archive(zipfile.ZIP_DEFLATED)
    at = [0, *ends][number]
    opened = open_archive(data[:at] + b"PK\x03\x05" + data[at + 4 :])
    assert opened is not None
    entries = [*opened.entries()]
    assert [entry.name for entry in entries] == [*MEMBERS]
    for entry in entries:
        with pytest.raises(zipfile.BadZipFile) if entry is entries[number] else nullcontext():
            assert opened.content(entry.number, entry.size) == MEMBERS[entry.name]


def test_large_sizes_are_read_from_further_fields() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as writing, writing.open("a.txt", "w", force_zip64=True) as member:
        member.write(b"1. Wd4,d1 *")
    assert read(file.getvalue()[:-30])[0] == {"a.txt": b"1. Wd4,d1 *"}


def test_a_damaged_or_encrypted_member_is_refused_alone() -> None:
    data, ends = archive(zipfile.ZIP_DEFLATED)
    damaged = bytearray(data[: ends[2]])
    damaged[ends[0] - 5] ^= 255
    opened = TruncatedZip(bytes(damaged))
    entries = []
    with pytest.raises(MemberRefusal, match="after member 3"):
        entries += list(opened.entries()) or [entries.extend(opened.entries())]
    encrypted = bytearray(data[: ends[2]])
    struct.pack_into("<H", encrypted, 6, 1)
    for changed, kind in ((damaged, DAMAGED), (encrypted, ENCRYPTED)):
        opened = TruncatedZip(bytes(changed))
        first = next(opened.entries())
        with pytest.raises(MemberRefusal) as refused:
            opened.content(first.number, first.size)
        assert refused.value.kind == kind


def test_bounds_are_those_of_other_archives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truncated_zip, "MAX_MEMBERS", 2)
    data, ends = archive(zipfile.ZIP_DEFLATED)
    with pytest.raises(MemberRefusal, match="more than 2 members") as refused:
        TruncatedZip(data[: ends[-1]])
    assert refused.value.kind == TOO_LARGE
    monkeypatch.setattr(truncated_zip, "MAX_MEMBER_BYTES", 100)
    with pytest.raises(MemberRefusal, match="too large to search"):
        TruncatedZip(data[: ends[-1]])


def test_a_bomb_with_sizes_after_it_is_not_unpacked() -> None:
    file = Pipe()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as writing:  # type: ignore[arg-type]
        writing.writestr("a.txt", b"1. Wd4,d1 *")
        writing.writestr("bomb.txt", bytes(60_000_000))
    found, why = read(file.data[:-30])
    assert ([*found], "after member 1" in why) == (["a.txt"], True)


def test_damaged_bytes_raise_only_refusals() -> None:
    data, ends = archive(zipfile.ZIP_DEFLATED, streamed=True)
    choose = random.Random(1)  # noqa: S311
    for _ in range(300):
        damaged = bytearray(data[: choose.randrange(4, ends[-1])])
        for _ in range(choose.randrange(4)):
            damaged[choose.randrange(4, len(damaged))] = choose.randrange(256)
        with suppress(zipfile.BadZipFile):
            read(bytes(damaged))


def test_an_import_stores_the_members_and_one_finding(tmp_path: Path) -> None:
    data, ends = archive(zipfile.ZIP_DEFLATED)
    (tmp_path / "games.zip").write_bytes(data[: ends[1] + 20])
    reports = [report for batch in check_paths([tmp_path / "games.zip"], CheckOptions()) for report in batch]
    assert len([report for report in reports if report.verdict != "unreadable"]) == 2
    (last,) = [report for report in reports if report.verdict == "unreadable"]
    assert "cut off after member 2" in str(last.findings)
    tally = import_paths([tmp_path / "games.zip"], tmp_path / "db")
    assert (tally.stored, tally.rejected, dict(tally.reasons)) == (2, 1, {DAMAGED.code: 1})
    assert examine(tmp_path / "db").is_fine
