"""Names of rings: the boards of the parser are those of the rules, and other programs' names lead to the right rings."""

from itertools import combinations

import pytest

from zertz_db.parser.text.ring_names import DIAGONAL_NUMBERS, MIRRORED, official_names, places
from zertz_db.rules.board import COLUMNS, STANDARD_BOARDS, standard_board


@pytest.mark.parametrize("name", STANDARD_BOARDS)
def test_rings_are_where_the_rules_have_them(name: str) -> None:
    board = standard_board(name)
    assert places(name) == dict(zip(board.rings, board.places, strict=True))


@pytest.mark.parametrize(
    ("board", "coordinates", "written", "official"),
    [
        ("37", DIAGONAL_NUMBERS, "d1 d7 e2 e7 f3 f4 g4 g5 g7 a4", "d1 d7 e1 e6 f1 f2 g1 g2 g4 a4"),
        ("48", DIAGONAL_NUMBERS, "a5 d8 e2 h5 h8", "a5 d8 e1 h1 h4"),
        ("61", DIAGONAL_NUMBERS, "e9 f2 i5 i9", "e9 f1 i1 i5"),
        ("40", DIAGONAL_NUMBERS, "a5 c1 d2", "a5 c1 d1"),
        ("48", MIRRORED, "a1 a4 e8 h5 d1", "h1 h4 d8 a5 e1"),
        ("37", MIRRORED, "a1 g4", "a1 g4"),
        ("61", MIRRORED, "a1 i5", "a1 i5"),
        ("37", "columns", "a1 g4", "a1 g4"),
    ],
)
def test_other_names_of_rings(board: str, coordinates: str, written: str, official: str) -> None:
    names = official_names(board, coordinates)
    assert [names[ring] for ring in written.split()] == official.split()


@pytest.mark.parametrize("coordinates", [DIAGONAL_NUMBERS, MIRRORED])
@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_every_ring_has_one_other_name(board: str, coordinates: str) -> None:
    names = official_names(board, coordinates)
    assert sorted(names.values()) == sorted(places(board))


@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_along_a_diagonal_the_number_is_one_and_the_columns_follow_each_other(board: str) -> None:
    names = official_names(board, DIAGONAL_NUMBERS)
    where = {name: places(board)[ring] for name, ring in names.items()}
    for (one, (x1, y1)), (other, (x2, y2)) in combinations(where.items(), 2):
        if one[1:] == other[1:]:
            assert y1 - y2 == x2 - x1
            assert COLUMNS.index(one[0]) == x1
