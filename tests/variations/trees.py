"""Make move trees for tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from zertz_db.rules.position import Position
from zertz_db.variations.move_tree import MARKS, MoveTree, add_move, annotate_move, find_position

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

STARTS = (
    "37 standard .Woo/..ooG/.ooBo./..ooo../.oo.../...../.... 2/3/4 1/0/1 0/1/0 1",
    "37 blitz .WGG/...oo/W..oo./WoGoBo./..oo../..B../..WB 0/0/3 1/1/2 0/3/1 2",
    "37 standard+written-claims .Woo/..oo./.oo.../..o..../....../...../.... 2/3/4 1/0/1 0/1/0 2",
)
"""Positions with few rings, so that lines are short, and captures, claims, passes and ends are soon reached."""

comments = st.text(max_size=30) | st.sampled_from(
    [
        "{",
        "}",
        "\\",
        "(",
        ")",
        "1-0",
        "*",
        '[Event "a"]',
        "x\n[Event",
        "[%clk 0:00:01]",
        "half turn: Wd4",
        "; ",
        "1. Wd4,d1 *",
        "> a\n% b",
    ]
)


@st.composite
def trees(draw: st.DrawFn, most: int = 10) -> MoveTree:
    """Draw a tree: each move is played after the last one or after any other."""
    tree = MoveTree(Position.parse(draw(st.sampled_from(STARTS))))
    if draw(st.booleans()):
        tree = annotate_move(tree, 0, comment=draw(comments))
    node = 0
    for _ in range(draw(st.integers(0, most))):
        parent = draw(st.just(node) | st.integers(0, len(tree) - 1))
        moves = find_position(tree, parent).legal_moves()
        if not moves:
            continue
        tree, node = add_move(tree, parent, str(draw(st.sampled_from(moves))))
        if draw(st.booleans()):
            marks = draw(st.lists(st.sampled_from([*MARKS, "$7", "$140"]), max_size=2))
            tree = annotate_move(tree, node, comment=draw(comments), marks=marks)
    return tree
