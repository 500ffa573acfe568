import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from zertz_db.rules.board import STANDARD_BOARDS, Column, custom_board
from zertz_db.rules.picture import svg
from zertz_db.rules.position import Position

SPACE = "{http://www.w3.org/2000/svg}"


def drawn(position: Position, move: str | None = None) -> ET.Element:
    return ET.fromstring(svg(position, move))  # noqa: S314 - our own drawing


def titles(picture: ET.Element) -> dict[str, str]:
    """What each ring's tooltip says."""
    texts = [title.text or "" for group in picture.iter(f"{SPACE}g") for title in group.iter(f"{SPACE}title")]
    return dict(text.split(": ") for text in texts)


@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_every_ring_is_drawn_inside_the_picture_and_apart_from_the_others(board: str) -> None:
    picture = drawn(Position.start(board))
    assert set(titles(picture).values()) == {"vacant"}
    assert len(titles(picture)) == int(board)
    width, height = (float(picture.get(name, "0")) for name in ("width", "height"))
    circles = [
        (float(c.get("cx", "0")), float(c.get("cy", "0")), float(c.get("r", "0")))
        for c in picture.iter(f"{SPACE}circle")
    ]
    assert all(r < x < width - r and r < y < height - r for x, y, r in circles)
    assert all(abs(complex(*a[:2]) - complex(*b[:2])) > a[2] + b[2] for a, b in pairwise(circles))


def test_marbles_and_removed_rings_are_told_apart() -> None:
    position = Position.start("37").play("Wd4,d1").play("Bd3,a1")
    said = titles(drawn(position))
    assert {ring: what for ring, what in said.items() if what != "vacant"} == {
        "d4": "white", "d3": "black", "d1": "removed", "a1": "removed",
    }  # fmt: skip


@pytest.mark.parametrize(("letters", "board"), [("abcdefg", "37"), ("abcdefghi", "61")])
def test_the_edge_names_the_columns(letters: str, board: str) -> None:
    texts = [text.text for text in drawn(Position.start(board)).iter(f"{SPACE}text")]
    assert [text for text in texts if text and text.isalpha()] == list(letters)


@pytest.mark.parametrize(
    ("move", "circles", "paths"),
    [
        (None, 0, 0),
        ("-", 0, 0),
        ("Wd4", 1, 0),
        ("Wd4,d1", 2, 0),
        ("Wd4,d1 x Ba1Wa2", 4, 0),
        ("x d3Wd5", 2, 1),
        ("x d3Wd5Bf4", 2, 1),
    ],
)
def test_the_last_move_is_marked(move: str | None, circles: int, paths: int) -> None:
    position = Position.start("37")
    plain, marked = drawn(position), drawn(position, move)
    more = len(list(marked.iter(f"{SPACE}circle"))) - len(list(plain.iter(f"{SPACE}circle")))
    assert (more, len(list(marked.iter(f"{SPACE}polyline")))) == (circles, paths)


def test_a_custom_board_with_gaps_is_drawn() -> None:
    board = custom_board((Column("c", -1, 2), Column("d", 0, 3)), frozenset({"c1", "c2", "d1", "d3"}))
    assert set(titles(drawn(Position.start(board)))) == {"c1", "c2", "d1", "d3"}
