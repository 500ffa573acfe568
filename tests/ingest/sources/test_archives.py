"""Imports of archives of every kind, and hostile ones: rejected with a finding, within limits."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.check import check_record
from zertz_db.check.findings import DAMAGED, ENCRYPTED, LINK, ODD_NAME, TOO_LARGE, UNSUPPORTED, Kind
from zertz_db.check.replay.attempt import replay_record
from zertz_db.ingest.check_files import check_paths
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.sources import archive_entry as entries
from zertz_db.ingest.sources import compressed_file
from zertz_db.ingest.sources.discover import MAX_DEPTH, list_places, split_batches
from zertz_db.ingest.sources.place import Content, Damage, Place
from zertz_db.ingest.sources.read_bytes import read_contents

GAME = b'[Board "37"]\n[RuleSet "standard"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n'
OTHER = b'[Board "37"]\n[RuleSet "standard"]\n\n1. Gd4,d1 resigns\n'


def zipped(**members: bytes) -> bytes:
    return zipped_as({name.replace("__", "."): data for name, data in members.items()})


def zipped_as(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return target.getvalue()


def tarred(members: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return target.getvalue()


def contents(path: Path) -> list[Content | Damage]:
    return list(read_contents(list_places([(str(path), True)])))


def within(tmp_path: Path, name: str, data: bytes) -> list[tuple[str, bytes | Kind]]:
    """Return the members of a file of this name with their bytes, or with the kind of finding that rejects them."""
    (tmp_path / name).write_bytes(data)
    return [
        (found.place.member, found.kind if isinstance(found, Damage) else found.data)
        for found in contents(tmp_path / name)
    ]


TWO = {"a.txt": GAME, "sub/b.txt": OTHER}


@pytest.mark.parametrize(
    ("name", "data", "members"),
    [
        ("games.zip", zipped_as(TWO), TWO),
        ("stored.zip", zipped_as(TWO, zipfile.ZIP_STORED), TWO),
        ("lzma.zip", zipped_as(TWO, zipfile.ZIP_LZMA), TWO),
        ("games.tar", tarred(TWO), TWO),
        ("games.tar.gz", gzip.compress(tarred(TWO), mtime=0), TWO),
        ("games.tbz2", bz2.compress(tarred(TWO)), TWO),
        ("games.tar.xz", lzma.compress(tarred(TWO)), TWO),
        ("no-ending", gzip.compress(tarred(TWO), mtime=0), TWO),
        ("games.txt.gz", gzip.compress(GAME, mtime=0), {"games.txt": GAME}),
        ("games.txt.bz2", bz2.compress(GAME), {"games.txt": GAME}),
        ("games.txt.xz", lzma.compress(GAME), {"games.txt": GAME}),
        ("two-streams.gz", gzip.compress(GAME, mtime=0) + gzip.compress(OTHER, mtime=0), {"two-streams": GAME + OTHER}),
        ("nested.zip", zipped(inner__zip=zipped_as(TWO)), {"inner.zip!a.txt": GAME, "inner.zip!sub/b.txt": OTHER}),
        (
            "nested.tar.gz",
            gzip.compress(tarred({"x.tar.xz": lzma.compress(tarred(TWO)), "c.txt": GAME}), mtime=0),
            {"x.tar.xz!a.txt": GAME, "x.tar.xz!sub/b.txt": OTHER, "c.txt": GAME},
        ),
        ("packed.zip", zipped(a__txt__gz=gzip.compress(GAME, mtime=0)), {"a.txt.gz!a.txt": GAME}),
        ("called.zip", zipped(a__zip=GAME), {"a.zip": GAME}),
    ],
)
def test_every_kind_of_archive_gives_its_members(
    tmp_path: Path, name: str, data: bytes, members: dict[str, bytes]
) -> None:
    assert within(tmp_path, name, data) == list(members.items())


def test_members_are_read_in_any_order_and_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"{number}.txt": f"{number}".encode() * 400 for number in range(40)}
    inner = zipped_as({f"i{number}.txt": b"%d" % number for number in range(5)})
    path = tmp_path / "games.tar.gz"
    path.write_bytes(gzip.compress(tarred({**many, "inner.zip": inner})))
    found = [place for place in list_places([(str(path), True)]) if isinstance(place, Place)]
    monkeypatch.setattr("zertz_db.ingest.sources.discover.BATCH_BYTES", 1000)
    in_lots = [content for lot in split_batches(found) for content in read_contents(lot)]
    backwards = list(read_contents(found[::-1]))[::-1]
    assert in_lots == backwards
    assert [content.data for content in in_lots if isinstance(content, Content)][:40] == list(many.values())
    assert len(in_lots) == 45


def test_an_archive_that_changes_between_batches_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "games.tar.gz"
    path.write_bytes(gzip.compress(tarred({"a.txt": GAME})))
    found = [place for place in list_places([(str(path), True)]) if isinstance(place, Place)]
    assert [content.data for content in read_contents(found) if isinstance(content, Content)] == [GAME]
    path.write_bytes(gzip.compress(tarred({"a.txt": OTHER + b" " * (len(GAME) - len(OTHER))})))
    assert [content.data.rstrip() for content in read_contents(found) if isinstance(content, Content)] == [
        OTHER.rstrip()
    ]


def linked(name: str, kind: bytes) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    return target.getvalue()


def sparse_tar(parts: list[bytes], hole: int) -> bytes:
    """Return a tar archive with one sparse file, in the form pax 0.1. Each part is followed by a hole; its size is in bytes."""
    starts = [sum(map(len, parts[:number])) + number * hole for number in range(len(parts))]
    size = starts[-1] + len(parts[-1]) + hole
    places = [f"{start},{len(part)}" for start, part in zip(starts, parts, strict=True)]
    info = tarfile.TarInfo("GNUSparseFile.0/a.txt")
    info.size = sum(map(len, parts))
    info.pax_headers = {"GNU.sparse.map": ",".join(places), "GNU.sparse.size": f"{size}", "GNU.sparse.name": "a.txt"}
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(info, io.BytesIO(b"".join(parts)))
    return target.getvalue()


def old_sparse_tar(parts: list[bytes], hole: int) -> bytes:
    """Return the same in the older form of GNU: up to four places in the header itself, then zeros."""
    starts = [sum(map(len, parts[:number])) + number * hole for number in range(len(parts))]
    info = tarfile.TarInfo("a.txt")
    info.type, info.size = tarfile.GNUTYPE_SPARSE, sum(map(len, parts))
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    numbers = [number for start, part in zip(starts, parts, strict=True) for number in (start, len(part))]
    for at, number in [*zip(range(386, 482, 12), numbers, strict=False), (483, starts[-1] + len(parts[-1]) + hole)]:
        header[at : at + 12] = b"%011o\0" % number
    header[148:156] = b"%06o\0 " % (sum(header) - sum(header[148:156]) + 8 * ord(" "))
    data = b"".join(parts)
    return bytes(header) + data + bytes(-len(data) % tarfile.BLOCKSIZE + 2 * tarfile.BLOCKSIZE)


def zipped_link() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        info = zipfile.ZipInfo("link.txt")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    return target.getvalue()


def encrypted() -> bytes:
    data = bytearray(zipped(a__txt=GAME))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def overlapping() -> bytes:
    """Return a thousand entries of the directory for the same bytes."""
    data = zipped(a__txt=b"\0" * 100_000)
    begin = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    entries = data[begin:end] * 1000
    tail = bytearray(data[end:])
    tail[8:12] = (1000).to_bytes(2, "little") * 2
    tail[12:16] = len(entries).to_bytes(4, "little")
    return data[:begin] + entries + bytes(tail)


def absurd_tar() -> bytes:
    info = tarfile.TarInfo("a.txt")
    info.size = 8 * 10**12
    return info.tobuf() + GAME


def tar_header(size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    """Return the header of a member of that size, possibly negative: as a number of twelve bytes."""
    info = tarfile.TarInfo("a.txt")
    info.type = kind
    header = bytearray(info.tobuf())
    header[124:136] = (size + (1 << 95 if size >= 0 else 0)).to_bytes(12, "big", signed=size < 0)
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


def after_a_good_member(header: bytes) -> bytes:
    return tarred({"ok.txt": GAME})[: 2 * tarfile.BLOCKSIZE] + header + b"x" * tarfile.BLOCKSIZE


def matryoshka(depth: int) -> bytes:
    data = zipped(a__txt=GAME)
    for _ in range(depth):
        data = zipped(next__zip=data)
    return data


def flipped(data: bytes, at: int) -> bytes:
    changed = bytearray(data)
    changed[at] ^= 0xFF
    return bytes(changed)


def zstd_of(data: bytes) -> bytes:
    file = io.BytesIO()
    with compressed_file._load_zstd_classes()[0](file, "w") as target:
        target.write(data)
    return file.getvalue()


MEGABYTE = 1_000_000
HOSTILE: dict[str, tuple[Callable[[], bytes], Kind]] = {
    "bomb.zip": (lambda: zipped(a__txt=b"\0" * 20 * MEGABYTE), TOO_LARGE),
    "bomb.gz": (lambda: gzip.compress(b"\0" * 20 * MEGABYTE), TOO_LARGE),
    "bomb.bz2": (lambda: bz2.compress(b"\0" * 20 * MEGABYTE), TOO_LARGE),
    "bomb.xz": (lambda: lzma.compress(b"\0" * 20 * MEGABYTE), TOO_LARGE),
    "bomb.tar.gz": (lambda: gzip.compress(tarred({"a.txt": b"\0" * 20 * MEGABYTE})), TOO_LARGE),
    "overlapping.zip": (overlapping, TOO_LARGE),
    "absurd.tar": (absurd_tar, TOO_LARGE),
    "matryoshka.zip": (lambda: matryoshka(MAX_DEPTH + 1), TOO_LARGE),
    "link.tar": (lambda: linked("link.txt", tarfile.SYMTYPE), LINK),
    "hard-link.tar": (lambda: linked("link.txt", tarfile.LNKTYPE), LINK),
    "pipe.tar": (lambda: linked("pipe", tarfile.FIFOTYPE), LINK),
    "link.zip": (zipped_link, LINK),
    "encrypted.zip": (encrypted, ENCRYPTED),
    "flipped.gz": (lambda: flipped(gzip.compress(GAME * 99), -30), DAMAGED),
    "wrong-sum.gz": (lambda: flipped(gzip.compress(GAME * 99), -6), DAMAGED),
    "flipped.zst": (lambda: flipped(zstd_of(GAME), 5), DAMAGED),
    "bomb.zst": (lambda: zstd_of(b"\0" * 20 * MEGABYTE), TOO_LARGE),
    "7z.7z": (lambda: b"7z\xbc\xaf\x27\x1c\0\4" + bytes(100), UNSUPPORTED),
    "rar.rar": (lambda: b"Rar!\x1a\x07\1\0" + bytes(100), UNSUPPORTED),
    "lz4.lz4": (lambda: b"\x04\x22\x4d\x18" + bytes(100), UNSUPPORTED),
    "rar-in.zip": (lambda: zipped(a__rar=b"Rar!\x1a\x07\0" + bytes(100)), UNSUPPORTED),
    "sparse.tar": (lambda: sparse_tar([GAME], 20 * MEGABYTE), TOO_LARGE),
    "sparse-old.tar": (lambda: old_sparse_tar([GAME], 20 * MEGABYTE), TOO_LARGE),
    "sparse-overlapping.tar": (lambda: sparse_tar([GAME, GAME], hole=-5), DAMAGED),
    "sparse-cut.tar": (lambda: old_sparse_tar([GAME, GAME], 10)[: 512 + len(GAME) + 10], DAMAGED),
    "sparse.tar.gz": (lambda: gzip.compress(sparse_tar([GAME], 20 * MEGABYTE)), TOO_LARGE),
    "cut.bz2": (lambda: bz2.compress(GAME * 99)[:-20], DAMAGED),
    "cut.zip": (lambda: zipped(a__txt=GAME)[:60], DAMAGED),
    "cut.tar": (lambda: tarred({"a.txt": GAME * 99})[:2000], DAMAGED),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archives_are_rejected_with_a_finding(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MIN_SUSPICIOUS_BYTES", 5 * MEGABYTE)
    make, kind = HOSTILE[name]
    first, *others = (what for _, what in within(tmp_path, name, make()))
    assert kind in (first, *others)
    assert {first, *others} <= {kind, DAMAGED}  # a truncated archive has two faults: itself, and the member in it
    codes = [
        [finding.code for finding in found.checked.findings]
        for found in read_and_check(contents(tmp_path / name))
        if isinstance(found, SourceRecord)
    ]
    assert [kind.code] in codes
    assert len(codes) == 1 + len(others)


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
@pytest.mark.parametrize("make", [sparse_tar, old_sparse_tar])
def test_a_sparse_file_is_read_with_zeros_in_its_holes(
    tmp_path: Path, make: Callable[[list[bytes], int], bytes], packed: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "a.tar").write_bytes(packed(make([GAME, OTHER], 600_000)))
    ((place, data, *_),) = contents(tmp_path / "a.tar")
    assert (place.member, data) == ("a.txt", GAME + bytes(600_000) + OTHER + bytes(600_000))
    found = [
        record.checked for record in read_and_check(contents(tmp_path / "a.tar")) if isinstance(record, SourceRecord)
    ]
    assert [checked.verdict for checked in found] == ["verified", "verified"]


def test_all_sparse_files_of_an_archive_have_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "MIN_SUSPICIOUS_BYTES", 5 * MEGABYTE)
    one = old_sparse_tar([GAME], 2 * MEGABYTE)[: -2 * tarfile.BLOCKSIZE]
    found = [what for _, what in within(tmp_path, "many.tar", 9 * one + bytes(1024))]
    assert found.count(TOO_LARGE) == 7
    assert len(found) == 9


BLANKS = b" " * 2 * MEGABYTE
BOMBS: dict[str, Callable[[], bytes]] = {
    "zips.zip": lambda: zipped_as({f"{number}.zip": zipped(a__txt=BLANKS) for number in range(9)}),
    "gzs.zip": lambda: zipped_as({f"{number}.gz": gzip.compress(BLANKS) for number in range(9)}),
    "zips.tar": lambda: tarred({f"{number}.zip": zipped(a__txt=BLANKS) for number in range(9)}),
    "zips.tar.gz": lambda: gzip.compress(tarred({f"{number}.zip": zipped(a__txt=BLANKS) for number in range(9)})),
    "deep.zip": lambda: zipped(a__zip=zipped_as({f"{number}.zip": zipped(a__txt=BLANKS) for number in range(9)})),
}


@pytest.mark.parametrize("name", BOMBS)
def test_the_total_size_of_nested_archives_is_limited(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MIN_SUSPICIOUS_BYTES", 5 * MEGABYTE)
    found = within(tmp_path, name, BOMBS[name]())
    *read_ones, last = [what == TOO_LARGE for _, what in found]
    assert last
    assert not any(read_ones)
    assert len(read_ones) <= 3


PACKED = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstd_of}


@pytest.mark.parametrize("ending", PACKED)
def test_every_compression_is_read(tmp_path: Path, ending: str) -> None:
    pack = PACKED[ending]
    assert within(tmp_path, f"game.txt.{ending}", pack(GAME)) == [("game.txt", GAME)]
    assert within(tmp_path, f"two.txt.{ending}", pack(GAME) + pack(OTHER)) == [("two.txt", GAME + OTHER)]
    assert within(tmp_path, f"games.tar.{ending}", pack(tarred(TWO))) == [*TWO.items()]
    assert within(tmp_path, "in.zip", zipped_as({f"a.txt.{ending}": pack(GAME)})) == [(f"a.txt.{ending}!a.txt", GAME)]


@pytest.mark.parametrize("ending", PACKED)
def test_what_is_packed_twice_is_read(tmp_path: Path, ending: str) -> None:
    pack = PACKED[ending]
    assert within(tmp_path, "game.txt.gz", gzip.compress(pack(GAME))) == [("game.txt!game.txt", GAME)]
    assert within(tmp_path, f"games.{ending}", pack(zipped_as(TWO))) == [(f"games!{name}", TWO[name]) for name in TWO]
    assert within(tmp_path, "rar.gz", pack(b"Rar!\x1a\x07\0" + bytes(100))) == [("rar", UNSUPPORTED)]
    assert (
        within(tmp_path, "deep.gz", reduce(lambda data, _: pack(data), range(MAX_DEPTH + 2), GAME))[0][1] == TOO_LARGE
    )


@pytest.mark.parametrize("first", [b"\x50", b"\x5f"])
def test_frames_without_content_are_skipped(tmp_path: Path, first: bytes) -> None:
    frame = first + b"\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"more"
    packed = frame + zstd_of(GAME) + frame + zstd_of(OTHER) + frame
    assert within(tmp_path, "games.txt.zst", packed) == [("games.txt", GAME + OTHER)]
    assert within(tmp_path, "games.tar.zst", frame + zstd_of(tarred(TWO))) == [*TWO.items()]


@pytest.mark.parametrize("ending", PACKED)
@pytest.mark.parametrize("garbage", [b"garbage", b"\0\0\0garbage", b"x" * 100_000])
def test_bytes_after_the_content_are_a_finding_and_the_content_is_read(
    tmp_path: Path, ending: str, garbage: bytes
) -> None:
    found = within(tmp_path, f"game.txt.{ending}", PACKED[ending](GAME) + garbage)
    assert found == [("game.txt", GAME), ("(rest)", DAMAGED)]


@pytest.mark.parametrize("ending", PACKED)
def test_zeros_after_the_content_are_ignored(tmp_path: Path, ending: str) -> None:
    assert within(tmp_path, f"game.txt.{ending}", PACKED[ending](GAME) + bytes(70_000)) == [("game.txt", GAME)]


@pytest.mark.parametrize(("ending", "lost"), [("gz", 3), ("gz", 20), ("xz", 20)])
def test_the_readable_part_of_a_truncated_file_is_read(tmp_path: Path, ending: str, lost: int) -> None:
    (_, data), (_, rest) = within(tmp_path, f"game.txt.{ending}", PACKED[ending](GAME * 99)[:-lost])
    assert isinstance(data, bytes)
    assert (GAME * 99).startswith(data)
    assert data
    assert rest == DAMAGED


def extended(record: bytes) -> bytes:
    """Return a tar whose member has an extended header with these bytes."""
    info = tarfile.TarInfo("PaxHeader")
    info.type, info.size = tarfile.XHDTYPE, len(record)
    return info.tobuf() + record.ljust(tarfile.BLOCKSIZE, b"\0") + tarred({"a.txt": GAME})


@pytest.mark.parametrize(
    ("record", "name", "is_odd"),
    [
        (b"18 path=games.txt\n", "games.txt", False),
        (b"18 path=games.txt\n14 mtime=12.5\n", "games.txt", False),
        (b"99999999999 path=aa\n", "a.txt", True),
        (b"17 path=games.txt\n", "a.txt", True),
        (b"0 path=games.txt\n", "a.txt", True),
        (b"garbage", "a.txt", True),
        (b"18 path=games.txt\n9 x", "a.txt", True),
    ],
)
def test_a_damaged_extended_header_is_left_out_with_a_note(
    tmp_path: Path, record: bytes, name: str, is_odd: bool
) -> None:
    (tmp_path / "games.tar").write_bytes(extended(record))
    ((report,),) = check_paths([tmp_path / "games.tar"])
    assert (report.place.member, report.verdict) == (name, "verified")
    assert [finding.code for finding, _ in report.findings] == [ODD_NAME.code] * is_odd


def test_members_without_bytes_are_not_replayed_on_every_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty thousand of them take seconds if each is replayed six times with all keys."""
    tried = []
    monkeypatch.setattr(
        check_record,
        "replay_record",
        lambda record, start, full: tried.append(full) or replay_record(record, start, full),
    )
    (tmp_path / "empty.zip").write_bytes(zipped_as({f"{number}.txt": b"" for number in range(10)}))
    assert sum(map(len, check_paths([tmp_path / "empty.zip"]))) == 10
    assert tried == [False] * 10


def test_the_members_before_a_damage_are_read(tmp_path: Path) -> None:
    data = gzip.compress(tarred({"a.txt": GAME, "b.txt": bytes(range(256)) * 4000}), compresslevel=0)
    found = within(tmp_path, "cut.tar.gz", data[:5000])
    assert found == [("a.txt", GAME), ("b.txt", DAMAGED), ("", DAMAGED)]


def test_the_members_after_a_damage_are_read(tmp_path: Path) -> None:
    found = within(tmp_path, "beheaded.zip", zipped_as(TWO)[20:])
    assert found == [("a.txt", DAMAGED), ("sub/b.txt", OTHER)]


@pytest.mark.parametrize("name", ["../../etc/a.txt", "/etc/a.txt", "C:\\games\\a.txt", "x/../../a.txt", "..\\a.txt"])
def test_a_name_that_leads_out_of_the_archive_is_noted_and_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "games.tar").write_bytes(tarred({name: GAME}))
    (lot,) = check_paths([tmp_path / "games.tar"])
    assert [report.verdict for report in lot] == ["verified"]
    assert [finding.code for finding, _ in lot[0].findings] == [ODD_NAME.code]


def test_a_name_in_no_encoding_leads_nowhere(tmp_path: Path) -> None:
    data = zipped_as({"\u00e4.txt": GAME}).replace("\u00e4".encode(), b"\xff\xfe")
    (tmp_path / "games.zip").write_bytes(data)
    (lot,) = check_paths([tmp_path / "games.zip"])
    assert [(report.place.shown[1], report.findings) for report in lot] == [("\\udcff\\udcfe.txt", ())]


def test_later_members_of_the_same_name_are_noted(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(tmp_path / "twice.zip", "w") as target:
        target.writestr("game.txt", GAME)
        target.writestr("game.txt", OTHER)
    (lot,) = check_paths([tmp_path / "twice.zip"])
    assert [report.place.member for report in lot] == ["game.txt", "game (2).txt"]
    assert [[finding.code for finding, _ in report.findings] for report in lot] == [[], [ODD_NAME.code]]


def test_unique_names_differ_from_names_that_look_like_them(tmp_path: Path) -> None:
    names = ["a (4).txt", "a (5).txt", "a.txt", "a.txt", "a.txt", "a (4).txt"]
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(tmp_path / "a.zip", "w") as target:
        for name in names:
            target.writestr(name, GAME)
    found = [place.member for place in list_places([(str(tmp_path / "a.zip"), True)]) if isinstance(place, Place)]
    assert found == ["a (4).txt", "a (5).txt", "a.txt", "a (6).txt", "a (7).txt", "a (4) (6).txt"]


def test_exclamation_marks_in_a_name_are_no_depth(tmp_path: Path) -> None:
    data = zipped_as({"what a game!!!.zip": zipped(inner__zip=zipped(a__txt=GAME))})
    assert within(tmp_path, "games.zip", data) == [("what a game!!!.zip!inner.zip!a.txt", GAME)]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("header", [b"?" * tarfile.BLOCKSIZE, b"cut off", tar_header(1).replace(b"a.txt", b"b.txt")])
def test_a_damaged_header_is_not_the_end_of_a_tar(
    tmp_path: Path, pack: Callable[[bytes], bytes], header: bytes
) -> None:
    data = tarred({"ok.txt": GAME})[: 2 * tarfile.BLOCKSIZE]
    assert within(tmp_path, "a.tar", pack(data + header)) == [("ok.txt", GAME), ("", DAMAGED)]
    assert within(tmp_path, "b.tar", pack(data)) == [("ok.txt", GAME)]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("between", "found"),
    [
        (bytes(tarfile.BLOCKSIZE), [("a.txt", GAME), ("b.txt", OTHER)]),
        (bytes(10 * tarfile.BLOCKSIZE), [("a.txt", GAME), ("b.txt", OTHER)]),
        (bytes(3_000 * tarfile.BLOCKSIZE), [("a.txt", GAME), ("b.txt", OTHER)]),
        (bytes(2 * tarfile.BLOCKSIZE) + b"other bytes", [("a.txt", GAME), ("", DAMAGED)]),
    ],
)
def test_a_tar_that_follows_another_one_is_read(
    tmp_path: Path, pack: Callable[[bytes], bytes], between: bytes, found: list[tuple[str, bytes | Kind]]
) -> None:
    first = tarred({"a.txt": GAME})[: 2 * tarfile.BLOCKSIZE]
    assert within(tmp_path, "a.tar", pack(first + between + tarred({"b.txt": OTHER}))) == found


@pytest.mark.parametrize(("cut", "rest"), [(-12, b""), (None, b"garbage")])
def test_a_compressed_tar_is_read_to_the_end_of_its_stream(tmp_path: Path, cut: int | None, rest: bytes) -> None:
    data = gzip.compress(tarred({"a.txt": GAME}))[:cut] + rest
    assert within(tmp_path, "a.tar.gz", data) == [("a.txt", GAME), ("", DAMAGED)]


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
@pytest.mark.parametrize("size", [-tarfile.BLOCKSIZE, -1_000_000, 1 << 40, (1 << 63) - 1, (1 << 94)])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_false_size_in_a_tar_does_not_affect_the_members_before_it(
    tmp_path: Path, kind: bytes, size: int, pack: Callable[[bytes], bytes]
) -> None:
    """A negative size leads back to headers that were read; names of any length may follow headers."""
    good, *others = within(tmp_path, "a.tar", pack(after_a_good_member(tar_header(size, kind))))
    assert good == ("ok.txt", GAME)
    assert 1 <= len(others) <= 2
    assert {what for _, what in others} <= {DAMAGED, TOO_LARGE}


@settings(deadline=None)
@given(
    st.sampled_from([zipped_as(TWO), tarred(TWO), gzip.compress(tarred(TWO)), lzma.compress(GAME), bz2.compress(GAME)]),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6),
    st.integers(0, 300),
    st.integers(0, 300),
)
def test_no_damage_to_an_archive_is_a_crash(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, changes: list[tuple[int, int]], lost: int, cut: int
) -> None:
    damaged = bytearray(data)
    for place, value in changes:
        damaged[place % len(damaged)] = value
    path = tmp_path_factory.mktemp("damaged") / "games"
    path.write_bytes(bytes(damaged[lost : len(damaged) - cut]) or b"x")
    for found in read_and_check(contents(path)):
        assert found.place.path == str(path)
