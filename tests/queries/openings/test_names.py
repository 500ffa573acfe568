"""First moves in words."""

import pytest

from zertz_db.queries.openings.names import first_move, is_untouched, opening_name, place
from zertz_db.rules.board import STANDARD_BOARDS, standard_board
from zertz_db.rules.position import Position

CUSTOM = "custom standard a-1:oo/b-2:ooo/c-1:oo 6/8/10 0/0/0 0/0/0 1"


@pytest.mark.parametrize(
    ("board", "move", "name"),
    [
        ("37", "Wd4,d1", "white centre, corner out"),
        ("37", "Gd4,b1", "grey centre, edge out"),
        ("37", "Bd7,e6", "black corner, near edge out"),
        ("37", "Bd7,d1", "black corner, far corner out"),
        ("37", "Bb2,a1", "black second row, near corner out"),
        ("37", "We4,a1", "white third row, far corner out"),
        ("48", "Wd4,a1", "white centre, near corner out"),
        ("48", "Wd4,h4", "white centre, far corner out"),
        ("61", "Gd4,e1", "grey fourth row, near corner out"),
        ("40", "Wa1,b1", "white corner, near edge out"),
    ],
)
def test_a_first_move_has_a_name(board: str, move: str, name: str) -> None:
    start = Position.start(board)
    assert opening_name(start, start.move(move)) == name


@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_all_images_of_a_move_have_one_name(board: str) -> None:
    start = Position.start(board)
    rings, symmetries = start.board.rings, start.board.symmetries
    for text in (f"W{ring},{removed}" for ring in rings for removed in start.free_rings if removed != ring):
        move = start.move(text)
        images = {
            f"W{rings[image[rings.index(move.ring)]]},{rings[image[rings.index(move.removed or '')]]}"
            for image in symmetries
        }
        assert len({opening_name(start, start.move(image)) for image in images}) == 1


@pytest.mark.parametrize(
    ("board", "centre", "corners", "edge"),
    [("37", 1, 6, 12), ("40", 1, 6, 13), ("43", 1, 6, 14), ("44", 2, 6, 14), ("48", 3, 6, 15), ("61", 1, 6, 18)],
)
def test_every_ring_has_its_place(board: str, centre: int, corners: int, edge: int) -> None:
    places = [place(standard_board(board), ring) for ring in standard_board(board).rings]
    assert [places.count(name) for name in ("centre", "corner", "edge")] == [centre, corners, edge]
    assert {"second row", "third row"} <= set(places)


@pytest.mark.parametrize("move", ["Wd4,d1", "Ba1,a2", "Gc3,g4"])
def test_a_first_move_is_seen_from_the_position_after_it(move: str) -> None:
    after = Position.start("37").play(move)
    assert str(first_move(after)) == move
    assert not is_untouched(after)


@pytest.mark.parametrize(
    "position",
    [Position.start("37"), Position.start("37").play("Wd4,d1").play("Bd3,a1"), Position.parse(CUSTOM)],
)
def test_other_positions_show_no_first_move(position: Position) -> None:
    assert first_move(position) is None


def test_a_custom_board_has_no_openings_by_name() -> None:
    assert not is_untouched(Position.parse(CUSTOM))
    assert is_untouched(Position.start("48"))
