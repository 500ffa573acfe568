"""Generated games: legal, complete, and equal every time."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zertz_db.check.check_record import check
from zertz_db.parser.gipf.reader import read
from zertz_db.parser.gipf.writer import ply_text, write
from zertz_db.parser.record import Record
from zertz_db.parser.vocabulary.terms import Verdict
from zertz_db.play.generate import NoSuchPlayer, generate_games
from zertz_db.play.players import PLAYERS
from zertz_db.rules.board import STANDARD_BOARDS, Column, custom_board
from zertz_db.rules.position import Position

RULES = ("standard", "blitz", "standard+written", "blitz+written", "standard+tournament")
NOT_MEANT_FOR_THE_BOARD = {"W507", "W508"}
"""Blitz on boards other than 37, the tournament option on fewer than 48 rings."""

EXPECTED = (
    "Be4,f1 Wd6,a4 Ge2,a3 Gc1,g2 Bc2,g1 x c1Bc3 Wc5,b1 x c5We6 Gg3,e1 Bc2,c1 x c2Gc4 Gf4,a2 x e4Gg4 Gf4,d7 x "
    "g4Ge4 We3,f2 x e3Be5 x e6We4 Gb5,d1 Wc3,g4 x c4Wc2 Bd4,b4 x d4Wf4 x g3Be5 Bc4,a1 Gd3,e6 x c2Ge3"
)
EXPECTED_FACTS = ("random-3", "random-5", "2022.01.09", "1-0")


def must_be_fine(record: Record) -> None:
    """The game is verified without an error or warning, and replay had nothing to fill in that official notation writes."""
    checked = check(record)
    doubts = [finding for finding in checked.findings if finding.severity != "note"]
    assert {finding.code for finding in doubts} <= NOT_MEANT_FOR_THE_BOARD, doubts
    assert checked.verdict == Verdict.VERIFIED
    assert tuple(map(ply_text, checked.completed_plies)) == tuple(map(ply_text, record.plies))
    assert (checked.ending, checked.result) == (record.ending, record.result)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("board", STANDARD_BOARDS)
def test_games_are_verified_on_every_board_under_every_rule_set(board: str, rules: str) -> None:
    for record in generate_games(8, board, rules, seed=8):
        must_be_fine(record)
    for record in generate_games(2, board, rules, seed=8, first="greedy", second="random"):
        must_be_fine(record)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(),
    first=st.sampled_from(sorted(PLAYERS)),
    second=st.sampled_from(sorted(PLAYERS)),
    annotated=st.booleans(),
)
def test_games_are_verified_whatever_the_seed_and_read_as_they_were_written(
    seed: int, first: str, second: str, annotated: bool
) -> None:
    (record,) = generate_games(1, seed=seed, first=first, second=second, annotated=annotated)
    must_be_fine(record)
    (again,) = read(write(record))
    assert not again.remarks
    for field in (
        "player1",
        "player2",
        "event",
        "date",
        "round",
        "result",
        "ending",
        "ending_by",
        "clock",
        "board",
        "rule_set",
    ):
        assert getattr(again, field) == getattr(record, field), field
    written_plies = [(ply_text(ply), ply.clock, ply.comment) for ply in record.plies]
    assert [(ply_text(ply), ply.clock, ply.comment) for ply in again.plies] == written_plies


def test_games_from_other_starts_are_verified() -> None:
    rings = frozenset(f"{letter}{k}" for letter in "abcde" for k in range(1, 6))
    columns = tuple(Column(letter, k % 2, 5) for k, letter in enumerate("abcde"))
    handicap = Position.parse("48 standard ooooo/oooooo/ooooooo/oooooooo/ooooooo/oooooo/ooooo/oooo 5/7/9 0/0/0 1/1/1 2")
    for start in (Position.start(custom_board(columns, rings)), handicap):
        for record in generate_games(10, seed=2, start=start):
            assert record.position == start.text
            must_be_fine(record)


def test_a_seed_gives_the_same_games_on_every_machine() -> None:
    (record,) = generate_games(1, "37", "blitz", seed=1)
    plies = " ".join(map(ply_text, record.plies))
    assert plies == EXPECTED
    assert (record.player1, record.player2, record.date, record.result) == EXPECTED_FACTS


def test_the_number_of_games_does_not_change_the_games() -> None:
    assert list(islice(generate_games(1000, seed=3), 4)) == list(generate_games(4, seed=3))


def test_other_seeds_give_other_games() -> None:
    games = [record.plies for seed in range(10) for record in generate_games(3, seed=seed)]
    assert len(set(games)) == len(games)


def test_games_end_in_several_ways() -> None:
    assert {record.ending for record in generate_games(150, seed=2)} >= {"set", "resign", "time"}


def test_two_players_of_a_kind_have_two_names() -> None:
    assert all(record.player1 != record.player2 for record in generate_games(60, seed=4))


def test_clocks_of_each_player_only_go_up() -> None:
    for record in generate_games(5, seed=6, annotated=True):
        for plies in (record.plies[0::2], record.plies[1::2]):
            clocks = [ply.clock or 0 for ply in plies]
            assert clocks == sorted(set(clocks))
            assert clocks[0] > 0


def test_an_unknown_player_is_reported_with_the_valid_names() -> None:
    with pytest.raises(NoSuchPlayer, match="'clever'; there are random and greedy"):
        list(generate_games(1, first="clever"))
