"""Trees as short texts for URLs."""

from __future__ import annotations

from urllib.parse import quote_plus

import pytest
from hypothesis import given

from tests.variations.trees import quick, trees
from zertz_db.rules.position import Position
from zertz_db.variations.move_tree import MARKS, MoveTree, TreeError
from zertz_db.variations.short_text import read_short, write_short

START = Position.start("37")


@quick
@given(trees())
def test_a_short_text_has_moves_and_marks_and_needs_no_escapes(tree: MoveTree) -> None:
    text = write_short(tree)
    bare = tuple(
        node._replace(comment="", marks=tuple(mark for mark in node.marks if mark in MARKS)) for node in tree.nodes
    )
    assert read_short(tree.start, text) == MoveTree(tree.start, bare)
    assert quote_plus(text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Wd4", "not legal"),
        ("Wd4d1.Wd4d2", "not legal"),
        ("Wd4d1.~2", "before the start"),
        ("~0", "before the start"),
        ("Wd4d1..Bd3a1", "is not a move"),
        ("Wd4d1-z", "is not a move"),
        ("<script>", "is not a move"),
        ("0", "not legal"),
        ("Wd4d1." * 20_000, "at most 100,000"),
    ],
)
def test_other_texts_are_refused(text: str, said: str) -> None:
    with pytest.raises(TreeError, match=said):
        read_short(START, text)


def test_equal_moves_at_one_place_are_one() -> None:
    assert write_short(read_short(START, "Wd4d1-g.~1.Wd4d1.Bd3a1")) == "Wd4d1-g.Bd3a1"
