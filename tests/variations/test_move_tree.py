"""Move trees: moves are added, removed and promoted, and all others stay as they are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.variations.trees import quick, trees
from zertz_db.rules.position import Position
from zertz_db.variations import move_tree
from zertz_db.variations.move_tree import (
    MoveTree,
    TreeBuilder,
    TreeError,
    add_move,
    add_moves,
    annotate_move,
    follow_line,
    list_children,
    list_positions,
    promote_line,
    promote_move,
    remove_move,
    trace_path,
)
from zertz_db.variations.printed_tree import print_tree

START = MoveTree(Position.start("37"))
Path = tuple[str, ...]


def forked() -> MoveTree:
    tree, _ = add_moves(START, 0, ["Wd4,d1", "Bd3,a1", "x d3Wd5"])
    tree, _ = add_moves(tree, 1, ["Gc2,a1", "We5,g1"])
    return add_move(tree, 1, "Bd3,a2")[0]


def paths(tree: MoveTree) -> dict[Path, tuple[str, tuple[str, ...]]]:
    """Return each node's notes by the moves on the way to it: what a tree is, without its numbers."""
    return {
        tuple(tree.nodes[step].move for step in trace_path(tree, node)): (one.comment, one.marks)
        for node, one in enumerate(tree.nodes)
    }


def test_a_tree_is_printed_with_its_variations() -> None:
    assert print_tree(forked()) == "1. Wd4,d1 Bd3,a1 (1... Gc2,a1 2. We5,g1) (1... Bd3,a2) 2. x d3Wd5"


def test_a_move_that_is_there_is_not_added_again() -> None:
    tree = forked()
    assert add_move(tree, 1, "Gc2,a1") == (tree, 4)


@pytest.mark.parametrize(
    ("change", "printed", "node"),
    [
        (lambda tree: remove_move(tree, 2), "1. Wd4,d1 Gc2,a1 (1... Bd3,a2) 2. We5,g1", 1),
        (lambda tree: remove_move(tree, 1), "", 0),
        (lambda tree: promote_move(tree, 6), "1. Wd4,d1 Bd3,a2 (1... Bd3,a1 2. x d3Wd5) (1... Gc2,a1 2. We5,g1)", 2),
        (lambda tree: promote_line(tree, 5), "1. Wd4,d1 Gc2,a1 (1... Bd3,a1 2. x d3Wd5) (1... Bd3,a2) 2. We5,g1", 3),
        (lambda tree: promote_line(tree, 3), "1. Wd4,d1 Bd3,a1 (1... Gc2,a1 2. We5,g1) (1... Bd3,a2) 2. x d3Wd5", 3),
        (lambda tree: add_move(tree, 4, "Wc6,g1"), "1. Wd4,d1 Bd3,a1 (1... Gc2,a1 2. We5,g1 (2. Wc6,g1)) (1... Bd3,a2) 2. x d3Wd5", 6),
    ],
)  # fmt: skip
def test_changes_of_the_order(change, printed: str, node: int) -> None:  # type: ignore[no-untyped-def]
    tree, now = change(forked())
    assert (print_tree(tree), now) == (printed, node)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda tree: add_move(tree, 2, "Wd7,g1"), "not legal here"),
        (lambda tree: add_move(tree, 0, "hello"), "is not a move"),
        (lambda tree: add_move(tree, 7, "Wd4,d1"), "no node 7"),
        (lambda tree: remove_move(tree, 0), "no move"),
        (lambda tree: annotate_move(tree, 0, marks=["!"]), "a mark needs a move"),
        (lambda tree: annotate_move(tree, 1, comment="a" * 2_001), "at most 2,000 characters"),
    ],
)
def test_what_can_not_be_done_is_said(change, said: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(TreeError, match=said):
        change(forked())


def test_a_tree_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_tree, "MAX_NODES", 7)
    with pytest.raises(TreeError, match="at most 6 moves"):
        add_move(forked(), 1, "Bd3,a3")


@quick
@given(trees(), st.data())
def test_an_added_move_changes_nothing_else(tree: MoveTree, data: st.DataObject) -> None:
    node = data.draw(st.integers(0, len(tree) - 1))
    moves = list_positions(tree, trace_path(tree, node))[-1].legal_moves()
    if not moves:
        return
    grown, added = add_move(tree, node, str(data.draw(st.sampled_from(moves))))
    path = tuple(grown.nodes[step].move for step in trace_path(grown, added))
    assert paths(grown) == {path: ("", ())} | paths(tree)
    assert [grown.nodes[child].move for child in list_children(grown, node)][: len(list_children(tree, node))] == [
        tree.nodes[child].move for child in list_children(tree, node)
    ]


@quick
@given(trees(), st.data())
def test_a_removal_takes_what_comes_from_the_move(tree: MoveTree, data: st.DataObject) -> None:
    if len(tree) == 1:
        return
    node = data.draw(st.integers(1, len(tree) - 1))
    gone = tuple(tree.nodes[step].move for step in trace_path(tree, node))
    rest, before = remove_move(tree, node)
    assert paths(rest) == {path: notes for path, notes in paths(tree).items() if path[: len(gone)] != gone}
    assert tuple(rest.nodes[step].move for step in trace_path(rest, before)) == gone[:-1]


@quick
@given(trees(), st.data())
def test_a_promoted_line_is_the_main_one(tree: MoveTree, data: st.DataObject) -> None:
    if len(tree) == 1:
        return
    node = data.draw(st.integers(1, len(tree) - 1))
    wanted = [tree.nodes[step].move for step in trace_path(tree, node)]
    changed, now = promote_line(tree, node)
    assert [changed.nodes[step].move for step in follow_line(changed, 0)][: len(wanted)] == wanted
    assert [changed.nodes[step].move for step in trace_path(changed, now)] == wanted
    assert paths(changed) == paths(tree)


@quick
@given(trees())
def test_a_builder_gives_the_order_of_printing(tree: MoveTree) -> None:
    builder = TreeBuilder(tree.start)
    numbers = {0: 0}
    depths = move_tree.list_depths(tree)
    for node in sorted(range(1, len(tree)), key=lambda node: depths[node]):  # level by level
        numbers[node] = builder.add(numbers[tree.nodes[node].parent], tree.nodes[node].move)
    for node, one in enumerate(tree.nodes):
        builder.note(numbers[node], one.comment, one.marks)
    assert builder.build() == tree
