"""Text files with an object on every line, for any kind of object."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from zertz_db.store.annotations import corrections, game_merges, jsonl, marks, overlay, people_file
from zertz_db.store.annotations.jsonl import Entry
from zertz_db.store.errors import UnreadableDatabase


def read(path: Path) -> list[Entry]:
    found: list[Entry] = []
    jsonl.read(path, "thing", found.append)
    return found


def test_objects_with_any_characters_are_read_in_order(tmp_path: Path) -> None:
    path = tmp_path / "things"
    assert read(path) == []
    jsonl.append_entries(path, [])
    assert not path.exists()
    jsonl.append_entries(path, [{"a": 'ž\u2028\x85\v"\n'}, {"b": None}])
    jsonl.append_entries(path, [{"c": 1}])
    assert read(path) == [{"a": 'ž\u2028\x85\v"\n'}, {"b": None}, {"c": 1}]
    assert len(path.read_bytes().splitlines()) == 3


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"[" * 100_000,
        b'"\\ud800"',
        b'{"missing": 1}',
        b"7",
        b'{"a": "\xff"}',
        b"\0",
        b'{"a": ' + b"7" * 5000 + b"}",
    ],
)
def test_a_damaged_line_is_skipped_named_and_stays(
    tmp_path: Path, line: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "things"
    path.write_bytes(b'{"a": 1}\n\n' + line + b"\n")
    jsonl.append_entries(path, [{"a": 2}])
    found: list[object] = []
    for _ in range(2):
        [fault] = jsonl.read(path, "thing", lambda entry: found.append(entry["a"]))
        assert re.fullmatch(
            rf"{path}:3 is not a thing \(.+\)\. It is skipped and stays in the file; correct it or take it out\.", fault
        )
    assert found == [1, 2] * 2
    assert caplog.messages == [fault]
    jsonl.rewrite(
        path, lambda entry: entry["a"], lambda entries: [{"a": -one["a"]} for one in entries], lambda text: text
    )
    assert path.read_bytes() == b'{"a": -1}\n\n' + line + b'\n{"a": -2}\n'


def test_the_first_of_many_damaged_lines_are_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "things"
    path.write_text("x\n" * 1000)
    assert len(jsonl.read(path, "thing", print)) == 1000
    *named, rest = caplog.messages
    assert [message.partition(" is ")[0] for message in named] == [f"{path}:{number}" for number in (1, 2, 3)]
    assert rest == f"{path}: 997 more entries are skipped."


def test_remarks_are_skipped_and_stay(tmp_path: Path) -> None:
    path = tmp_path / "things"
    path.write_text('# ada\n{"a": 1}\n  # {\n', "utf-8")
    found: list[Entry] = []
    assert jsonl.read(path, "thing", found.append) == []
    assert found == [{"a": 1}]
    jsonl.rewrite(path, print, lambda entries: entries, lambda text: text.replace("ada", "anon"))
    assert path.read_text("utf-8") == '# anon\n{"a": 1}\n  # {\n'


def test_objects_can_be_deleted(tmp_path: Path) -> None:
    path = tmp_path / "things"
    path.write_text('{"a": 1}\n\n# one\n{"a": 2}\n{"a": 3}\n', "utf-8")
    jsonl.rewrite(path, print, lambda all_of_them: (one if one["a"] == 2 else None for one in all_of_them), str)
    assert path.read_text("utf-8") == '\n# one\n{"a": 2}\n'
    jsonl.rewrite(path, print, lambda all_of_them: (None for _ in all_of_them), str)
    assert path.read_text("utf-8") == "\n# one\n"


def test_the_lines_in_the_documentation_are_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "storage.md").read_text("utf-8")
    [block] = re.findall(r'```\n(\{"name": [\s\S]*?)```', page)
    alias, kind, redacted, mark, merge, correction = block.splitlines()
    for room, line in ((marks, mark), (game_merges, merge), (corrections, correction)):
        (tmp_path / room.FILE).write_text(f"{line}\n", "utf-8")
        assert len(room.read(tmp_path)) == 1
    (tmp_path / people_file.FILE).write_text(f"{alias}\n{kind}\n{redacted}\n", "utf-8")
    for read_lines in (people_file.read_aliases, people_file.read_kinds, people_file.read_redacted):
        assert len(read_lines(tmp_path)) == 1
    assert overlay.faults(tmp_path) == []


def test_a_byte_order_mark_and_other_line_ends_are_not_damage(tmp_path: Path) -> None:
    path = tmp_path / "things"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\r\n{"a": 2}\r\n')
    assert read(path) == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("line", ["{ada", '{"\\u0061da', '"ada"', "\u00e9 ada"])
def test_names_are_redacted_in_damaged_lines_too(tmp_path: Path, line: str) -> None:
    path = tmp_path / "things"
    path.write_text(line + "\n", "utf-8")
    jsonl.rewrite(path, print, lambda entries: entries, lambda text: text.replace("ada", "anon"))
    assert "anon" in path.read_text("utf-8")
    assert "ada" not in path.read_text("utf-8")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
@pytest.mark.parametrize("make", [a_folder, a_pipe, a_loop])
@pytest.mark.parametrize("room", [corrections, marks, game_merges, people_file])
def test_an_irregular_file_is_named_for_every_kind_of_file(
    tmp_path: Path, room: object, make: Callable[[Path], None]
) -> None:
    path = tmp_path / room.FILE  # type: ignore[attr-defined]
    make(path)
    read = getattr(room, "read_aliases", None) or room.read  # type: ignore[attr-defined]
    with pytest.raises(UnreadableDatabase, match=rf"{path} can't be read: .+\. \w.+"):
        read(tmp_path)
    assert [fault for fault in overlay.faults(tmp_path) if fault.startswith(f"{path} can't be read: ")]


def test_all_objects_are_rewritten_at_once(tmp_path: Path) -> None:
    path = tmp_path / "things"
    jsonl.rewrite(path, print, lambda all_of_them: all_of_them, str)
    assert not path.exists()
    jsonl.append_entries(path, [{"a": 1}, {"a": 2}])
    jsonl.rewrite(path, print, lambda all_of_them: ({"a": -one["a"]} for one in all_of_them), str)
    assert read(path) == [{"a": -1}, {"a": -2}]
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("room", [corrections, marks, game_merges])
def test_names_are_redacted_in_values_of_any_type(tmp_path: Path, room: object) -> None:
    game = '"game": "A05S0N8XJ2Q7C"'
    made_at = '"made_at": "2026-05-01T12:30:00"'
    path = tmp_path / room.FILE  # type: ignore[attr-defined]
    path.write_text(f'{{{game}, "author": "ada", {made_at}}}\n{{{game}, "author": 7, {made_at}}}\n7\n')
    room.rewrite(tmp_path, lambda text: text.replace("ada", "anon"))  # type: ignore[attr-defined]
    text = path.read_text()
    assert [one.get("author") for one in map(json.loads, text.splitlines()[:2])] == ["anon", 7]
    assert text.endswith("\n7\n")
    assert room.faults(tmp_path)[-1].startswith(f"{path}:3 is not a ")  # type: ignore[attr-defined]
