"""Moves as people type them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.rules.strategies import Game, games
from zertz_db.engine.typed_move import read_typed_move
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.position import Position

START = Position.start("37")
CAPTURES = START.play("Wd4,d1").play("Bd3,a1")


@pytest.mark.parametrize(
    ("position", "typed", "move"),
    [
        (START, "Wd4,d1", "Wd4,d1"),
        (START, "wd4 d1", "Wd4,d1"),
        (START, "  WD4D1 ", "Wd4,d1"),
        (START, "bb4, a1", "Bb4,a1"),
        (CAPTURES, "x d3Wd5", "x d3Wd5"),
        (CAPTURES, "xd3wd5", "x d3Wd5"),
        (CAPTURES, "x d3 d5", "x d3Wd5"),
        (CAPTURES, "X D3-D5", "x d3Wd5"),
    ],
)
def test_spelling_does_not_matter(position: Position, typed: str, move: str) -> None:
    assert str(read_typed_move(position, typed)) == move


@pytest.mark.parametrize(
    ("position", "typed", "message"),
    [
        (START, "Wd4", "a free ring must be removed; did you mean Wd4,"),
        (START, "Wd4,d4", "the ring to remove holds a marble; did you mean Wd4,"),
        (START, "zz", "'zz' is not a move"),
        (START, "", "'' is not a move"),
        (CAPTURES, "Wa2,a3", "a capture is possible and so compulsory; did you mean x d3Wd5 or x d4Bd2?"),
    ],
)
def test_an_illegal_move_is_explained(position: Position, typed: str, message: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        read_typed_move(position, typed)
    assert message in str(caught.value)


@settings(max_examples=25, deadline=None)
@given(games())
def test_a_legal_move_is_read_in_lower_case_without_spaces(game: Game) -> None:
    position = game.positions[0]
    for move in [] if position.is_over else position.legal_moves()[:20]:
        typed = str(move).casefold().replace(" ", "").replace(",", "")
        if typed != "-":
            assert read_typed_move(position, typed) == move
