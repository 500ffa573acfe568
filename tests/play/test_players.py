"""The players' choices."""

from __future__ import annotations

import pytest

from zertz_db.play.moves import Game, list_captures, random_move
from zertz_db.play.players import PLAYERS, Player, choose_greedily, count_missing_marbles
from zertz_db.play.seeded_random import Dice
from zertz_db.rules import kernel
from zertz_db.rules.position import Position
from zertz_db.rules.start import rules_vector

FOUR_CAPTURES = "37 standard oooo/ooWoo/oooGB./ooooooo/oooGoo/oWooo/oooo 4/6/9 0/0/0 0/0/0 1"
WIN_BY_A_CLAIM = "37 standard ooGo/...oo/oooooo/ooooooo/oooooo/ooooo/oooo 2/7/10 3/0/0 1/0/0 1"
"""Filling or cutting off with a white marble wins: a1 is connected with a2 alone."""
NOTHING_TO_PLACE = "37 standard WWWW/GGGGB/BBB.../B....../o...../...../.... 0/0/0 0/0/0 2/4/5 1"


def game(position: Position) -> Game:
    return Game(position.board.tables, rules_vector(position.rules), position.state)


def chosen(player: Player, position: str, seed: int = 0) -> Position:
    """Return the position after the player's move, which must be legal."""
    start = Position.parse(position)
    move = player(game(start), Dice(str(seed)))
    state = start.state
    assert kernel.play(start.board.tables, rules_vector(start.rules), state, move, 0, len(move)) == kernel.FINE
    return Position(start.board, start.rules, tuple(state))


def test_captures_are_those_of_the_position() -> None:
    start = Position.parse(FOUR_CAPTURES)
    assert sorted(list_captures(game(start))) == sorted(start.encode(move) for move in start.legal_moves())


@pytest.mark.parametrize("player", PLAYERS.values())
def test_every_capture_is_chosen_sooner_or_later(player: Player) -> None:
    start = Position.parse(FOUR_CAPTURES)
    after = {chosen(player, FOUR_CAPTURES, seed).text for seed in range(60)}
    possible = {start.play(move).text for move in start.legal_moves()}
    assert after <= possible
    if player is random_move:
        assert after == possible


def test_the_random_player_places_every_colour_on_every_ring_and_removes_every_free_one() -> None:
    start = Position.parse("custom standard a0:oo/b-1:ooo/c0:oo 6/8/10 0/0/0 0/0/0 1")
    after = {chosen(random_move, start.text, seed).text for seed in range(2000)}
    assert after == {start.play(move).text for move in start.legal_moves()}


@pytest.mark.parametrize("player", PLAYERS.values())
def test_a_player_without_a_marble_passes(player: Player) -> None:
    assert chosen(player, NOTHING_TO_PLACE).passes == 1


def test_under_written_claims_the_random_player_claims_some_groups_and_declines_others() -> None:
    nearly_cut_off = "37 standard+written W.../o..../oooooo/ooooooo/oooooo/ooooo/oooo 5/8/10 0/0/0 0/0/0 1"
    claims = {len(chosen(random_move, nearly_cut_off, seed).claimed) > 0 for seed in range(300)}
    assert claims == {True, False}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    "position", [WIN_BY_A_CLAIM, "37 standard oooo/ooooo/oooooo/ooWGooo/oooBoo/ooooo/oooo 5/3/9 0/4/0 0/0/0 1"]
)
def test_the_greedy_player_wins_at_once(position: str, seed: int) -> None:
    after = chosen(choose_greedily, position, seed)
    assert (after.ending, after.winner) == ("set", 1)


@pytest.mark.parametrize("seed", range(10))
def test_the_greedy_player_leaves_no_winning_capture_where_it_can(seed: int) -> None:
    after = chosen(choose_greedily, "37 standard oooo/ooooo/oooooo/oooWooo/oooooo/ooooo/oooo 3/4/8 0/0/0 2/4/2 1", seed)
    assert all(after.play(reply).winner != 2 for reply in after.legal_moves() if reply.jumps)


@pytest.mark.parametrize("racks", ["1/1/1 1/0/0 3/0/0 1", "1/1/1 3/0/0 1/0/0 2"])
def test_the_greedy_player_of_either_side_takes_the_marble_it_needs_if_no_answer_harms(racks: str) -> None:
    after = chosen(choose_greedily, f"37 standard oooo/ooooo/ooooBo/oooGooo/oooWoo/ooooW/oBoo {racks}")
    assert "2/0/0" in after.text.split()


@pytest.mark.parametrize(
    ("rules", "held", "missing"),
    [
        ("standard", "0/0/0", 4),
        ("standard", "3/0/0", 1),
        ("standard", "2/2/2", 2),
        ("standard", "0/0/4", 2),
        ("standard", "3/3/2", 1),
        ("blitz", "0/0/0", 3),
        ("blitz", "1/1/1", 2),
    ],
)
def test_lacking_is_what_the_nearest_set_still_needs(rules: str, held: str, missing: int) -> None:
    position = Position.parse(f"37 {rules} oooo/ooooo/oooooo/ooooooo/oooooo/ooooo/oooo 0/0/0 {held} 0/0/0 1")
    assert count_missing_marbles(rules_vector(position.rules), position.state, 0) == missing
