"""Marks as text next to the generations."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from zertz_db.store.annotations import marks
from zertz_db.store.annotations.marks import Mark
from zertz_db.store.ids import to_text

NOW = dt.datetime(2026, 5, 1, 12, 30)  # noqa: DTZ001 (the database stores UTC without a zone)
GAME = to_text(7)
MARKS = [
    Mark("study", 'why "not"\nb4?', "Čeněk", NOW, GAME, 3, "37 standard"),
    Mark("", "a note", "bo", NOW, GAME),
    Mark("mine", "", "bo", NOW, filter="player:bo"),
]


def filled(folder: Path) -> Path:
    for mark in MARKS:
        marks.add(folder, mark)
    return folder / marks.FILE


def test_marks_are_read_unchanged_from_a_line_each(tmp_path: Path) -> None:
    assert len(filled(tmp_path).read_text("utf-8").splitlines()) == 3
    assert marks.read(tmp_path) == MARKS
    assert len({mark.id for mark in MARKS}) == 3


def test_texts_may_have_any_character(tmp_path: Path) -> None:
    odd = Mark("a\u2028b", "c\x85d\ve\tf\u2029", "bo", NOW, GAME)
    marks.add(tmp_path, odd)
    assert marks.read(tmp_path) == [odd]


def test_a_removed_mark_can_be_added_again(tmp_path: Path) -> None:
    filled(tmp_path)
    marks.remove(tmp_path, MARKS[1], "bo", NOW)
    assert marks.read(tmp_path) == [MARKS[0], MARKS[2]]
    marks.add(tmp_path, MARKS[1])
    assert set(marks.read(tmp_path)) == set(MARKS)


def test_names_are_redacted_and_removed_marks_stay_removed(tmp_path: Path) -> None:
    path = filled(tmp_path)
    marks.remove(tmp_path, MARKS[1], "bo", NOW)
    marks.rewrite(tmp_path, lambda text: text.replace("bo", "anon"))
    assert "bo" not in path.read_text("utf-8")
    assert marks.read(tmp_path) == [MARKS[0], Mark("mine", "", "anon", NOW, filter="player:anon")]


def test_times_with_a_zone_are_utc(tmp_path: Path) -> None:
    line = '{"author": "a", "made_at": "2026-05-01T14:30:00+02:00", "filter": "y"}\n'
    (tmp_path / marks.FILE).write_text(line, "utf-8")
    assert [mark.made_at for mark in marks.read(tmp_path)] == [NOW]


def test_without_a_file_there_are_no_marks(tmp_path: Path) -> None:
    marks.rewrite(tmp_path, str.upper)
    assert marks.read(tmp_path) == []
    assert not (tmp_path / marks.FILE).exists()


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        '{"label": "x", "author": "a", "made_at": "2026-05-01T12:00:00"}',
        '{"label": "x", "author": "a", "made_at": "soon", "filter": "y"}',
        '{"label": "x", "author": "a", "made_at": "2026-05-01T12:00:00", "game": "short"}',
        '{"label": "x", "made_at": "2026-05-01T12:00:00", "filter": "y"}',
        '{"label": "\\ud800", "author": "a", "made_at": "2026-05-01T12:00:00", "filter": "y"}',
        '{"label": 5, "author": "a", "made_at": "2026-05-01T12:00:00", "filter": "y"}',
        '{"label": ["x"], "author": "a", "made_at": "2026-05-01T12:00:00", "filter": "y"}',
        '{"author": null, "made_at": "2026-05-01T12:00:00", "filter": "y"}',
        '{"author": "a", "made_at": 7, "filter": "y"}',
        '{"author": "a", "made_at": "2026-05-01T12:00:00", "game": 7}',
        '{"author": "a", "made_at": "2026-05-01T12:00:00", "position": "x", "ply": "two"}',
        '{"author": "a", "made_at": "2026-05-01T12:00:00", "position": "x", "ply": -1}',
        '{"removed": ["x"]}',
        "[" * 100_000,
    ],
)
def test_an_invalid_line_is_skipped_and_named(tmp_path: Path, line: str) -> None:
    path = filled(tmp_path)
    path.write_text(f"{path.read_text('utf-8')}\n{line}\n", "utf-8")
    assert marks.read(tmp_path) == MARKS
    [fault] = marks.faults(tmp_path)
    assert fault.startswith(f"{path}:5 is not a mark (")
    marks.add(tmp_path, MARKS[0]._replace(label="later"))
    assert marks.read(tmp_path)[3].label == "later"
    assert line in path.read_text("utf-8")
