"""Games that people hold to be one, as text beside the generations."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from zertz_db.store.annotations import game_merges
from zertz_db.store.annotations.game_merges import GameMerge
from zertz_db.store.ids import to_text

NOW = dt.datetime(2026, 5, 1, 12, 30)  # noqa: DTZ001 (the database keeps UTC without saying so)


def union(game: int, of: int, verdict: str = "accepted") -> GameMerge:
    return GameMerge(to_text(game), to_text(of), verdict, "the same moves", "Čeněk", NOW)


def test_unions_come_back_as_they_were_said_and_the_last_word_counts(tmp_path: Path) -> None:
    assert game_merges.read(tmp_path) == []
    game_merges.append(tmp_path, [union(1, 2), union(3, 4)])
    game_merges.append(tmp_path, [union(1, 5), union(3, 4, "undone")])
    assert game_merges.read(tmp_path) == [union(1, 5)]


@pytest.mark.parametrize(
    ("pairs", "targets"),
    [
        ([(1, 2)], {1: 2}),
        ([(1, 2), (2, 3)], {1: 3, 2: 3}),
        ([(2, 3), (1, 2)], {1: 3, 2: 3}),
        ([(1, 2), (2, 1)], {1: 2}),
        ([(1, 1)], {}),
    ],
)
def test_which_game_is_which_in_the_end(pairs: list[tuple[int, int]], targets: dict[int, int]) -> None:
    assert game_merges.targets(union(*pair) for pair in pairs) == targets


def test_names_are_veiled(tmp_path: Path) -> None:
    game_merges.append(tmp_path, [union(1, 2)])
    game_merges.rewrite(tmp_path, lambda text: text.replace("Čeněk", "anon"))
    assert game_merges.read(tmp_path) == [union(1, 2)._replace(author="anon")]


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        '{"game": "x"}',
        "[" * 100_000,
        '{"game": "x", "of": "y", "verdict": "accepted", "evidence": "", "author": "", "made_at": "2026-05-01"}',
    ],
)
def test_a_line_that_is_no_union_is_skipped_and_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / game_merges.FILE
    path.write_text(f"\n{line}\n", "utf-8")
    assert game_merges.read(tmp_path) == []
    [fault] = game_merges.faults(tmp_path)
    assert fault.startswith(f"{path}:2 is not a union (")
    assert path.read_text("utf-8") == f"\n{line}\n"
