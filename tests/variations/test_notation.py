"""Trees in official notation: what is written is read again, and what people write becomes a tree."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given

from tests.variations.trees import quick, trees
from zertz_db import check_text
from zertz_db.rules.position import Position
from zertz_db.variations import move_tree, notation
from zertz_db.variations.move_tree import MoveTree, Node, TreeError, add_move, add_moves
from zertz_db.variations.notation import read_text, read_tree, write_tree
from zertz_db.variations.printed_tree import print_tree


@quick
@given(trees())
def test_a_written_tree_is_read_again(tree: MoveTree) -> None:
    text = write_tree(tree)
    found = read_tree(text, "gipf")
    assert (found.tree, found.problem) == (tree, None)
    [checked] = check_text(text)
    assert checked.is_game


def test_facts_of_a_game_are_kept() -> None:
    facts = {"player1": 'Ada "A"', "player2": "Ben", "event": "Club\\night", "date": "2026.05.??"}
    assert read_tree(write_tree(MoveTree(Position.start("48")), facts)).facts == facts


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("1. Wd4,d1 Bd3,a1 *", "1. Wd4,d1 Bd3,a1"),
        ("{Before} 1. Wd4,d1! {good} Bd3,a1 *", "{Before} 1. Wd4,d1! {good} 1... Bd3,a1"),
        ("1. Wd4,d1 (1. We4,d1 Bc2,a1 (1... Bc3,a1)) Bd3,a1", "1. Wd4,d1 (1. We4,d1 Bc2,a1 (1... Bc3,a1)) 1... Bd3,a1"),
        # A variation in place of a variation's first move is one more variation.
        ("1. Wd4,d1 (1. We4,d1 (1. Wc4,d1) Bc2,a1) Bd3,a1", "1. Wd4,d1 (1. We4,d1 Bc2,a1) (1. Wc4,d1) 1... Bd3,a1"),
        ("1. Wd4,d1 ({why?} 1. We4,d1 {because}) Bd3,a1", "1. Wd4,d1 (1. We4,d1 {why?\nbecause}) 1... Bd3,a1"),
        ("1. Wd4,d1 $1 Bd3,a1 $6 $30", "1. Wd4,d1! Bd3,a1?! $30"),
        ("1. Wd4,d1 (1. We4 was worse) Bd3,a1", "1. Wd4,d1 (1. We4 was worse) 1... Bd3,a1"),
        ("1. Wd4,d1 (1. Wd4,d4) Bd3,a1", "1. Wd4,d1 (1. Wd4,d4) 1... Bd3,a1"),
        # Equal moves are one, with both their notes.
        ("1. Wd4,d1 {a} (1. Wd4,d1 {b} Bc2,a1) Bd3,a1", "1. Wd4,d1 {a\nb} 1... Bd3,a1 (1... Bc2,a1)"),
    ],
)  # fmt: skip
def test_texts_become_trees(text: str, printed: str) -> None:
    assert print_tree(read_tree(text).tree) == printed


def test_legal_moves_of_a_faulty_record_are_shown() -> None:
    found = read_tree("1. Wd4,d1 (1. We4,d1) Bd3,a1 2. Wa2,b1")
    assert print_tree(found.tree) == "1. Wd4,d1 (1. We4,d1) 1... Bd3,a1"
    assert found.problem is not None
    assert "a capture is compulsory here" in found.problem


@pytest.mark.parametrize("text", ["", "hello", "Wd4", '[Board "custom"]\n\n1. Wd4,d1 *'])
def test_a_text_without_a_game_is_refused(text: str) -> None:
    try:
        assert len(read_tree(text).tree) == 1
    except TreeError as error:
        assert str(error)


def test_deep_and_many_variations_are_read() -> None:
    tree = MoveTree(Position.start("37"))
    node = 0
    for _ in range(12):  # a variation in a variation in a variation
        moves = [str(move) for move in (tree.start if not node else _position(tree, node)).legal_moves()[:2]]
        tree, _ = add_move(tree, node, moves[0])
        if len(moves) > 1:
            tree, node = add_move(tree, node, moves[1])
    for move in tree.start.legal_moves()[10:100]:
        tree, _ = add_move(tree, 0, str(move))
    assert read_tree(write_tree(tree), "gipf").tree == tree


def test_what_is_beyond_the_limits_stays_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notation, "MAX_READ", 10)
    text = "1. Wd4,d1 (1. We4,d1) (1. Wc4,d1) Bd3,a1"
    assert print_tree(read_tree(text).tree) == "1. Wd4,d1 (1. Wc4,d1) (1. We4,d1) 1... Bd3,a1"
    monkeypatch.setattr(notation, "MAX_READ", 1_000)
    monkeypatch.setattr(move_tree, "MAX_NODES", 4)
    tree = read_tree(text).tree
    assert [node.asides for node in tree.nodes if node.asides] == [("1. Wc4,d1",)]


def test_hostile_nesting_ends_soon() -> None:
    text = "1. Wd4,d1 " + "(1. We4,d1 " * 100 + ")" * 100 + " *"
    with suppress(TreeError):
        assert len(read_tree(text).tree) <= 3


@pytest.mark.parametrize(
    ("text", "count"), [(Position.start("37").text, 1), (Position.start("37").text.replace(" ", "\n "), 1), ("1. Wd4,d1", 2)]
)  # fmt: skip
def test_a_text_is_a_position_or_a_game(text: str, count: int) -> None:
    assert len(read_text(text).tree) == count


def test_an_aside_that_would_not_be_read_is_refused() -> None:
    tree, _ = add_moves(MoveTree(Position.start("37")), 0, ["Wd4,d1"])
    broken = MoveTree(tree.start, (tree.nodes[0], Node(0, "Wd4,d1", asides=("a ) b",))))
    with pytest.raises(TreeError, match="parentheses"):
        write_tree(broken)


def _position(tree: MoveTree, node: int) -> Position:
    from zertz_db.variations.move_tree import find_position

    return find_position(tree, node)
