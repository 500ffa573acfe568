"""The engine's choices: legal, winning where a win is found, equal for equal seeds, compiled and interpreted."""

from __future__ import annotations

import logging
from dataclasses import replace
from random import Random
from threading import Event
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.strategies import Game, games
from tests.tactics.samples import SAMPLES, Sample, late_positions
from zertz_db.engine import STRENGTHS, NoSuchStrength, choose_move, compiled_engine
from zertz_db.engine.strengths import EASY, HARD, MEDIUM, Strength
from zertz_db.rules.errors import PositionError
from zertz_db.rules.position import Position
from zertz_db.tactics import class_of
from zertz_db.tactics.solver import measure_forced_win

HOUR = 3600.0
"""More time than the limits of nodes need: no result depends on the clock."""
FILLS = "37 standard+written W.../o..../oooooo/ooooooo/oooooo/ooooo/oooo 5/8/10 3/0/0 0/0/0 1"
"""Under written claims, player 1 wins by cutting off the white marble, if he claims it."""

MOSTLY_LOSING = [
    ("37 standard B.../oo.../.oooG./..oo.../GooB../.oW../oW.. 0/0/4 2/2/2 2/4/2 1", 39),
    ("37 standard o.../.oo../.Wooo./..ooooG/o..Wo./...oo/..G. 0/0/5 1/4/4 3/2/1 2", 71),
]
"""Positions in which most moves leave the opponent a forced win in five plies, and their number."""


def quick(strength: Strength) -> Strength:
    return replace(strength, nodes=1500, proof_nodes=min(strength.proof_nodes, 1000))


@settings(max_examples=60, deadline=None)
@given(games(), st.sampled_from(list(STRENGTHS.values())), st.integers(0, 9))
def test_every_choice_is_legal(game: Game, strength: Strength, seed: int) -> None:
    for position in {str(position): position for position in game.positions[-4:] if not position.is_over}.values():
        choice = choose_move(position, quick(strength), seed, HOUR)
        after = position.play(choice.move)
        assert position.written(choice.move, after) == choice.notation
        assert position.play(choice.notation) == after


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("board", ["37", "48", "61"])
@pytest.mark.parametrize("rules", ["standard", "blitz+written", "standard+tournament"])
def test_every_turn_of_a_game_has_a_legal_choice(board: str, rules: str, strength: str) -> None:
    position = Position.start(board, rules)
    for ply in range(12):
        if position.is_over:
            return
        position = position.play(choose_move(position, quick(STRENGTHS[strength]), ply, HOUR).move)


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_win_in_one_is_played(strength: str) -> None:
    tried = 0
    for position in late_positions(31, 8, "37 48", "standard blitz", 4):
        wins = [move for move in position.legal_moves() if position.play(move).winner == position.side]
        if wins:
            tried += 1
            assert position.play(choose_move(position, strength, 1, HOUR).move).winner == position.side
    assert tried > 4


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.plies} plies, {sample.position[:12]}")
def test_a_forced_win_is_begun_and_kept(sample: Sample) -> None:
    position = Position.parse(sample.position)
    choice = choose_move(position, HARD, 1, HOUR)
    is_only_move = len(position.legal_moves()) == 1  # which is played without a search
    assert choice.forced == (None if is_only_move else sample.plies)
    assert str(class_of(position, choice.move)) in sample.winning
    chance = Random(1)  # noqa: S311
    side = position.side
    while not position.is_over:
        if position.side == side:
            position = position.play(choose_move(position, HARD, 1, HOUR).move)
        else:
            position = position.play(chance.choice(position.legal_moves()))
    assert position.winner == side


def test_medium_sees_forced_wins_in_three_and_easy_does_not_look_for_them() -> None:
    three = [sample for sample in SAMPLES if sample.plies == 3][1:]  # the first has one legal move
    assert [choose_move(sample.position, MEDIUM, 1, HOUR).forced for sample in three] == [3] * len(three)
    assert {choose_move(sample.position, EASY, 1, HOUR).forced for sample in three} == {None}


@pytest.mark.parametrize(("text", "losing"), MOSTLY_LOSING)
def test_hard_leaves_the_opponent_no_forced_win_if_another_move_is_found(text: str, losing: int) -> None:
    position = Position.parse(text)
    moves = position.legal_moves()
    bad = [move for move in moves if measure_forced_win(position.play(move), 5)]
    assert (len(bad), len(bad) < len(moves)) == (losing, True)
    for seed in range(3):
        assert choose_move(position, HARD, seed, HOUR).move not in bad


@pytest.mark.parametrize("strength", STRENGTHS.values(), ids=lambda strength: strength.name)
def test_interpreted_and_compiled_choices_are_equal(strength: Strength) -> None:
    few = replace(strength, nodes=600, proof_nodes=min(strength.proof_nodes, 300), guard_depth=0)
    positions = [Position.parse(sample.position) for sample in SAMPLES[:5]]
    positions += late_positions(32, 2, "37 61", "standard blitz", 12)
    for position in positions:
        assert choose_move(position, few, 3, HOUR, interpreted=True) == choose_move(position, few, 3, HOUR)


def test_equal_seeds_give_equal_choices_and_seeds_vary_the_game() -> None:
    start = Position.start("37")
    for strength in STRENGTHS:
        assert choose_move(start, strength, "a", HOUR) == choose_move(start, strength, "a", HOUR)
        assert len({choose_move(start, quick(STRENGTHS[strength]), seed, HOUR).notation for seed in range(8)}) > 4


def test_time_cuts_the_search_and_the_choice_says_so() -> None:
    start = Position.start("37")
    cut = choose_move(start, replace(HARD, nodes=10**9, guard_depth=0), 1, 0.01)
    assert cut.is_cut
    assert start.play(cut.move)
    assert not choose_move(start, EASY, 1, HOUR).is_cut


def test_a_large_board_is_searched_interpreted() -> None:
    columns = "/".join(f"{letter}{number % 2}:oooooooo" for number, letter in enumerate("abcdefgh"))
    position = Position.parse(f"custom standard {columns}/i0:o 6/8/10 0/0/0 0/0/0 1")
    assert len(position.board.rings) == 65
    assert position.play(choose_move(position, quick(MEDIUM), 1, HOUR).move)


def test_under_written_claims_the_winning_group_is_claimed() -> None:
    position = Position.parse(FILLS)
    for strength in STRENGTHS:
        assert position.play(choose_move(position, strength, 1, HOUR).move).winner == 1


def test_what_can_not_be_played_is_refused() -> None:
    start = Position.start("37")
    over = Position.parse("37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1").play(
        "x d3Wd5"
    )
    with pytest.raises(PositionError, match="the game is over"):
        choose_move(over)
    with pytest.raises(NoSuchStrength, match="'strong'; there are easy, medium, hard"):
        choose_move(start, "strong")
    with pytest.raises(PositionError, match="a position is written"):
        choose_move("here")


def test_if_the_compiled_functions_fail_moves_are_searched_interpreted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a damaged cache")

    expected = choose_move(SAMPLES[1].position, quick(EASY), 1, HOUR)
    monkeypatch.setattr(compiled_engine, "_compiler_failed", Event())
    monkeypatch.setattr(compiled_engine, "_functions", lambda _: SimpleNamespace(start_position=fail))
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert choose_move(SAMPLES[1].position, quick(EASY), 1, HOUR) == expected
    assert [record.message for record in caplog.records] == [
        "the compiled engine fails (RuntimeError: a damaged cache): moves are searched interpreted, some hundred times slower"
    ]
