"""Boards: the standard ones against the figures of rules.md, section 1, and custom ones with every oddity."""

import pytest

from zertz_db.rules.board import (
    STANDARD_BOARDS,
    Board,
    BoardError,
    Column,
    custom_board,
    server_board,
    standard_board,
)
from zertz_db.rules.position import Position

STANDARD = [  # board, rings, adjacencies, symmetries, free rings at the start
    ("37", 37, 90, 12, 18),
    ("40", 40, 98, 2, 19),
    ("43", 43, 106, 2, 20),
    ("44", 44, 109, 4, 20),
    ("48", 48, 120, 6, 21),
    ("61", 61, 156, 12, 24),
]


def neighbours(board: Board, ring: str) -> set[str]:
    at = 6 * board.index[ring]
    return {board.rings[n] for n in board.tables.neighbour[at : at + 6] if n >= 0}


@pytest.mark.parametrize(
    ("ring", "lines"),
    [
        ("d4", {"d1 d2 d3 d4 d5 d6 d7", "a1 b2 c3 d4 e4 f4 g4", "a4 b4 c4 d4 e3 f2 g1"}),
        ("a1", {"a1 a2 a3 a4", "a1 b2 c3 d4 e4 f4 g4", "a1 b1 c1 d1"}),
    ],
)
def test_three_lines_run_through_a_ring(ring: str, lines: set[str]) -> None:
    board = standard_board("37")
    at = 3 * board.index[ring]
    found = [
        " ".join(other for other in board.rings if line >> board.index[other] & 1)
        for line in board.tables.line[at : at + 3]
    ]
    assert sorted(found) == sorted(lines)


def pairs(board: Board) -> set[frozenset[str]]:
    return {frozenset((ring, other)) for ring in board.rings for other in neighbours(board, ring)}


@pytest.mark.parametrize(("name", "rings", "adjacencies", "symmetries", "free"), STANDARD)
def test_standard_boards(name: str, rings: int, adjacencies: int, symmetries: int, free: int) -> None:
    board = standard_board(name)
    assert len(board.rings) == rings
    assert board.adjacencies() == adjacencies == len(pairs(board))
    assert len(set(board.symmetries)) == len(board.symmetries) == symmetries
    assert len(Position.start(name).free_rings) == free


def test_there_are_six_standard_boards() -> None:
    assert tuple(name for name, *_ in STANDARD) == STANDARD_BOARDS


@pytest.mark.parametrize("name", STANDARD_BOARDS)
def test_a_symmetry_maps_the_board_onto_itself_and_keeps_neighbours(name: str) -> None:
    board = standard_board(name)
    everywhere = list(range(len(board.rings)))
    assert list(board.symmetries[0]) == everywhere
    for image in board.symmetries:
        assert sorted(image) == everywhere
        moved = {frozenset(board.rings[image[board.index[ring]]] for ring in pair) for pair in pairs(board)}
        assert moved == pairs(board)


@pytest.mark.parametrize(
    ("name", "ring", "expected"),
    [
        ("37", "a1", "a2 b1 b2"),
        ("37", "d1", "c1 d2 e1"),
        ("37", "d4", "c3 c4 d3 d5 e3 e4"),
        ("37", "g4", "f4 f5 g3"),
        ("40", "a1", "a2 b1 b2"),  # a1 b1 c1 are below the columns of board 37
        ("40", "c1", "b1 c2 d1"),
        ("40", "d1", "c1 c2 d2 e1"),
        ("40", "g1", "f1 f2 g2"),
        ("40", "d7", "c7 d6 e6"),
        ("40", "a5", "a4 b5 b6"),
        ("43", "h1", "g1 g2 h2"),
        ("43", "h3", "g3 g4 h2"),
        ("43", "g4", "f4 f5 g3 h3"),
        ("44", "d1", "c1 d2 e1"),
        ("48", "h1", "g1 g2 h2"),
        ("48", "d8", "c7 d7 e7"),
        ("61", "e5", "d4 d5 e4 e6 f4 f5"),
        ("61", "i5", "h5 h6 i4"),
    ],
)
def test_neighbours(name: str, ring: str, expected: str) -> None:
    assert neighbours(standard_board(name), ring) == set(expected.split())


@pytest.mark.parametrize(
    ("name", "less"), [("40", (7, 8, 9, 8, 7, 6, 5)), ("43", (7, 8, 9, 8, 7, 6, 5, 4))], ids=["40", "43"]
)
def test_geometry_of_the_boards_that_are_not_centred(name: str, less: tuple[int, ...]) -> None:
    board = standard_board(name)
    for ring, place in zip(board.rings, board.places, strict=True):
        x = "abcdefgh".index(ring[0])
        assert place == (x, 2 * int(ring[1:]) - less[x])


@pytest.mark.parametrize("name", ["37", "44", "48", "61"])
def test_geometry_of_the_centred_boards(name: str) -> None:
    board = standard_board(name)
    for ring, (x, y) in zip(board.rings, board.places, strict=True):
        length = sum(other[0] == ring[0] for other in board.rings)
        assert (x, y) == ("abcdefghi".index(ring[0]), 2 * int(ring[1:]) - length - 1)


@pytest.mark.parametrize(
    ("smaller", "larger"), [("37", "40"), ("40", "43"), ("40", "44"), ("44", "48"), ("37", "61"), ("48", "61")]
)
def test_a_larger_board_adds_rings_to_a_smaller_one(smaller: str, larger: str) -> None:
    small, large = (set(standard_board(name).places) for name in (smaller, larger))
    moves = [(dx, dy) for dx in (-1, 0, 1) for dy in range(-3, 4)]
    assert any({(x + dx, y + dy) for x, y in small} < large for dx, dy in moves)


@pytest.mark.parametrize("name", ["38", "", "custom", "037"])
def test_an_unknown_board(name: str) -> None:
    with pytest.raises(BoardError, match=r"no standard board is called .*; there are 37, 40, 43, 44, 48, 61"):
        standard_board(name)


def custom(layout: str) -> Board:
    return Position.parse(f"custom standard {layout} 6/8/10 0/0/0 0/0/0 1").board


@pytest.mark.parametrize(
    ("layout", "rings", "adjacencies", "symmetries"),
    [
        ("a0:o", 1, 0, 12),
        ("q99:o", 1, 0, 12),
        ("a0:oo/b1:o", 3, 3, 6),
        ("a-1:oo/b-2:ooo/c-1:oo", 7, 12, 12),
        ("a-1:oo/b0:.o.", 3, 2, 2),
        ("a-1:oo/b-2:o.o/c-1:oo", 6, 6, 12),  # a ring of rings, its hole in the middle
        ("a0:o/c0:o", 2, 0, 4),  # two groups
        ("a0:o.o", 2, 0, 4),  # two groups, by a gap
        ("a0:oo/c0:oo/e0:oo", 6, 3, 4),  # three groups
        ("a0:ooo/b1:o", 4, 4, 1),
        ("a0:o...o/b1:o", 3, 1, 1),
    ],
)
def test_custom_boards(layout: str, rings: int, adjacencies: int, symmetries: int) -> None:
    board = custom(layout)
    assert board.is_custom
    assert len(board.rings) == rings
    assert board.adjacencies() == adjacencies == len(pairs(board))
    assert len(board.symmetries) == symmetries


@pytest.mark.parametrize("name", STANDARD_BOARDS)
def test_a_custom_board_of_the_same_rings_has_the_same_geometry(name: str) -> None:
    board = standard_board(name)
    twin = custom_board(board.columns, frozenset(board.rings))
    assert (twin.rings, pairs(twin), twin.symmetries) == (board.rings, pairs(board), board.symmetries)
    assert twin.description != board.description


def test_columns_may_be_given_in_any_order() -> None:
    assert custom("b1:o/a0:oo").rings == ("a1", "a2", "b1")


def test_gaps_keep_their_numbers() -> None:
    assert custom("a0:.o.o").rings == ("a2", "a4")


BLOCK = tuple(Column(letter, x % 2, 12) for x, letter in enumerate("abcdefghijk"))


def first_rings(count: int) -> frozenset[str]:
    return frozenset([f"{column.letter}{k}" for column in BLOCK for k in range(1, 13)][:count])


def test_up_to_128_rings() -> None:
    board = custom_board(BLOCK, first_rings(128))
    assert len(board.rings) == 128
    start = Position.start(board)
    after = start.play("Wa1,k7")
    assert len(after.rings) == 127
    assert Position.parse(after.text).legal_moves() == after.legal_moves()


@pytest.mark.parametrize(
    ("columns", "present", "message"),
    [
        (BLOCK, first_rings(129), "a board has 1 to 128 rings, not 129"),
        (BLOCK, frozenset(), "a board has 1 to 128 rings, not 0"),
        ((), frozenset(), "a board has 1 to 128 rings, not 0"),
        ((Column("a", 0, 2), Column("a", 0, 3)), frozenset({"a1"}), "a column is named twice"),
        ((Column("r", 0, 2),), frozenset({"r1"}), "no column is called 'r'; they are a to q"),
        ((Column("a", 0, 13),), frozenset({"a1"}), "column a has 13 places; 1 to 12 are possible"),
        ((Column("a", 0, 0),), frozenset(), "column a has 0 places; 1 to 12 are possible"),
        ((Column("a", 0, 2), Column("b", 0, 2)), frozenset({"a1", "b1"}), "a column's height is off by one"),
        ((Column("a", -99, 1), Column("b", 98, 1)), frozenset({"a1", "b1"}), "the rings are too far apart"),
        ((Column("a", 0, 1), Column("b", 1, 1)), frozenset({"a1", "b2"}), "no column has a place for ring b2"),
    ],
)
def test_invalid_boards_are_rejected(columns: tuple[Column, ...], present: frozenset[str], message: str) -> None:
    with pytest.raises(BoardError, match=message):
        custom_board(columns, present)


def test_the_server_numbers_rows_from_the_bottom() -> None:
    board = server_board(["a1", "a3", "b1", "q12"])
    assert dict(zip(board.rings, board.places, strict=True)) == {
        "a1": (0, 3),
        "a3": (0, 7),
        "b1": (1, 4),
        "q12": (16, 25),
    }
    assert neighbours(board, "b1") == {"a1"}
    assert Position.parse(Position.start(board).text).board is board


@pytest.mark.parametrize("ring", ["a13", "a0", "r1", "A1", "a01", "", "a"])
def test_a_ring_that_the_server_can_not_have(ring: str) -> None:
    with pytest.raises(BoardError, match=f"no ring is called '{ring}'; they are a1 to q12"):
        server_board(["a1", ring])
