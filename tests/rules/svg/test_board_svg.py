import math
import re
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest

from zertz_db.rules.board import STANDARD_BOARDS, Board, Column, custom_board, standard_board
from zertz_db.rules.position import Position
from zertz_db.rules.svg.board_svg import board_drawing, layout, places, svg
from zertz_db.rules.svg.move_marks import draw_next_move, marks, trace
from zertz_db.rules.svg.symbols import RING, SYMBOLS, definitions

SPACE = "{http://www.w3.org/2000/svg}"
BOARDS = [*map(standard_board, STANDARD_BOARDS)]
BOARDS.append(custom_board((Column("c", -1, 2), Column("d", 0, 3)), frozenset({"c1", "c2", "d1", "d3"})))


def drawn(position: Position, move: str | None = None, **options: bool) -> ET.Element:
    return ET.fromstring(svg(position, move, **options))  # noqa: S314 - our own drawing


def titles(picture: ET.Element) -> dict[str, str]:
    """Return the text of each ring's tooltip."""
    texts = [title.text or "" for group in picture.iter(f"{SPACE}g") for title in group.iter(f"{SPACE}title")]
    return dict(text.split(": ") for text in texts)


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_every_ring_is_drawn_inside_the_picture_and_apart_from_the_others(board: Board) -> None:
    picture = drawn(Position.start(board))
    assert titles(picture) == dict.fromkeys(board.rings, "vacant")
    left, top, width, height = map(float, (picture.get("viewBox") or "").split())
    points = places(board)
    assert all(
        left + RING < x < left + width - RING and top + RING < y < top + height - RING for x, y in points.values()
    )
    assert all(math.dist(*pair) > 2 * RING for pair in combinations(points.values(), 2))


def test_a_tap_between_two_rings_hits_one_of_them() -> None:
    picture = drawn(Position.start("37"))
    [radius] = {one.get("r") for one in picture.iter(f"{SPACE}circle") if one.get("pointer-events") == "all"}
    nearest = min(math.dist(*pair) for pair in combinations(places(standard_board("37")).values(), 2))
    assert 2 * float(radius or 0) == pytest.approx(nearest, rel=0.02)


def test_marbles_and_removed_rings_differ() -> None:
    position = Position.start("37").play("Wd4,d1").play("Bd3,a1")
    picture = drawn(position)
    assert {ring: what for ring, what in titles(picture).items() if what != "vacant"} == {
        "d4": "white", "d3": "black", "d1": "removed", "a1": "removed",
    }  # fmt: skip
    used = [use.get("href") for use in picture.iter(f"{SPACE}use")]
    assert sorted(set(used), key=str) == ["#zertz-B", "#zertz-W", "#zertz-gone", "#zertz-o"]
    assert used.count("#zertz-gone") == 2


@pytest.mark.parametrize("sign", SYMBOLS)
def test_every_character_has_a_symbol(sign: str) -> None:
    board = standard_board("37")
    drawing = board_drawing(board, sign * 37)
    assert 'class="coordinates"' in drawing
    named = set(re.findall(r'href="#([^"]+)"', drawing))
    assert len(named) == 1
    assert f'id="{named.pop()}"' in definitions()


def test_every_colour_of_a_drawing_is_defined() -> None:
    drawing = svg(Position.start("37").play("Wd4,d1").play("Bd3,a1"))
    shades = set(re.findall(r"url\(#([^)]+)\)", drawing))
    assert shades and shades <= set(re.findall(r'id="([^"]+)"', drawing))


@pytest.mark.parametrize(("letters", "board"), [("abcdefg", "37"), ("abcdefghi", "61")])
def test_the_edge_names_the_columns(letters: str, board: str) -> None:
    def edge(**options: bool) -> list[str]:
        groups = drawn(Position.start(board), **options).iter(f"{SPACE}g")
        (text,) = [group.findall(f"{SPACE}text") for group in groups if group.get("class") == "coordinates"] or [[]]
        return [one.text or "" for one in text]

    assert [text for text in edge() if text.isalpha()] == list(letters)
    assert edge(coordinates=False) == []


@pytest.mark.parametrize(
    ("move", "circles", "marbles", "paths"),
    [
        ("-", 0, 0, 0),
        ("Wz9", 0, 0, 0),
        ("Wd4", 1, 0, 0),
        ("Wd4,d1", 2, 0, 0),
        ("Wd4,d1 x Ba1Wa2", 4, 2, 0),
        ("Wd4,d1 x Wd4", 2, 1, 0),
        ("x d3Wd5", 3, 1, 1),
        ("x d3Wd5Bf4", 4, 2, 1),
    ],
)
def test_the_last_move_is_marked(move: str, circles: int, marbles: int, paths: int) -> None:
    drawing = marks(move, places(standard_board("37")))
    assert (drawing.count("<circle"), drawing.count("<use"), drawing.count("<polyline")) == (circles, marbles, paths)
    assert drawing in svg(Position.start("37"), move)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("Wd4", "White on d4"),
        ("Gd4,d1", "Grey on d4, ring d1 removed"),
        ("Bd4,d1 x Wa1Ga2", "Black on d4, ring d1 removed, claiming white a1, grey a2"),
        ("x d3Wd5Bf4", "Capture from d3 to d5 to f4, taking white, black"),
        ("-", "Pass"),
    ],
)
def test_moves_in_words(move: str, words: str) -> None:
    assert str(trace(move)) == words


def test_racks_hold_what_is_captured_and_leave_slots_for_the_winning_sets() -> None:
    position = Position.parse(
        "37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 0/0/1 5/1/0 0/0/2 1".replace("5/1", "3/1")
    )
    held: dict[str | None, int] = {}
    for use in drawn(position, racks=True).iter(f"{SPACE}use"):
        if use.get("data-colour"):
            held[use.get("href")] = held.get(use.get("href"), 0) + 1
    assert held == {
        "#zertz-only-W": 3,
        "#zertz-only-G": 1,
        "#zertz-only-B": 3,
        "#zertz-slot": 4 + 5 + 6 + 4 + 5 + 6 + 24 - 3 - 1 - 2 - 1,
    }


def test_letters_are_shown_on_request() -> None:
    start = Position.start("37")
    assert "--zertz-letters:inline" in svg(start, letters=True)
    assert "--zertz-letters:inline" not in svg(start)


def test_a_notebook_shows_the_position() -> None:
    position = Position.start("37").play("Wd4,d1")
    assert position._repr_svg_() == svg(position, racks=True)


def test_a_layout_equals_that_of_the_position_string() -> None:
    position = Position.start("48").play("Wd4,d1")
    assert layout(position) == position.text.split()[2].replace("/", "")


@pytest.mark.parametrize(
    ("move", "colour", "parts"),
    [
        ("Wd4,a1", "W", {"<circle": 1, "zertz-only-W": 1, "<path": 1}),
        ("Wd4", "W", {"<circle": 1, "zertz-only-W": 1, "<path": 0}),
        ("x d3Wd5", "G", {"<circle": 2, "zertz-only-G": 1, "<path": 2}),
        ("x d3Wd5Gf5", "B", {"<circle": 2, "zertz-only-B": 1, "<path": 4}),
        ("-", "", {"<circle": 0, "<path": 0}),
        ("Wz9", "W", {"<circle": 0}),
    ],
)
def test_a_move_that_is_not_played_yet(move: str, colour: str, parts: dict[str, int]) -> None:
    found = draw_next_move(move, places(standard_board("37")), colour)
    assert {part: found.count(part) for part in parts} == parts
