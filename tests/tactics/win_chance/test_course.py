"""The win chances along a game."""

from __future__ import annotations

from random import Random

import pytest

from tests.tactics.samples import SAMPLES, random_game
from tests.tactics.win_chance.test_score import LARGE
from zertz_db.rules.position import Position
from zertz_db.tactics.limits import SearchError
from zertz_db.tactics.win_chance import chance_states
from zertz_db.tactics.win_chance.course import value_course


def random_course(seed: int, start: str = "37") -> list[Position]:
    """Return the positions of a random game, with its end."""
    chance = Random(seed)  # noqa: S311
    before = random_game(chance, Position.start(start))
    return [*before, before[-1].play(chance.choice(before[-1].legal_moves()))]


@pytest.mark.parametrize("seed", range(4))
def test_chances_are_player_1s_and_a_known_winner_replaces_an_estimate(seed: int) -> None:
    course = random_course(seed)
    last = len(course) - 1
    winners = [0] * len(course)
    winners[2], winners[5] = 2, 1
    found = value_course(course, [True] * last, winners)
    single = [chance_states(one.board, one.rules, [one.state])[0] for one in course]
    for ply, position in enumerate(course):
        expected = single[ply] if position.side == 1 else 1 - single[ply]
        expected = {2: 0.0, 5: 1.0}.get(ply, expected)
        assert found.chances[ply] == pytest.approx(expected)
        assert found.is_proven[ply] == (expected in (0, 1) or position.is_over)
    assert (found.chances[2], found.chances[5]) == (0.0, 1.0)


@pytest.mark.parametrize("seed", range(4))
def test_points_are_what_the_mover_lost(seed: int) -> None:
    course = random_course(seed)
    is_free = [not position.capture_is_due for position in course[:-1]]
    found = value_course(course, is_free, [0] * len(course))
    for ply, position in enumerate(course[:-1]):
        fell = found.chances[ply] - found.chances[ply + 1]
        lost = max(0.0, 100 * (fell if position.side == 1 else -fell))
        is_sure = found.is_proven[ply] or found.is_proven[ply + 1]
        if not is_free[ply] and is_sure:
            assert found.points[ply] is None
        else:
            assert found.points[ply] == pytest.approx(lost)
        if position.capture_is_due and len(position.legal_moves()) == 1 and not is_sure:
            assert found.points[ply] == pytest.approx(0)


def test_the_position_before_a_capture_that_wins_is_proven() -> None:
    start = Position.parse(SAMPLES[2].position)
    found = value_course([start], [], [0])
    assert (found.chances, found.is_proven, found.points) == ((0.0,), (True,), ())


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        (Position.start("37", "standard+written"), "written claims"),
        (LARGE, "63 rings, not for one of 128"),
    ],
)
def test_a_game_that_can_t_be_valued_says_why(start: Position, reason: str) -> None:
    with pytest.raises(SearchError, match=reason):
        value_course([start], [], [0])
