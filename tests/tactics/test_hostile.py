"""Hostile positions and limits out of range give an answer within the limits, or a sentence."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from zertz_db.errors import UserMistake
from zertz_db.rules.errors import SetHeldError
from zertz_db.rules.position import Position
from zertz_db.tactics import SearchError, judge_ply, refute, solve

COLUMNS = "abcdefghijk"
EMPTY = "oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo"


def large_board(held: Callable[[int], str]) -> str:
    """Return the layout of a board of 128 rings with the given holdings by number."""
    columns = [
        f"{letter}{number % 2}:" + "".join(held(12 * number + ring) for ring in range(12 if number < 10 else 8))
        for number, letter in enumerate(COLUMNS)
    ]
    return "/".join(columns)


def test_a_full_board_of_128_rings_has_no_move_but_passes() -> None:
    layout = large_board(lambda ring: "WGB"[ring % 3])
    solution = solve(f"custom standard {layout} 6/8/10 0/0/0 0/0/0 1", 9, 5000)
    assert (solution.forced, solution.complete_to) == (None, 9)


def test_a_board_of_128_rings_with_one_vacant_ring_is_answered_within_the_limit() -> None:
    layout = large_board(lambda ring: "o" if ring == 64 else "WGB"[ring * 7 % 3])
    solution = solve(f"custom standard {layout} 6/8/10 0/0/0 0/0/0 1", 5, 200)
    assert solution.nodes <= 202
    assert solution.forced or solution.complete_to in (1, 3, 5)


def test_endless_chains_of_jumps_are_cut_by_the_limit() -> None:
    chance = Random(5)  # noqa: S311
    layout = large_board(lambda _: chance.choice("oW"))
    solution = solve(f"custom standard {layout.replace('W', 'B', 1)} 6/8/10 0/0/0 0/0/0 1", 3, 300)
    assert solution.nodes <= 400


def test_an_empty_large_board_is_searched() -> None:
    solution = solve(f"custom standard {large_board(lambda _: 'o')} 6/8/10 3/4/2 0/0/0 1", 3, 5000)
    assert (solution.forced, solution.complete_to) == (None, 3)


def test_a_large_board_has_its_win() -> None:
    layout = large_board(lambda ring: "W" if ring in (1, 2) else "o")
    solution = solve(f"custom standard {layout} 6/8/10 3/0/0 0/0/0 2", 3, 5000)
    assert solution.forced is None
    solution = solve(f"custom standard {layout} 6/8/10 0/0/0 3/0/0 2", 3, 5000)
    assert (solution.forced, solution.line) == (1, ("x a2Wa4",))


def test_no_marbles_anywhere_end_in_passes() -> None:
    solution = solve(f"37 standard {EMPTY} 0/0/0 0/0/0 0/0/0 1", 5, 100)
    assert (solution.forced, solution.complete_to) == (None, 5)


def test_the_only_ring_is_won_by_filling_it() -> None:
    assert solve("custom standard a0:o 1/0/0 0/0/0 0/0/0 1", 1).line == ("Wa1 x Wa1",)
    assert solve("custom standard+tournament a0:o 1/0/0 0/0/0 0/0/0 1", 1).forced is None


def test_a_win_with_a_captured_marble_that_is_placed_needs_the_set_afterwards() -> None:
    isolating = "custom standard a0:oooW 0/0/0 {} 0/0/0 1"
    assert solve(isolating.format("3/0/1"), 1).forced == 1
    assert solve(isolating.format("2/0/1"), 1).forced is None


def test_a_full_group_from_the_set_up_is_claimed() -> None:
    assert solve("custom standard a0:W/c0:ooooo 0/8/10 3/0/0 0/0/0 1", 1).forced == 1
    assert solve("custom standard a0:W/c0:ooooo 0/8/10 2/0/0 0/0/0 1", 1).forced is None


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (f"37 standard {EMPTY.replace('o', 'W')} 99/99/99 0/0/0 0/0/0 1", "136 white marbles: at most 127"),
        (f"37 standard {EMPTY.replace('o', 'B', 24)} 99/99/99 0/0/5 0/0/0 1", "128 black marbles: at most 127"),
        (f"37 standard+written {EMPTY} 6/8/10 0/0/0 0/0/0 1", "written claims can't be searched"),
    ],
)
def test_what_can_not_be_searched_is_refused(position: str, message: str) -> None:
    with pytest.raises(SearchError, match=message):
        solve(position)


def test_a_position_already_won_is_refused() -> None:
    with pytest.raises(SetHeldError):
        solve(f"37 standard {EMPTY} 6/8/10 4/0/0 0/0/0 1")
    won = Position.parse("custom standard a0:WWo 6/8/10 3/0/0 0/0/0 1").play("x a1Wa3")
    for search in (solve, lambda position: refute(position, "Wa1"), lambda position: judge_ply(position, "Wa1")):
        with pytest.raises(SearchError, match="the game is over"):
            search(won)


@pytest.mark.parametrize(
    ("depth", "nodes", "message"),
    [
        (0, 100, "odd number of plies"),
        (2, 100, "odd number of plies"),
        (33, 100, "odd number of plies"),
        (-1, 100, "odd number of plies"),
        (3, 0, "limit of nodes"),
        (3, 10**11, "limit of nodes"),
    ],
)
def test_limits_out_of_range_are_refused(depth: int, nodes: int, message: str) -> None:
    with pytest.raises(UserMistake, match=message):
        solve(f"37 standard {EMPTY} 6/8/10 0/0/0 0/0/0 1", depth, nodes)


def test_a_board_of_which_every_ring_is_free_has_room_for_all_placements() -> None:
    columns = "/".join(f"{letter}0:o.o.o.o.o.o" for letter in "acegikmoq")
    position = Position.parse(f"custom standard {columns} 6/8/10 0/0/0 3/4/2 1")
    assert len(position.legal_moves()) == 3 * 54 * 53
    verdict = judge_ply(position, "Wa1,c1", 1, 1000, blunder_depth=1)
    assert verdict.lost_before
    assert verdict.nodes >= 3 * 54 * 53


def test_large_pools_are_searched() -> None:
    assert solve(f"37 standard {EMPTY} 99/99/99 3/4/2 0/0/5 1", 3, 1000).complete_to == 3
