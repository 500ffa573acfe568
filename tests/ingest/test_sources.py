"""Paths, archives and odd files on their way in."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from zertz_db.ingest.sources import (
    CHUNK_BYTES,
    Content,
    Damage,
    Place,
    SourceError,
    chunks,
    find_files,
    places,
    read,
)


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
    found = [place for place in places([(str(path), True)]) if isinstance(place, Place)]
    assert [(place.member, place.size) for place in found] == [("one", 1), ("two", 2), ("empty", 0)]
    assert [content.data for content in read(found) if isinstance(content, Content)] == [b"1", b"22", b""]


def test_members_of_the_same_name_are_all_read(tmp_path: Path) -> None:
    path = tmp_path / "twice.zip"
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "w") as target:
        target.writestr("game", b"first")
        target.writestr("game", b"second")
    found = [place for place in places([(str(path), True)]) if isinstance(place, Place)]
    assert [content.data for content in read(found) if isinstance(content, Content)] == [b"first", b"second"]


def test_a_truncated_archive_is_damage_not_a_crash(tmp_path: Path) -> None:
    path = archive(tmp_path / "games.zip", one=b"1" * 5000)
    path.write_bytes(path.read_bytes()[:-30])
    (found,) = places([(str(path), True)])
    assert isinstance(found, Damage)
    assert "truncated or damaged" in found.message


def test_a_damaged_member_leaves_the_others(tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as target:
        target.writestr("bad", b"AAAAAAAAAA")
        target.writestr("good", b"BBBBBBBBBB")
    path.write_bytes(path.read_bytes().replace(b"AAAAAAAAAA", b"AAAAACAAAA", 1))
    bad, good = read(place for place in places([(str(path), True)]) if isinstance(place, Place))
    assert isinstance(bad, Damage) and bad.place.member == "bad"
    assert isinstance(good, Content) and good.data == b"BBBBBBBBBB"


@pytest.mark.parametrize("sizes", [[], [1], [CHUNK_BYTES, 1, 1], [CHUNK_BYTES * 3], [CHUNK_BYTES // 2] * 5])
def test_chunks_hold_everything_in_order(sizes: list[int]) -> None:
    found = [Place(str(number), size=size) for number, size in enumerate(sizes)]
    lots = list(chunks(found))
    assert [place for lot in lots for place in lot] == found
    assert all(lots)
    assert all(sum(place.size for place in lot) <= CHUNK_BYTES or len(lot) == 1 for lot in lots)
