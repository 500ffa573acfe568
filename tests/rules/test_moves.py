"""Legal moves of a position: against the slow model of the rules, and the particulars of each kind of turn."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings

import zertz_db
from tests.rules.slow_model import Slow, read
from tests.rules.strategies import Game, games, small_positions
from zertz_db.rules import moves
from zertz_db.rules.errors import PositionError
from zertz_db.rules.moves import Choice, Moves, list_moves
from zertz_db.rules.position import Position

FULL = "6/8/10 0/0/0 0/0/0 1"
WITHOUT_CLAIM = ("board-filled", "both-lose")
"""Endings by a placement that leaves nothing to claim."""


def without_claim(notation: str) -> str:
    return notation if notation.startswith("x ") else notation.partition(" x ")[0]


def taken(choice: Choice, before: Slow, after: Slow) -> list[int]:
    """Return the marbles that the mover gains by the move, without those he has spent."""
    mine = [after.captures[before.side - 1][colour] - before.mine[colour] for colour in "WGB"]
    if choice.move.colour and not any(before.pool.values()):
        mine["WGB".index(choice.move.colour)] += 1
    return mine


def claimable(before: Slow, choice: Choice) -> set[str]:
    """Return the groups that a placement fills, and that it may claim under written claims."""
    unclaimed = before.play(without_claim(choice.notation))
    full_before = before.full_groups()
    return set().union(*(group for group in unclaimed.full_groups() if group not in full_before))


@settings(deadline=None, max_examples=60)
@given(games(small_positions()))
def test_moves_and_what_they_bring_about_are_those_of_the_slow_model(game: Game) -> None:
    for position in {game.positions[0], game.positions[-1]}:
        if position.is_over:
            assert list_moves(position).choices == ()
            continue
        slow, found = read(position.text), list_moves(position)
        assert {without_claim(choice.notation) for choice in found.choices} == slow.legal()
        assert len(found.choices) == len(slow.legal())
        for choice in found.choices[:: 1 + len(found.choices) // 40]:
            after = slow.play(choice.notation)
            assert {*choice.claimed} == after.claimed
            assert (choice.ending, {*choice.winning_sets}) == (after.ending, after.sets)
            assert choice.forces == (after.ending is None and bool(after.captures_due()))
            assert list(choice.taken) == taken(choice, slow, after)
            if position.rules.written_claims and choice.move.colour and choice.ending not in WITHOUT_CLAIM:
                assert {*choice.claimed} >= claimable(slow, choice)


@settings(deadline=None, max_examples=60)
@given(games(small_positions()))
def test_the_sums_are_those_of_the_moves(game: Game) -> None:
    found = list_moves(game.positions[-1])
    assert sum(found.by_colour.values()) == (len(found.choices) if found.kind == "placement" else 0)
    assert sum(claim.placements for claim in found.claims) == sum(bool(choice.claimed) for choice in found.choices)
    assert all(len(one.rings) >= len(other.rings) for one, other in pairwise(found.claims))
    assert found.forcing == sum(choice.forces for choice in found.choices)
    assert bool(found.hops) == (found.kind == "capture")
    assert {hop.ring for hop in found.hops} == {choice.move.ring for choice in found.choices if found.hops}
    assert found.reason.startswith(("the game is over", f"player {found.position.side} "))
    assert json.loads(json.dumps(found.as_json()))["count"] == len(found.choices)


@pytest.mark.parametrize(
    ("position", "line", "kind", "reason"),
    [
        (f"custom standard a0:ooo {FULL}", [], "placement",
         "player 1 can capture nothing, so he places a marble from the pool and removes a free ring"),
        ("custom standard a0:ooo 0/0/0 0/0/0 1/0/0 2", [], "placement",
         "player 2 can capture nothing, so he places one of his captures, since the pool is empty, and removes a free ring"),
        (f"custom standard a-1:WG/b-2:BoW/c-1:GB {FULL}", [], "placement",
         "player 1 can capture nothing, so he places a marble from the pool and removes no ring, since none is free"),
        (f"custom standard a0:WGo {FULL}", [], "capture", "player 1 must capture: a1 can jump over grey on a2 to a3"),
        (f"custom standard a0:oWWo/c0:oWWo/e0:oWGo {FULL}", [], "capture",
         "player 1 must capture: a2 can jump over white on a3 to a4; a3 can jump over white on a2 to a1; "
         "c2 can jump over white on c3 to c4; c3 can jump over white on c2 to c1; 2 more jumps are possible"),
        (f"custom standard+written a0:WW {FULL}", [], "pass", "player 1 passes: he can capture nothing, and no ring is vacant"),
        ("custom standard a0:o 0/0/0 0/0/0 1/0/0 1", [], "pass",
         "player 1 passes: he can capture nothing, and neither the pool nor he has a marble"),
        ("custom standard a0:oo 0/0/0 0/0/0 0/0/0 1", ["-", "-"], None,
         "the game is over: both players have passed, so it is a tie"),
        ("custom standard a0:WGo 0/0/0 0/4/0 0/0/0 1", ["x a1Ga3"], None, "the game is over: player 1 has won with 5G"),
        ("custom standard a0:o/c0:o 1/1/0 0/0/0 0/0/0 1", ["Wa1,c1"], None,
         "the game is over: player 1 has won by filling the board"),
        ("custom standard+tournament a0:ooo 1/0/0 0/0/0 0/0/0 1", ["Wa2,a1"], None,
         "the game is over: every marble is on the board and neither player has captured any, so both have lost"),
    ],
)  # fmt: skip
def test_the_reason_explains_the_kind_of_move(position: str, line: list[str], kind: str | None, reason: str) -> None:
    position_after = Position.parse(position)
    for move in line:
        position_after = position_after.play(move)
    found = list_moves(position_after)
    assert (found.kind, found.reason) == (kind, reason)


def test_missing_marbles_of_both_players_are_listed_for_every_set() -> None:
    found = list_moves("37 blitz oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 2/5/6 2/1/0 1/1/3 1")
    assert found.lacking == ({"3W": 1, "4G": 3, "5B": 5, "2each": 3}, {"3W": 2, "4G": 3, "5B": 2, "2each": 2})


@pytest.mark.parametrize(
    ("rules", "notations"),
    [("standard", {"Wa1,b1 x Wa1Gc1"}), ("standard+written", {"Wa1,b1 x Wa1", "Wa1,b1"})],
)
def test_written_claims_take_only_what_the_move_made_full(rules: str, notations: set[str]) -> None:
    """The group of c1 was full before: under written claims it is declined."""
    found = list_moves(f"custom {rules} a0:o/b1:o/c10:G/e0:oo 6/7/10 0/0/0 0/0/0 1")
    assert {choice.notation for choice in found.choices} & notations == {min(notations, key=lambda one: -len(one))}


def test_captures_beyond_the_most_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start("37").play("Wd4,d1").play("Bd3,a1")
    monkeypatch.setattr(moves, "MOST", 1)
    found = list_moves(position)
    assert (len(found.choices), found.is_complete) == (1, False)


@pytest.mark.parametrize("limit", [0, 1, 5])
def test_single_moves_can_be_limited(limit: int) -> None:
    found = list_moves(Position.start("61")).as_json(limit)
    assert (len(found["moves"]), found["count"]) == (limit, 4320)


def test_an_invalid_position_string_is_rejected() -> None:
    with pytest.raises(PositionError, match="a position is written"):
        list_moves("37")


def test_the_package_offers_it() -> None:
    assert (zertz_db.list_moves, zertz_db.Moves) == (list_moves, Moves)
