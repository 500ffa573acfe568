"""Text files with an object on every line, whatever the objects are."""

from __future__ import annotations

from pathlib import Path

import pytest

from zertz_db.store import corrections, lines, marks, unions
from zertz_db.store.errors import UnreadableDatabase
from zertz_db.store.lines import Entry


def read(path: Path) -> list[Entry]:
    found: list[Entry] = []
    lines.read(path, "thing", found.append)
    return found


def test_objects_come_back_in_order_whatever_signs_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "things"
    assert read(path) == []
    lines.say(path, [])
    assert not path.exists()
    lines.say(path, [{"a": 'ž\u2028\x85\v"\n'}, {"b": None}])
    lines.say(path, [{"c": 1}])
    assert read(path) == [{"a": 'ž\u2028\x85\v"\n'}, {"b": None}, {"c": 1}]
    assert len(path.read_bytes().splitlines()) == 3


@pytest.mark.parametrize("line", ["{", "[" * 100_000, '"\\ud800"', '{"missing": 1}', "7"])
def test_a_line_that_nobody_can_take_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "things"
    path.write_text(f'{{"a": 1}}\n\n{line}\n', "utf-8")
    with pytest.raises(UnreadableDatabase, match=r"things:3 is no thing \(.+\)\. Correct the line or take it out\."):
        lines.read(path, "thing", lambda entry: entry["a"])


@pytest.mark.parametrize("room", [corrections, marks, unions])
def test_what_is_not_in_utf_8_is_told_of_every_file(tmp_path: Path, room: object) -> None:
    (tmp_path / room.FILE).write_bytes(b'{"author": "\xff"}\n')  # type: ignore[attr-defined]
    for read_or_rewrite in (room.read, lambda folder: room.rewrite(folder, str.upper)):  # type: ignore[attr-defined]
        with pytest.raises(UnreadableDatabase, match=r"jsonl is not in UTF-8 .+ Restore it from a backup"):
            read_or_rewrite(tmp_path)


def test_all_objects_are_rewritten_at_once(tmp_path: Path) -> None:
    path = tmp_path / "things"
    lines.rewrite(path, "thing", lambda all_of_them: [*all_of_them, {"never": 1}])
    assert not path.exists()
    lines.say(path, [{"a": 1}, {"a": 2}])
    lines.rewrite(path, "thing", lambda all_of_them: ({"a": -one["a"]} for one in all_of_them))
    assert read(path) == [{"a": -1}, {"a": -2}]
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("room", [corrections, marks, unions])
def test_names_are_veiled_whatever_somebody_has_written(tmp_path: Path, room: object) -> None:
    game = '"game": "A05S0N8XJ2Q7C"'
    made_at = '"made_at": "2026-05-01T12:30:00"'
    path = tmp_path / room.FILE  # type: ignore[attr-defined]
    path.write_text(f'{{{game}, "author": "ada", {made_at}}}\n{{{game}, "author": 7, {made_at}}}\n')
    room.rewrite(tmp_path, lambda text: text.replace("ada", "anon"))  # type: ignore[attr-defined]
    assert [one["author"] for one in read(path)] == ["anon", "7"]


@pytest.mark.parametrize("room", [corrections, marks, unions])
def test_a_line_that_is_no_object_is_named_wherever_it_stands_in_the_way(tmp_path: Path, room: object) -> None:
    (tmp_path / room.FILE).write_text("7\n")  # type: ignore[attr-defined]
    for read_or_rewrite in (room.read, lambda folder: room.rewrite(folder, str.upper)):  # type: ignore[attr-defined]
        with pytest.raises(UnreadableDatabase, match=r"jsonl:1 is no \w+ \(.+\)\. Correct the line"):
            read_or_rewrite(tmp_path)
