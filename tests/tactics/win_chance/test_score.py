"""Win chances: by the rules where they decide, else by the fitted trees; equal for images, interpreted and compiled."""

from __future__ import annotations

from random import Random
from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest

from tests.tactics.samples import SAMPLES, random_game
from tests.tactics.test_hostile import large_board
from tests.tactics.win_chance.test_features import turn
from zertz_db.rules import compiled
from zertz_db.rules.position import Position
from zertz_db.tactics import SearchError, compiled_search
from zertz_db.tactics.win_chance import WinChance, chance_states, score, win_chance
from zertz_db.tactics.win_chance.score import find_equal

EMPTY = Position.start("37")
FREE = "37 standard oooo/ooooo/oooooo/oooWooo/oooooo/ooooo/oooo {pool} {mine} {others} 1"
LARGE = Position.parse(f"custom standard {large_board(lambda _: 'o')} 6/8/10 0/0/0 0/0/0 1")

LAST = Position.parse("37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1")
ENDED = LAST.play(LAST.move("x d3Wd5"))


SHIPPED = [
    ("37 standard .ooW/..Go./ooooo./ooBoo../.ooB.o/ooo../G... 2/5/3 3/1/3 0/0/2 2", 0.011803330485143605),
    ("48 standard o..../.ooGoB/.oBoooo/.oooBoo./oBooooo/ooooo./.oWoo/o..o 2/7/3 1/0/2 2/0/1 1", 0.3685133180022589),
    ("48 standard .oo.o/oooWo./ooooooo/.oWoooGo/Gooooo./oooWoo/Wooo./oooo 2/6/10 0/0/0 0/0/0 1", 0.5914831417372912),
    ("61 standard o.ooW/Boooo./ooooooW/.ooooooo/oBooBooo./oooooooo/.oooooB/.ooooo/.oooo 4/8/5 0/0/0 0/0/1 1", 0.5876356960950437),
    ("61 standard ..o../o.BooW/.oooBoo/.ooooooo/.BooooGoG/ooooBo../oooooo./.ooGo./oo..o 5/2/2 0/1/2 0/2/2 1", 0.4313611127965958),
]  # fmt: skip
"""Positions of random games, and their chances by the shipped numbers."""


def chance(position: str) -> float:
    return win_chance(position).chance


def test_the_empty_board_is_open() -> None:
    found = win_chance(EMPTY)
    assert 0.4 < found.chance < 0.6
    assert found.low <= found.chance <= found.high
    assert 0.01 < found.high - found.low < 0.1
    assert found.games > 1000
    assert not found.is_proven


@pytest.mark.parametrize(("position", "expected"), SHIPPED)
def test_the_shipped_numbers_give_the_stored_chances(position: str, expected: float) -> None:
    assert chance(position) == pytest.approx(expected, abs=1e-12)


def test_whoever_lacks_fewer_marbles_has_a_higher_chance() -> None:
    ahead = chance(FREE.format(pool="2/8/10", mine="3/0/0", others="0/0/0"))
    level = chance(FREE.format(pool="5/8/10", mine="0/0/0", others="0/0/0"))
    behind = chance(FREE.format(pool="2/8/10", mine="0/0/0", others="3/0/0"))
    assert ahead > chance(str(EMPTY)) > behind
    assert ahead > level > behind


@pytest.mark.parametrize(
    "sample", [sample for sample in SAMPLES if sample.plies <= 5], ids=lambda sample: str(sample.plies)
)
def test_a_forced_win_is_certain(sample: object) -> None:
    assert win_chance(sample.position) == WinChance(1.0, 1.0, 1.0, 0, sample.plies)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "sample", [sample for sample in SAMPLES if sample.plies <= 3], ids=lambda sample: str(sample.plies)
)
def test_batches_know_short_forced_wins(sample: object) -> None:
    position = Position.parse(sample.position)  # type: ignore[attr-defined]
    states = np.array([position.state], np.int64)
    assert chance_states(position.board, position.rules, states).tolist() == [1.0]


def test_given_proofs_are_certain() -> None:
    states = np.array([EMPTY.state, EMPTY.state, EMPTY.state], np.int64)
    found = chance_states(EMPTY.board, EMPTY.rules, states, [0, 7, True])
    assert found[0] == win_chance(EMPTY).chance
    assert found[1:].tolist() == [1.0, 1.0]


def test_a_capture_is_resolved() -> None:
    position = Position.parse("37 standard oooo/ooooo/oooooo/ooWGooo/oooooo/ooooo/oooo 5/7/10 0/0/0 0/0/0 1")
    replies = [1 - win_chance(position.play(move)).chance for move in position.legal_moves()]
    assert len(replies) > 1
    states = np.array([position.state], np.int64)
    assert chance_states(position.board, position.rules, states)[0] == max(replies)


def test_final_positions_have_the_chance_of_their_result() -> None:
    assert ENDED.is_over
    assert chance_states(ENDED.board, ENDED.rules, np.array([ENDED.state], np.int64)).tolist() == [0.0]


def test_images_of_a_position_have_equal_chances() -> None:
    for board in ("37", "48", "61"):
        positions = random_game(Random(2), Position.start(board))[::5]  # noqa: S311
        place, rules = positions[0].board, positions[0].rules
        here = chance_states(place, rules, np.array([one.state for one in positions], np.int64))
        for image in place.symmetries[1:]:
            turned = np.array([turn(place, list(one.state), image) for one in positions], np.int64)
            assert chance_states(place, rules, turned).tolist() == here.tolist()


def test_interpreted_chances_are_the_compiled_ones() -> None:
    positions = random_game(Random(3), EMPTY)[::6]  # noqa: S311
    states = np.array([position.state for position in positions], np.int64)
    interpreted = chance_states(EMPTY.board, EMPTY.rules, states, interpreted=True)
    assert interpreted.tolist() == chance_states(EMPTY.board, EMPTY.rules, states).tolist()


def test_where_numba_fails_chances_are_interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("a damaged cache")

    expected = win_chance(EMPTY)
    monkeypatch.setattr(compiled_search, "_compiler_failed", Event())
    monkeypatch.setattr(compiled, "functions_with", lambda *_: SimpleNamespace(expand_captures=fail))
    assert win_chance(EMPTY, depth=1) == expected
    assert compiled_search._compiler_failed.is_set()


def test_a_large_batch_has_the_chances_of_single_positions() -> None:
    positions = random_game(Random(4), EMPTY)  # noqa: S311
    states = np.array([position.state for position in positions], np.int64)
    many = chance_states(EMPTY.board, EMPTY.rules, np.concatenate([states] * 400))
    single = [chance_states(EMPTY.board, EMPTY.rules, state[None])[0] for state in states]
    assert many.tolist() == single * 400


def test_equal_states_are_found() -> None:
    states = np.array([EMPTY.state, LAST.state, EMPTY.state, ENDED.state, LAST.state], np.int64)
    first, same = find_equal(states)
    assert (states[first][same] == states).all()
    assert sorted(first.tolist()) == [0, 1, 3]


def test_different_states_with_one_hash_stay_different(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score, "_MULTIPLIERS", np.zeros(15, np.int64))
    states = np.array([EMPTY.state, LAST.state], np.int64)
    assert [one.tolist() for one in find_equal(states)] == [[0, 1], [0, 1]]


def test_no_positions_have_no_chances() -> None:
    assert chance_states(EMPTY.board, EMPTY.rules, np.zeros((0, 21), np.int64)).tolist() == []


@pytest.mark.parametrize(("board", "rules"), [("43", "standard"), ("37", "blitz")])
def test_a_board_without_held_out_games_has_no_interval(board: str, rules: str) -> None:
    found = win_chance(Position.start(board, rules))
    assert (found.low, found.high, found.games) == (0.0, 1.0, 0)


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (Position.start("37", "standard+written"), "written claims"),
        (LARGE, "63 rings, not for one of 128"),
        (ENDED, "the game is over"),
    ],
)
def test_what_has_no_chance_is_explained(position: Position, message: str) -> None:
    with pytest.raises(SearchError, match=message):
        win_chance(position)
