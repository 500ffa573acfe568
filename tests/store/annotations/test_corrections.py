"""Corrections as text next to the generations."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from zertz_db.store.annotations import corrections, people_file
from zertz_db.store.annotations.corrections import Correction
from zertz_db.store.ids import to_text

NOON = dt.datetime(2026, 5, 1, 12)  # noqa: DTZ001 (the database stores UTC without a zone)
GAME, OTHER = to_text(-7), to_text(8)


def correction(
    minute: int, tag: str = "Event", new: str | None = "new", game: str = GAME, old: str | None = "old"
) -> Correction:
    return Correction(game, tag, old, new, "ada", NOON + dt.timedelta(minutes=minute, microseconds=5), "a slip")


def now(folder: Path) -> dict[tuple[int, str], str | None]:
    return {key: one.new for key, one in corrections.in_force(folder).items()}


def test_corrections_are_read_unchanged_in_the_order_of_their_times(tmp_path: Path) -> None:
    odd = correction(3, new='a\u2028b\x85 "c" \\', old=None)._replace(why="")
    corrections.append(tmp_path, [odd, correction(1, game=OTHER), correction(2, new=None)])
    assert corrections.read(tmp_path) == [correction(1, game=OTHER), correction(2, new=None), odd]
    assert len((tmp_path / corrections.FILE).read_text("utf-8").split("\n")) == 4


@pytest.mark.parametrize(
    ("first", "taken_back", "counting"),
    [
        ([correction(1)], [], {(-7, "Event"): "new"}),
        ([correction(1), correction(2, new="newer")], [], {(-7, "Event"): "newer"}),
        ([correction(2, new="newer"), correction(1)], [], {(-7, "Event"): "newer"}),
        ([correction(1), correction(2, new="newer")], [correction(2)], {(-7, "Event"): "new"}),
        ([correction(1), correction(2, new="newer")], [correction(1)], {(-7, "Event"): "newer"}),
        ([correction(1), correction(2, new="newer")], [correction(1), correction(2)], {}),
        (
            [correction(1), correction(1, "Round", "3"), correction(1, game=OTHER)],
            [correction(1)],
            {(-7, "Round"): "3", (8, "Event"): "new"},
        ),
        ([correction(1, new=None)], [], {(-7, "Event"): None}),
        ([correction(1)], [correction(5)], {(-7, "Event"): "new"}),
    ],
)
def test_the_latest_counts_unless_it_is_reverted(
    tmp_path: Path, first: list[Correction], taken_back: list[Correction], counting: dict[tuple[int, str], str | None]
) -> None:
    corrections.append(tmp_path, first)
    corrections.revert(tmp_path, taken_back, "ben", NOON)
    assert now(tmp_path) == counting
    by = {one.key: (one.taken_back_by, one.taken_back_at) for one in corrections.read(tmp_path)}
    assert all(by[one.key] == ("ben", NOON) for one in taken_back if one.key in by)


def test_two_histories_become_one_in_any_order(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder, own in ((here, correction(1)), (there, correction(2, new="newer"))):
        folder.mkdir()
        corrections.append(folder, [correction(0, "Round", "1"), own])
    corrections.revert(there, [correction(0, "Round", "1")], "ben", NOON)
    before = corrections.read(here)
    assert corrections.adopt(here, corrections.read(there))
    assert corrections.adopt(there, before)
    assert corrections.read(here) == corrections.read(there)
    assert now(here) == {(-7, "Event"): "newer"}
    assert not corrections.adopt(here, corrections.read(there))


def test_names_are_redacted_in_every_field(tmp_path: Path) -> None:
    corrections.append(tmp_path, [correction(1, "Player1", "bo", old=None)._replace(author="bo", why="bo says so")])
    corrections.revert(tmp_path, corrections.read(tmp_path), "bo", NOON)
    assert corrections.names(tmp_path) == {"bo"}
    corrections.rewrite(tmp_path, lambda text: text.replace("bo", "anon"))
    assert "bo" not in (tmp_path / corrections.FILE).read_text("utf-8")
    [redacted] = corrections.read(tmp_path)
    assert (redacted.old, redacted.new, redacted.author, redacted.why, redacted.taken_back_by) == (
        *(None, "anon", "anon", "anon says so", "anon"),
    )
    assert corrections.redact(correction(1, new="old"), str.upper) == correction(1, new="OLD", old="OLD")._replace(
        author="ADA", why="A SLIP"
    )


def test_a_redacted_name_counts_for_nothing(tmp_path: Path) -> None:
    people_file.adopt(tmp_path, [people_file.tombstone("Ada", "anon_1")])
    corrections.append(tmp_path, [correction(1, "Player2", "ADA"), correction(1, "Event", "Ada")])
    assert now(tmp_path) == {(-7, "Player2"): "anon_1", (-7, "Event"): "Ada"}


def test_no_text_is_no_value(tmp_path: Path) -> None:
    line = f'{{"game": "{GAME}", "tag": "Player1", "old": "", "new": "", "made_at": "2026-05-01T12:00:00"}}\n'
    (tmp_path / corrections.FILE).write_text(line, "utf-8")
    assert [(one.old, one.new) for one in corrections.read(tmp_path)] == [(None, None)]


def test_without_a_file_nothing_was_corrected(tmp_path: Path) -> None:
    corrections.rewrite(tmp_path, str.upper)
    corrections.append(tmp_path, [])
    assert corrections.read(tmp_path) == []
    assert not (tmp_path / corrections.FILE).exists()


def test_lines_written_by_hand_may_be_short_and_have_a_zone(tmp_path: Path) -> None:
    line = f'\n{{"game": "{GAME.lower()}", "tag": "round", "old": null, "new": 3, "made_at": "2026-05-01T14:00:00+02:00"}}\n'
    (tmp_path / corrections.FILE).write_text(line, "utf-8")
    assert corrections.read(tmp_path) == [Correction(GAME, "Round", None, "3", "", NOON)]


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        '{"game": "short", "tag": "Event", "old": null, "new": "x", "made_at": "2026-05-01T12:00:00"}',
        f'{{"game": "{GAME}", "old": null, "new": "x", "made_at": "2026-05-01T12:00:00"}}',
        f'{{"game": "{GAME}", "tag": "Event", "new": "x", "made_at": "2026-05-01T12:00:00"}}',
        f'{{"game": "{GAME}", "tag": "Event", "old": null, "new": "x", "made_at": "soon"}}',
        f'{{"game": "{GAME}", "tag": "Event", "old": null, "new": "x", "made_at": "0001-01-01T00:00:00+14:00"}}',
        f'{{"game": "{GAME}", "tag": "Event", "old": null, "new": "\\ud800", "made_at": "2026-05-01T12:00:00"}}',
        f'{{"game": "{GAME}", "tag": "Event", "old": null, "new": "x", "why": "\\ud800", "made_at": "2026-05-01T12:00:00"}}',
        f'{{"game": "{GAME}", "tag": "\\ud800", "old": null, "new": "x", "made_at": "2026-05-01T12:00:00"}}',
        f'{{"game": "{GAME}", "tag": "two words", "old": null, "new": "x", "made_at": "2026-05-01T12:00:00"}}',
        "[" * 100_000,
        f'{{"game": "{GAME}", "tag": "Event", "taken_back": "soon", "made_at": "2026-05-01T12:00:00"}}',
    ],
)
def test_an_invalid_line_is_skipped_and_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / corrections.FILE
    path.write_text(f"\n{line}\n", "utf-8")
    assert corrections.read(tmp_path) == []
    [fault] = corrections.faults(tmp_path)
    assert fault.startswith(f"{path}:2 is not a correction (")
    assert path.read_text("utf-8") == f"\n{line}\n"
