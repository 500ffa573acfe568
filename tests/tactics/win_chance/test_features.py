"""Features of positions: by hand, interpreted and compiled, and for images of a position."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tactics.samples import random_game
from zertz_db.rules.board import Board
from zertz_db.rules.kernel import CAPTURED, MARBLES, POOL, RINGS, SIDE
from zertz_db.rules.position import Position
from zertz_db.tactics.win_chance.engine import features_of, open_engine, propagate_values, resolve_captures
from zertz_db.tactics.win_chance.features import FEATURES, FEATURES_SIZE

BOARDS = ("37", "48", "61")


@cache
def game(board: str, rules: str, seed: int) -> tuple[Board, Any, Any]:
    """Return the states of a random game without those in which a jump is due: board, rules, int64 array."""
    positions = random_game(Random(seed), Position.start(board, rules))  # noqa: S311
    free = [position.state for position in positions if not position.capture_is_due]
    return positions[0].board, positions[0].rules, np.array(free, np.int64)


def turn(board: Board, state: list[int], image: tuple[int, ...]) -> list[int]:
    """Return the state after a symmetry of the board."""

    def turned(rings: int) -> int:
        return sum(1 << image[ring] for ring in range(len(board.rings)) if rings >> ring & 1)

    return [*map(turned, state[:4]), *state[4:14], *[0] * 7]


def named(position: str) -> dict[str, int]:
    start = Position.parse(position)
    rows, _ = features_of(open_engine(start.board, start.rules), np.array([start.state], np.int64))
    return dict(zip(FEATURES, rows[0].tolist(), strict=True))


def test_every_feature_has_a_name() -> None:
    assert len(FEATURES) == len(set(FEATURES)) == FEATURES_SIZE


def test_features_of_the_empty_board() -> None:
    found = {name: count for name, count in named(
        "37 standard oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 6/8/10 0/0/0 0/0/0 1").items() if count}  # fmt: skip
    assert found == {
        "rings": 37, "vacant rings": 37, "free rings": 18, "parity of the vacant rings": 1,
        "marbles in the pool": 24, "white in the pool": 6, "grey in the pool": 8, "black in the pool": 10,
        "I lack white": 4, "I lack grey": 5, "I lack black": 6, "I lack of each colour": 9, "I lack at least": 4,
        "other lacks white": 4, "other lacks grey": 5, "other lacks black": 6, "other lacks of each colour": 9,
        "other lacks at least": 4, "I lack after the best isolation": 4, "other lacks after the best isolation": 4,
        "quiet rings": 37, "quiet free rings": 18, "islands": 1, "vacant rings beside no marble": 37,
    }  # fmt: skip


def test_features_of_a_marble_in_the_middle_and_one_in_a_corner() -> None:
    found = named("37 standard Wooo/ooooo/oooooo/oooGooo/oooooo/ooooo/oooo 5/7/10 3/0/0 0/1/2 2")
    expected = {
        "my grey captures": 1, "my black captures": 2, "other's white captures": 3, "I lack at least": 4, "other lacks at least": 1,
        "marbles on the edge": 1, "marbles inside": 1, "white that can be offered": 0, "grey that can be offered": 1,
        "rings where a placement offers a jump": 9, "marbles without a marble beside them": 2, "my forced win": 0,
        "groups with one vacant neighbour": 0,
    }  # fmt: skip
    assert {name: found[name] for name in expected} == expected


def test_a_group_with_one_vacant_neighbour_counts_for_what_it_brings() -> None:
    start = Position.start("37")
    corner = start.board.index["a1"]
    beside = start.board.tables.around[corner]
    state = start.state
    state[RINGS] &= ~(beside & (beside - 1))  # one neighbour of the corner is left
    state[MARBLES] = 1 << corner
    state[POOL] -= 3
    state[CAPTURED + 3] = 2  # of player 2
    state[SIDE] = 1
    rows, _ = features_of(open_engine(start.board, start.rules), np.array([state], np.int64))
    found = dict(zip(FEATURES, rows[0].tolist(), strict=True))
    expected = {
        "groups with one vacant neighbour": 1,
        "marbles in groups with one vacant neighbour": 1,
        "groups with two vacant neighbours": 0,
        "I lack at least": 2,
        "I lack after the best isolation": 1,
        "other lacks after the best isolation": 3,
        "islands": 1,
    }
    assert {name: found[name] for name in expected} == expected


@settings(max_examples=6, deadline=None)
@given(
    st.sampled_from([*BOARDS, "40"]),
    st.sampled_from(["standard", "blitz", "standard+tournament"]),
    st.integers(0, 3),
    st.integers(0, 60),
)
def test_interpreted_features_are_the_compiled_ones(board: str, rules: str, seed: int, number: int) -> None:
    place, rule_set, states = game(board, rules, seed)
    some = states[number % len(states)][None]
    compiled, forced = features_of(open_engine(place, rule_set), some)
    interpreted, also_forced = features_of(open_engine(place, rule_set, interpreted=True), some)
    assert compiled.tolist() == interpreted.tolist()
    assert forced.tolist() == also_forced.tolist()


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(BOARDS), st.integers(0, 3), st.integers(0, 60), st.integers(0, 11))
def test_images_of_a_position_have_equal_features(board: str, seed: int, number: int, symmetry: int) -> None:
    place, rule_set, states = game(board, "standard", seed)
    state = states[number % len(states)].tolist()
    image = place.symmetries[symmetry % len(place.symmetries)]
    rows, _ = features_of(open_engine(place, rule_set), np.array([state, turn(place, state, image)], np.int64))
    assert rows[0].tolist() == rows[1].tolist()


def test_captures_are_resolved_alike_interpreted_and_compiled() -> None:
    positions = random_game(Random(5), Position.start("37"))  # noqa: S311
    states = np.array([position.state for position in positions], np.int64)
    start = positions[0]
    found = []
    for interpreted in (False, True):
        engine = open_engine(start.board, start.rules, interpreted)
        trees = resolve_captures(engine, states, 0)
        values = np.linspace(0, 1, len(trees.kinds))
        carried = propagate_values(engine, trees, values)
        found.append(
            [
                trees.states.tolist(),
                trees.parents.tolist(),
                trees.kinds.tolist(),
                trees.heads.tolist(),
                carried.tolist(),
            ]
        )
    assert found[0] == found[1]
    assert len(found[0][0]) > len(states)
