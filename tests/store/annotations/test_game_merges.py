"""Merged games, as text next to the generations."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from zertz_db.store.annotations import game_merges
from zertz_db.store.annotations.game_merges import GameMerge
from zertz_db.store.ids import to_text

NOW = dt.datetime(2026, 5, 1, 12, 30)  # noqa: DTZ001 (the database stores UTC without a zone)


def merge(game: int, of: int, verdict: str = "accepted") -> GameMerge:
    return GameMerge(to_text(game), to_text(of), verdict, "the same moves", "Čeněk", NOW)


def test_merges_are_read_unchanged_and_the_last_one_counts(tmp_path: Path) -> None:
    assert game_merges.read(tmp_path) == []
    game_merges.append(tmp_path, [merge(1, 2), merge(3, 4)])
    game_merges.append(tmp_path, [merge(1, 5), merge(3, 4, "undone")])
    assert game_merges.read(tmp_path) == [merge(1, 5)]


@pytest.mark.parametrize(
    ("lines", "merges", "separate"),
    [
        ([(1, 2, "rejected")], [], [(1, 2)]),
        ([(1, 2, "rejected"), (2, 1, "undone")], [], []),
        ([(1, 2, "accepted"), (1, 3, "rejected"), (1, 3, "undone")], [(1, 2)], []),
        ([(1, 2, "accepted"), (1, 3, "rejected")], [(1, 2)], [(1, 3)]),
        ([(1, 2, "rejected"), (1, 2, "accepted")], [(1, 2)], []),
        ([(1, 2, "rejected"), (1, 2, "rejected")], [], [(1, 2)]),
    ],
)
def test_games_that_are_two(
    tmp_path: Path, lines: list[tuple[int, int, str]], merges: list[tuple[int, int]], separate: list[tuple[int, int]]
) -> None:
    game_merges.append(tmp_path, [merge(*line) for line in lines])
    assert game_merges.read(tmp_path) == [merge(*pair) for pair in merges]
    assert [one.pair for one in game_merges.read_separate(tmp_path)] == [merge(*pair).pair for pair in separate]


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
def test_final_targets(pairs: list[tuple[int, int]], targets: dict[int, int]) -> None:
    assert game_merges.targets(merge(*pair) for pair in pairs) == targets


def test_names_are_redacted(tmp_path: Path) -> None:
    game_merges.append(tmp_path, [merge(1, 2)])
    game_merges.rewrite(tmp_path, lambda text: text.replace("Čeněk", "anon"))
    assert game_merges.read(tmp_path) == [merge(1, 2)._replace(author="anon")]


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
def test_an_invalid_line_is_skipped_and_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / game_merges.FILE
    path.write_text(f"\n{line}\n", "utf-8")
    assert game_merges.read(tmp_path) == []
    [fault] = game_merges.faults(tmp_path)
    assert fault.startswith(f"{path}:2 is not a union (")
    assert path.read_text("utf-8") == f"\n{line}\n"
