"""Archives of every kind on their way in, and hostile ones: refused with a finding, within bounds."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.check.findings import DAMAGED, ENCRYPTED, LINK, ODD_NAME, TOO_LARGE, Kind
from zertz_db.ingest import entries
from zertz_db.ingest.contents import read
from zertz_db.ingest.reading import Sighted, sight
from zertz_db.ingest.reports import report_all
from zertz_db.ingest.sources import DEEPEST, Content, Damage, Place, chunks, places

GAME = b'[Board "37"]\n\n1. Wd4,d1 Bd3,a1 2. x d3Wd5 resigns\n'
OTHER = b'[Board "37"]\n\n1. Gd4,d1 resigns\n'


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
    return list(read(places([(str(path), True)])))


def within(tmp_path: Path, name: str, data: bytes) -> list[tuple[str, bytes | Kind]]:
    """What is found in a file of this name: members with their bytes, or with the kind of finding that refuses them."""
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


def test_members_are_had_in_any_order_and_in_lots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = {f"{number}.txt": f"{number}".encode() * 400 for number in range(40)}
    inner = zipped_as({f"i{number}.txt": b"%d" % number for number in range(5)})
    path = tmp_path / "games.tar.gz"
    path.write_bytes(gzip.compress(tarred({**many, "inner.zip": inner})))
    found = [place for place in places([(str(path), True)]) if isinstance(place, Place)]
    monkeypatch.setattr("zertz_db.ingest.sources.CHUNK_BYTES", 1000)
    in_lots = [content for lot in chunks(found) for content in read(lot)]
    backwards = list(read(found[::-1]))[::-1]
    assert in_lots == backwards
    assert [content.data for content in in_lots if isinstance(content, Content)][:40] == list(many.values())
    assert len(in_lots) == 45


def test_an_archive_that_changes_between_lots_is_opened_anew(tmp_path: Path) -> None:
    path = tmp_path / "games.tar.gz"
    path.write_bytes(gzip.compress(tarred({"a.txt": GAME})))
    found = [place for place in places([(str(path), True)]) if isinstance(place, Place)]
    assert [content.data for content in read(found) if isinstance(content, Content)] == [GAME]
    path.write_bytes(gzip.compress(tarred({"a.txt": OTHER + b" " * (len(GAME) - len(OTHER))})))
    assert [content.data.rstrip() for content in read(found) if isinstance(content, Content)] == [OTHER.rstrip()]


def linked(name: str, kind: bytes) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    return target.getvalue()


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
    """A thousand entries of the directory for the same bytes."""
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
    """The header of a member of that size, which may be negative: as a number of twelve bytes."""
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


MEGABYTE = 1_000_000
HOSTILE: dict[str, tuple[Callable[[], bytes], Kind]] = {
    "bomb.zip": (lambda: zipped(a__txt=b"\0" * 20 * MEGABYTE), TOO_LARGE),
    "bomb.gz": (lambda: gzip.compress(b"\0" * 20 * MEGABYTE), TOO_LARGE),
    "bomb.bz2": (lambda: bz2.compress(b"\0" * 20 * MEGABYTE), TOO_LARGE),
    "bomb.xz": (lambda: lzma.compress(b"\0" * 20 * MEGABYTE), TOO_LARGE),
    "bomb.tar.gz": (lambda: gzip.compress(tarred({"a.txt": b"\0" * 20 * MEGABYTE})), TOO_LARGE),
    "overlapping.zip": (overlapping, TOO_LARGE),
    "absurd.tar": (absurd_tar, TOO_LARGE),
    "matryoshka.zip": (lambda: matryoshka(DEEPEST + 1), TOO_LARGE),
    "link.tar": (lambda: linked("link.txt", tarfile.SYMTYPE), LINK),
    "hard-link.tar": (lambda: linked("link.txt", tarfile.LNKTYPE), LINK),
    "pipe.tar": (lambda: linked("pipe", tarfile.FIFOTYPE), LINK),
    "link.zip": (zipped_link, LINK),
    "encrypted.zip": (encrypted, ENCRYPTED),
    "cut.gz": (lambda: gzip.compress(GAME * 99)[:-20], DAMAGED),
    "cut.xz": (lambda: lzma.compress(GAME * 99)[:-20], DAMAGED),
    "cut.bz2": (lambda: bz2.compress(GAME * 99)[:-20], DAMAGED),
    "cut.zip": (lambda: zipped(a__txt=GAME)[:-30], DAMAGED),
    "cut.tar": (lambda: tarred({"a.txt": GAME * 99})[:2000], DAMAGED),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archives_are_refused_with_a_finding(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "HARMLESS", 5 * MEGABYTE)
    make, kind = HOSTILE[name]
    first, *others = (what for _, what in within(tmp_path, name, make()))
    assert kind in (first, *others)
    assert {first, *others} <= {kind, DAMAGED}  # what is cut off ends twice: the archive, and the member in it
    codes = [
        [finding.code for finding in found.checked.findings]
        for found in sight(contents(tmp_path / name))
        if isinstance(found, Sighted)
    ]
    assert [kind.code] in codes
    assert len(codes) == 1 + len(others)


def test_the_members_before_a_damage_are_read(tmp_path: Path) -> None:
    data = gzip.compress(tarred({"a.txt": GAME, "b.txt": bytes(range(256)) * 4000}), compresslevel=0)
    found = within(tmp_path, "cut.tar.gz", data[:5000])
    assert found == [("a.txt", GAME), ("b.txt", DAMAGED), ("", DAMAGED)]


def test_the_members_behind_a_damage_are_read(tmp_path: Path) -> None:
    found = within(tmp_path, "beheaded.zip", zipped_as(TWO)[20:])
    assert found == [("a.txt", DAMAGED), ("sub/b.txt", OTHER)]


@pytest.mark.parametrize("name", ["../../etc/a.txt", "/etc/a.txt", "C:\\games\\a.txt", "x/../../a.txt", "..\\a.txt"])
def test_a_name_that_leads_out_of_the_archive_is_remarked_upon_and_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "games.tar").write_bytes(tarred({name: GAME}))
    (lot,) = report_all([tmp_path / "games.tar"])
    assert [report.verdict for report in lot] == ["verified"]
    assert [finding.code for finding, _ in lot[0].findings] == [ODD_NAME.code]


def test_a_name_in_no_encoding_leads_nowhere(tmp_path: Path) -> None:
    data = zipped_as({"\u00e4.txt": GAME}).replace("\u00e4".encode(), b"\xff\xfe")
    (tmp_path / "games.zip").write_bytes(data)
    (lot,) = report_all([tmp_path / "games.zip"])
    assert [(report.place.shown[1], report.findings) for report in lot] == [("\\udcff\\udcfe.txt", ())]


def test_of_members_of_one_name_the_later_ones_are_remarked_upon(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(tmp_path / "twice.zip", "w") as target:
        target.writestr("game.txt", GAME)
        target.writestr("game.txt", OTHER)
    (lot,) = report_all([tmp_path / "twice.zip"])
    assert [report.place.member for report in lot] == ["game.txt", "game (2).txt"]
    assert [[finding.code for finding, _ in report.findings] for report in lot] == [[], [ODD_NAME.code]]


def test_names_stay_apart_from_those_that_look_as_if_they_had_been_told_apart(tmp_path: Path) -> None:
    names = ["a (4).txt", "a (5).txt", "a.txt", "a.txt", "a.txt", "a (4).txt"]
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(tmp_path / "a.zip", "w") as target:
        for name in names:
            target.writestr(name, GAME)
    found = [place.member for place in places([(str(tmp_path / "a.zip"), True)]) if isinstance(place, Place)]
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


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
@pytest.mark.parametrize("size", [-tarfile.BLOCKSIZE, -1_000_000, 1 << 40, (1 << 63) - 1, (1 << 94)])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_whatever_size_a_member_of_a_tar_claims_those_before_are_read_and_nothing_follows(
    tmp_path: Path, kind: bytes, size: int, pack: Callable[[bytes], bytes]
) -> None:
    """A negative one leads back to headers that have been read; headers may have names of any length behind them."""
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
    for found in sight(contents(path)):
        assert found.place.path == str(path)
