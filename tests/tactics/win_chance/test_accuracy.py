"""Accuracy of players: by hand."""

from __future__ import annotations

from math import exp, isnan
from random import Random

import numpy as np
import pytest

from tests.tactics.samples import random_game
from zertz_db.rules.kernel import SIDE, STATE_SIZE
from zertz_db.rules.position import Position
from zertz_db.tactics.win_chance import accuracies, chance_states, judge_accuracy
from zertz_db.tactics.win_chance.accuracy import move_accuracy

START = Position.start("37")


def plain(sides: list[int]) -> np.ndarray:
    """Return states of which only the side to move matters."""
    states = np.zeros((len(sides), STATE_SIZE), np.int64)
    states[:, SIDE] = sides
    return states


@pytest.mark.parametrize(
    ("lost", "accuracy"), [(0, 100.0), (-8, 100.0), (5, 79.81), (10, 63.58), (50, 8.53), (100, 0.0)]
)
def test_the_curve(lost: float, accuracy: float) -> None:
    assert move_accuracy(np.array([lost]))[0] == pytest.approx(accuracy, abs=0.01)


def test_two_games_by_hand() -> None:
    # Game 1: 1 loses 10 points, 2 gains 20, 1 loses nothing (a forced move, not counted); game 2: player 2 begins and loses 30.
    states = plain([0, 1, 0, 1, 1, 0])
    chances = np.array([0.6, 0.5, 0.3, 0.7, 0.8, 0.5])
    found = accuracies(START.board, START.rules, states, [0, 4], [1, 1, 0, 1, 1, 1], chances=chances, floor=1)
    ten, thirty = (103.17 * exp(-0.04354 * lost) - 3.17 for lost in (10, 30))
    assert found.moves.tolist() == [[1, 1], [0, 1]]
    assert found.accuracy[0].tolist() == pytest.approx([ten, 100])
    assert isnan(found.accuracy[1, 0])
    assert found.accuracy[1, 1] == pytest.approx(thirty)


def test_below_the_floor_there_is_no_accuracy() -> None:
    states = plain([0, 1] * 10 + [0])
    chances = np.full(21, 0.5)
    found = accuracies(START.board, START.rules, states, [0], np.ones(21), chances=chances)
    assert found.accuracy.tolist() == [[100.0, 100.0]]
    fewer = accuracies(START.board, START.rules, states[:20], [0], np.ones(20), chances=chances[:20])
    assert fewer.moves.tolist() == [[10, 9]]
    assert fewer.accuracy[0, 0] == 100
    assert isnan(fewer.accuracy[0, 1])


def test_a_game_has_the_accuracies_of_a_batch() -> None:
    states, starts, free = [], [], []
    for seed in (1, 2):
        positions = random_game(Random(seed), START)  # noqa: S311
        starts.append(len(states))
        states += [position.state for position in positions]
        free += [not position.capture_is_due for position in positions]
    rows = np.array(states, np.int64)
    both = accuracies(START.board, START.rules, rows, starts, free)
    for number, (begin, end) in enumerate(((0, starts[1]), (starts[1], len(rows)))):
        alone = judge_accuracy(START.board, START.rules, rows[begin:end], free[begin:end])
        assert [alone.moves1, alone.moves2] == both.moves[number].tolist()
        for one, other in zip((alone.accuracy1, alone.accuracy2), both.accuracy[number].tolist(), strict=True):
            assert one is None if isnan(other) else one == other
    assert both.moves.sum() > 20


def test_proofs_override_chances() -> None:
    positions = random_game(Random(1), START)[:12]  # noqa: S311
    states = np.array([position.state for position in positions], np.int64)
    proven = np.zeros(12, np.int64)
    proven[3] = 5
    chances = chance_states(START.board, START.rules, states, proven)
    assert chances[3] == 1
    found = accuracies(START.board, START.rules, states, [0], np.ones(12), proven, floor=1)
    again = accuracies(START.board, START.rules, states, [0], np.ones(12), chances=chances, floor=1)
    assert found.accuracy.tolist() == again.accuracy.tolist()
