"""First moves and first rings up to the symmetry of the board."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.queries.sample import record
from tests.queries.statistics import slow_statistics
from zertz_db.ingest.import_paths import import_paths
from zertz_db.queries.statistics.first_moves import (
    DISTINCT_FIRST_MOVES,
    count_first_moves,
    distinct_first_moves,
    first_rings,
    ring_names,
)
from zertz_db.rules.board import STANDARD_BOARDS, standard_board
from zertz_db.store.open_database import open_database

SET_UP = "37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/ooo. 6/8/10 0/0/0 0/0/0 1"


@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_the_distinct_first_moves_of_each_board(board: str) -> None:
    assert distinct_first_moves(standard_board(board)) == DISTINCT_FIRST_MOVES[board]


@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_a_ring_has_the_name_of_the_first_that_a_symmetry_takes_it_to(board: str) -> None:
    rings = standard_board(board).rings
    turns = slow_statistics.turns(board)
    expected = [min((turned[ring] for turned in turns), key=rings.index) for ring in rings]
    assert [ring_names(standard_board(board))[number] for number in range(len(rings))] == expected


def test_only_games_from_an_empty_standard_board_count(tmp_path: Path) -> None:
    records = [
        record("begun", "Ada", "Ben", "2010.05.01", "1. Wd4,g1 *", Board="37"),
        record("turned", "Ada", "Ben", "2010.05.02", "1. Wd4,a1 *", Board="37"),
        record("black", "Ada", "Ben", "2010.05.03", "1. Bd4,a1 *", Board="37"),
        record("set up", "Ada", "Ben", "2010.05.04", "1. Wd4,a1 *", SetUp="1", Position=SET_UP),
        record("custom", "Ada", "Ben", "2010.05.05", "1. Wa1,a3 *", SetUp="1",
               Position="custom standard a0:ooo/b1:oo 6/8/10 0/0/0 0/0/0 1"),
        record("no move", "Ada", "Ben", "2010.05.06", "resigns 0-1", Board="37"),
    ]  # fmt: skip
    (tmp_path / "games.txt").write_text("".join(records), "utf-8")
    assert import_paths([tmp_path / "games.txt"], tmp_path / "games.zertz").stored == len(records)
    with open_database(tmp_path / "games.zertz") as database:
        assert count_first_moves(database).rows == [("37", 3, 2, 171)]
        assert [row[:4] for row in first_rings(database).rows] == [("37", "a1", "corner", 3)]
        assert first_rings(database, by=["board"]).names.count("board") == 1
