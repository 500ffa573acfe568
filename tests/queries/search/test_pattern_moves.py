"""Continuations of patterns as moves on a board."""

from __future__ import annotations

import pytest

from zertz_db.queries.result import Column, Result
from zertz_db.queries.search.pattern_moves import ELSEWHERE, group_pattern_moves
from zertz_db.queries.search.pattern_parser import parse_pattern
from zertz_db.queries.search.patterns import find_pattern
from zertz_db.rules.board import standard_board
from zertz_db.store.folder.database import Database

NAMES = ("move", "matches", "wins", "ties", "losses", "share", "low", "high")


def grouped(pattern: str, cells: dict[str, str], *moves: tuple[str | None, int]) -> list[tuple[str | None, int]]:
    """Return moves and matches; every match is a win."""
    rows = [(move, count, count, 0, 0, None, None, None) for move, count in moves]
    continuations = Result(tuple(Column(name, "") for name in NAMES), rows)
    found = group_pattern_moves(continuations, parse_pattern(pattern), cells, standard_board("37"))
    assert all(row["wins"] == row["matches"] for row in found)
    return [(row["move"], row["matches"]) for row in found]


@pytest.mark.parametrize(
    ("pattern", "cells", "move", "wanted"),
    [
        ("W B", {"d4": "W", "e4": "B"}, "G(0,0),(3,3)", "Gd4"),
        ("W B", {"d4": "W", "e4": "B"}, "x (0,0)B(2,0)", "x d4Bf4"),
        ("W B", {"d4": "W", "e4": "B"}, "G(9,0),(0,3)", ELSEWHERE),
        ("W B", {"d4": "W", "e4": "B"}, "x (0,0)B(9,0)", ELSEWHERE),
        ("W B", {"d4": "W", "e4": "B"}, None, None),
        ("? W B", {"d4": "W", "e4": "B"}, "G(1,0)", "Gd4"),
        ("d4:W", {"d4": "W"}, "Gd5,a1", "Gd5"),
        ("d4:W", {"d4": "W"}, "Gd3,a1", "Gd3"),
        ("d4:W turned", {"d4": "W"}, "Gd5,a1", "Gc3"),
        ("d4:W", {"d4": "W"}, "Gh9", ELSEWHERE),
        ("d4:W", {"d4": "W"}, "-", "-"),
    ],
)
def test_a_move_is_named_on_the_board(
    pattern: str, cells: dict[str, str], move: str | None, wanted: str | None
) -> None:
    assert grouped(pattern, cells, (move, 3)) == [(wanted, 3)]


def test_equal_moves_are_one_and_the_most_frequent_is_first() -> None:
    found = grouped(
        "d4:W d5:B", {"d4": "W", "d5": "B"},
        (None, 90), ("Gd3,a1", 2), ("We4,a1", 4), ("Gd3,a2", 3), ("Gh1,a1", 50),
    )  # fmt: skip
    assert found == [("Gd3", 5), ("We4", 4), (ELSEWHERE, 50), (None, 90)]


def test_symmetries_of_the_pattern_make_moves_one() -> None:
    around = ["(0,1)", "(0,-1)", "(1,0)", "(-1,0)", "(1,-1)", "(-1,1)"]
    assert grouped("W", {"d4": "W"}, *((f"G{cell},(3,0)", 1) for cell in around)) == [("Gc3", 6)]
    beside = [(f"G{cell}", 1) for cell in ("(1,-1)", "(0,1)", "(1,1)")]
    assert sorted(count for _, count in grouped("W B", {"d4": "W", "e4": "B"}, *beside)) == [1, 2]


def test_all_matches_of_a_search_are_counted(database: Database) -> None:
    found = find_pattern(database, "W B", every=True)
    board = standard_board("37")
    rows = group_pattern_moves(found.continuations, parse_pattern("W B"), {"d4": "W", "e4": "B"}, board)
    assert sum(row["matches"] for row in rows) == found.plies
    assert len({row["move"] for row in rows}) == len(rows)
