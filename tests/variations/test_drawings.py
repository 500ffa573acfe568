"""Circles and arrows in comments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zertz_db.rules.board import standard_board
from zertz_db.rules.svg.board_svg import places
from zertz_db.rules.svg.shapes import draw_shapes
from zertz_db.variations.drawings import Shape, join_drawings, split_drawings, toggle_shape

SHAPES = st.builds(Shape, st.sampled_from("GRYB"), st.sampled_from(["d4", "a10"]), st.sampled_from(["", "e5", "q12"]))


@given(st.sampled_from(["", "why?", "[%csl", "two\nlines"]), st.lists(SHAPES, unique=True))
def test_drawings_are_read_as_written(text: str, shapes: list[Shape]) -> None:
    circles, arrows = [one for one in shapes if not one.to], [one for one in shapes if one.to]
    assert split_drawings(join_drawings(text, shapes)) == (text, [*circles, *arrows])


@pytest.mark.parametrize(
    ("comment", "text", "shapes"),
    [
        ("a [%csl Gd4,Re5] b", "a b", [("G", "d4", ""), ("R", "e5", "")]),
        ("[%cal Gb3c4]", "", [("G", "b3", "c4")]),
        ("[%csl Xd4]", "[%csl Xd4]", []),
        ("[%csl Gd4", "[%csl Gd4", []),
        ("[%clk 0:00:01]", "[%clk 0:00:01]", []),
    ],
)
def test_comments_of_other_programs(comment: str, text: str, shapes: list[tuple[str, str, str]]) -> None:
    found, drawn = split_drawings(comment)
    assert (found, [tuple(shape) for shape in drawn]) == (text, shapes)


def test_the_same_drawing_again_removes_it() -> None:
    drawn = toggle_shape(toggle_shape("why?", "d4"), "d4", "e5")
    assert drawn == "why? [%csl Gd4][%cal Gd4e5]"
    assert toggle_shape(toggle_shape(drawn, "d4"), "d4", "e5") == "why?"
    assert toggle_shape("[%csl Rd4]", "d4") == ""


@pytest.mark.parametrize(
    ("shape", "parts"),
    [(("G", "d4", ""), (1, 0)), (("R", "d4", "e5"), (0, 2)), (("G", "z9", ""), (0, 0)), (("G", "d4", "d4"), (0, 0))],
)
def test_shapes_are_drawn_on_rings_of_the_board(shape: tuple[str, str, str], parts: tuple[int, int]) -> None:
    drawn = draw_shapes([shape], places(standard_board("37")))
    assert (drawn.count("<circle"), drawn.count("<path")) == parts
