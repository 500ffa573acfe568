"""Paths, archives and odd files as places to read."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from zertz_db.ingest.sources.discover import (
    BATCH_BYTES,
    MIN_WEIGHT,
    find_files,
    have_bytes,
    list_places,
    split_batches,
)
from zertz_db.ingest.sources.place import Content, Damage, Place, SourceError, SourceItem
from zertz_db.ingest.sources.read_bytes import read_contents


def archive(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in members.items():
            target.writestr(name, data)
    return path


def test_files_come_in_order_once_and_know_whether_they_were_named(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden", "sub/c.txt", "own.zertz/CURRENT"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    found = find_files([str(tmp_path / "b.txt"), str(tmp_path)])
    assert [(Path(path).name, named) for path, named in found] == [("b.txt", True), ("a.txt", False), ("c.txt", False)]


@pytest.mark.parametrize("path", ["missing.txt", "missing/"])
def test_a_missing_path_is_named(path: str) -> None:
    with pytest.raises(SourceError, match=r"missing.*no such file"):
        find_files([path])


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no files"):
        find_files([tmp_path])


def test_members_of_an_archive_are_read_in_order(tmp_path: Path) -> None:
    path = archive(tmp_path / "games.zip", one=b"1", two=b"22", empty=b"")
    found = [place for place in list_places([(str(path), True)]) if isinstance(place, Place)]
    assert [(place.member, place.size) for place in found] == [("one", 1), ("two", 2), ("empty", 0)]
    assert [content.data for content in read_contents(found) if isinstance(content, Content)] == [b"1", b"22", b""]


def test_members_of_the_same_name_are_all_read(tmp_path: Path) -> None:
    path = tmp_path / "twice.zip"
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "w") as target:
        target.writestr("game", b"first")
        target.writestr("game", b"second")
    found = [place for place in list_places([(str(path), True)]) if isinstance(place, Place)]
    assert [content.data for content in read_contents(found) if isinstance(content, Content)] == [b"first", b"second"]


def test_a_truncated_archive_is_damage_not_a_crash(tmp_path: Path) -> None:
    path = archive(tmp_path / "games.zip", one=b"1" * 5000)
    path.write_bytes(path.read_bytes()[:40])
    (found,) = list_places([(str(path), True)])
    assert isinstance(found, Damage)
    assert "truncated or damaged" in found.message


def test_a_damaged_member_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as target:
        target.writestr("bad", b"AAAAAAAAAA")
        target.writestr("good", b"BBBBBBBBBB")
    path.write_bytes(path.read_bytes().replace(b"AAAAAAAAAA", b"AAAAACAAAA", 1))
    bad, good = read_contents(place for place in list_places([(str(path), True)]) if isinstance(place, Place))
    assert isinstance(bad, Damage) and bad.place.member == "bad"
    assert isinstance(good, Content) and good.data == b"BBBBBBBBBB"


@pytest.mark.parametrize("sizes", [[], [1], [BATCH_BYTES, 1, 1], [BATCH_BYTES * 3], [BATCH_BYTES // 2] * 5])
def test_batches_have_everything_in_order(sizes: list[int]) -> None:
    found = [Place(str(number), size=size) for number, size in enumerate(sizes)]
    lots = list(split_batches(found))
    assert [place for lot in lots for place in lot] == found
    assert all(lots)
    assert all(sum(place.size for place in lot) <= BATCH_BYTES or len(lot) == 1 for lot in lots)


def test_many_small_or_damaged_files_are_many_batches() -> None:
    found: list[SourceItem] = [Place("small"), Damage(Place("damaged"), "it is")] * (BATCH_BYTES // MIN_WEIGHT)
    assert [len(lot) for lot in split_batches(found)] == [BATCH_BYTES // MIN_WEIGHT] * 2


def odd_name(tmp_path: Path) -> Path:
    path = archive(tmp_path / "name.zip", **{"gäme.txt": b"odd"})
    path.write_bytes(path.read_bytes().replace("gäme".encode(), b"g\xff\xfeme"))
    return path


def odd_version(tmp_path: Path) -> Path:
    """Return a zip that needs a future version of the format."""
    path = archive(tmp_path / "later.zip", one=b"odd")
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 6] = 0xFF
    path.write_bytes(data)
    return path


def odd_stream(tmp_path: Path) -> Path:
    path = tmp_path / "lzma.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as target:
        target.writestr("one", b"1" * 1000)
    data = bytearray(path.read_bytes())
    data[45] ^= 0xFF
    path.write_bytes(data)
    return path


def odd_directory(tmp_path: Path) -> Path:
    path = archive(tmp_path / "directory.zip", one=b"1", two=b"2")
    data = bytearray(path.read_bytes())
    data[data.rindex(b"PK\x01\x02")] = 0
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("make", "expected", "damages"),
    [(odd_name, [b"odd"], 0), (odd_version, [b"odd"], 0), (odd_stream, [], 1), (odd_directory, [b"1", b"2"], 1)],
)
def test_an_odd_archive_is_read_or_damage_and_does_not_stop_the_others(
    tmp_path: Path, make: Callable[[Path], Path], expected: list[bytes], damages: int
) -> None:
    odd, good = make(tmp_path), archive(tmp_path / "z.zip", good=b"fine")
    contents = list(read_contents(list_places([(str(odd), True), (str(good), True)])))
    assert [it.data for it in contents if isinstance(it, Content)] == [*expected, b"fine"]
    assert [it.path for it in contents if isinstance(it, Damage)] == [str(odd)] * damages


def test_a_file_that_vanishes_or_changes_is_damage(tmp_path: Path) -> None:
    gone = archive(tmp_path / "gone.zip", one=b"1")
    shrunk = archive(tmp_path / "shrunk.zip", one=b"1", two=b"2")
    plain = tmp_path / "plain.txt"
    plain.write_text("x")
    found = [
        place
        for place in list_places([(str(path), True) for path in (gone, shrunk, plain)])
        if isinstance(place, Place)
    ]
    gone.unlink()
    plain.unlink()
    archive(shrunk, one=b"1")
    contents = list(read_contents(found))
    assert [type(content).__name__ for content in contents] == ["Damage", "Content", "Damage", "Damage"]


def test_a_folder_that_cannot_be_opened_is_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "open.txt").write_text("x")
    scan = os.scandir

    def scandir(path: str) -> object:
        if str(path) == str(closed):
            raise PermissionError(13, "Permission denied", str(closed))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = list(list_places(find_files([tmp_path])))
    assert [type(place).__name__ for place in found] == ["Damage", "Place"]
    assert [content.data for content in read_contents(found)] == [b"", b"x"]


def test_a_member_that_unpacks_to_more_than_stated_is_damage(tmp_path: Path) -> None:
    path = archive(tmp_path / "bomb.zip", one=b"\0" * 100_000)
    data = path.read_bytes()
    path.write_bytes(data.replace((100_000).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    (content,) = read_contents(place for place in list_places([(str(path), True)]) if isinstance(place, Place))
    assert isinstance(content, Damage) and "size" in content.message


def test_names_are_printable() -> None:
    assert Place("a\udcff.zip", "b\n\x1b[31m").shown == ("a\\udcff.zip", "b\\n\\x1b[31m")
    assert Place("größe.zip", "b c").name == "größe.zip!b c"


def test_the_bytes_of_pending_damaged_files_are_not_in_memory(tmp_path: Path) -> None:
    """A folder may be full of aborted downloads."""
    whole = archive(tmp_path / "whole.zip", one=b"1" * 5000).read_bytes()
    for name in ("cut.zip", "bitten.zip"):
        bitten = whole[:18] + b"\xff\xff\xff\x7f" + whole[22:].replace(b"PK\x01\x02", b"PK\x01\x03")
        (tmp_path / name).write_bytes(whole[:40] if name == "cut.zip" else bitten)
    waiting = list(list_places([(str(tmp_path / name), True) for name in ("bitten.zip", "whole.zip", "cut.zip")]))
    assert [(found.size, isinstance(found, Damage)) for found in waiting] == [
        (len(whole), True),
        (5000, False),
        (40, True),
    ]
    assert all(not found.data for found in waiting if isinstance(found, Damage))
    assert [content.data for content in read_contents(waiting)] == [
        (tmp_path / "bitten.zip").read_bytes(),
        b"1" * 5000,
        (tmp_path / "cut.zip").read_bytes(),
    ]


def test_a_truncated_archive_on_standard_input_or_within_another_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = archive(tmp_path / "cut.zip", one=b"1" * 5000).read_bytes()[:40]
    outer = archive(tmp_path / "outer.zip", **{"in.zip": cut, "two": b"2"})
    monkeypatch.setattr("zertz_db.ingest.sources.discover.read_standard_input", lambda: cut)
    piped, within, other = read_contents(list_places([("-", True), (str(outer), True)]))
    assert isinstance(piped, Damage) and piped.data == cut and "truncated" in piped.message
    assert isinstance(within, Damage) and within.place.member == "in.zip" and "truncated" in within.message
    assert other.data == b"2"


def test_several_threads_can_read_at_once(tmp_path: Path) -> None:
    for name in "ab":
        archive(tmp_path / f"{name}.zip", first=name.encode() + b"1", second=name.encode() + b"2")
    own, other = (read_contents(list_places([(str(tmp_path / f"{name}.zip"), True)])) for name in "ab")
    with ThreadPoolExecutor(1) as thread:
        found = [next(own).data, thread.submit(next, other).result().data, next(own).data]
        found += [it.data for it in thread.submit(list, other).result()]
    assert found == [b"a1", b"b1", b"a2", b"b2"]


@pytest.mark.parametrize(("least", "expected"), [(0, True), (1, True), (30, True), (31, False)])
def test_bytes_of_files_below_paths(tmp_path: Path, least: int, expected: bool) -> None:
    for name, size in (("a.txt", 10), ("below/b.txt", 10), ("c.txt", 10), (".hidden", 100), ("old.zertz/d.txt", 100)):
        path = tmp_path / "records" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b" " * size)
    assert have_bytes(["-", str(tmp_path / "records")], least) is expected


def test_bytes_of_a_missing_path(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        have_bytes([str(tmp_path / "missing")], 1)
