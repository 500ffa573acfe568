"""Forced wins: samples, a slow search and another algorithm, every proof played out, refutations."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.rules.strategies import small_positions
from tests.tactics.proof_numbers import proves_win
from tests.tactics.samples import SAMPLES, Sample, late_positions, random_game
from tests.tactics.slow_search import is_forcing, shortest_win
from zertz_db.rules import kernel
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.position import Position
from zertz_db.tactics import refute, solve
from zertz_db.tactics.move_classes import class_of

RULES = "standard blitz standard+tournament"
BOARDS = " ".join(STANDARD_BOARDS)


def confirm(position: Position, plies: int) -> int:
    """Play the solver's winning move against every defence until the game is won; return the number of won games."""
    solution = solve(position, plies)
    assert solution.forced is not None
    assert solution.forced <= plies
    move = position.move(solution.winning[0].example)
    after = position.play(move)
    if after.is_over:
        assert after.winner == position.side
        return 1
    assert is_forcing(move, after)
    games = 0
    for defence in after.legal_moves():
        reply = after.play(defence)
        if reply.is_over:
            assert reply.winner == position.side
        else:
            games += confirm(reply, solution.forced - 2)
    return games


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.plies} plies, {sample.position[:12]}")
def test_samples_have_their_length_and_their_winning_moves(sample: Sample) -> None:
    solution = solve(sample.position, sample.plies + 2)
    assert (solution.forced, solution.complete_to) == (sample.plies, sample.plies)
    assert tuple(str(winning.kind) for winning in solution.winning) == sample.winning
    assert solution.winning_is_complete
    assert solution.is_only_move == (len(sample.winning) == 1)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.plies} plies, {sample.position[:12]}")
def test_the_line_is_legal_has_the_full_length_and_wins(sample: Sample) -> None:
    start = position = Position.parse(sample.position)
    solution = solve(position, sample.plies)
    assert solution.line_is_whole
    assert len(solution.line) == sample.plies
    for move in solution.line:
        position = position.play(move)
    assert position.winner == start.side


@pytest.mark.parametrize("sample", SAMPLES[:-1], ids=lambda sample: f"{sample.plies} plies, {sample.position[:12]}")
def test_every_defence_of_a_sample_loses(sample: Sample) -> None:
    assert confirm(Position.parse(sample.position), sample.plies) >= 1


def test_wins_of_one_ply_agree_with_a_slow_search() -> None:
    lengths = [(shortest_win(at, 1), solve(at, 1)) for at in late_positions(11, 20, BOARDS, RULES, 3)]
    assert [slow or None for slow, _ in lengths] == [solution.forced for _, solution in lengths]
    assert all(solution.complete_to == 1 for _, solution in lengths)
    assert {slow for slow, _ in lengths} == {0, 1}


def test_wins_of_three_plies_agree_with_a_slow_search() -> None:
    few = [at for at in late_positions(12, 30, BOARDS, RULES, 5) if len(at.legal_moves()) <= 40]
    lengths = [(shortest_win(at, 3), solve(at, 3)) for at in few]
    assert [slow or None for slow, _ in lengths] == [solution.forced for _, solution in lengths]
    assert {slow for slow, _ in lengths} == {0, 1, 3}


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(small_positions(), st.sampled_from([1, 3]))
@pytest.mark.long
def test_small_odd_boards_agree_with_a_slow_search(position: Position, depth: int) -> None:
    assume(not position.rules.written_claims)
    assume(depth == 1 or len(position.legal_moves()) <= 40)
    solution = solve(position, depth)
    assert (solution.forced or 0, solution.complete_to) == (
        shortest_win(position, depth),
        solution.forced or depth,
    )


def test_proof_numbers_agree() -> None:
    found = {True: 0, False: 0}
    for position in late_positions(13, 5, "37 48", RULES, 4):
        if len(position.legal_moves()) > 25:
            continue
        for plies in (3, 5):
            proven = proves_win(position, plies, expansions=30)
            if proven is not None:
                assert (solve(position, plies).forced is not None) == proven, position.text
                found[proven] += 1
    assert min(found.values()) >= 3


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["37", "44", "61"]), st.integers(0, 11))
def test_a_turned_image_has_the_same_answer(seed: int, board: str, turn: int) -> None:
    position = random_game(Random(seed), Position.start(board))[-2]  # noqa: S311
    turned = turn_position(position, turn)
    answers = [solve(at, 3) for at in (position, turned)]
    assert answers[0].forced == answers[1].forced
    assert answers[0].complete_to == answers[1].complete_to
    assert len(answers[0].winning) == len(answers[1].winning)
    assert len(answers[0].line) == len(answers[1].line)


def turn_position(position: Position, turn: int) -> Position:
    """Return the image of a position under one of its board's symmetries."""
    images = position.board.symmetries
    image, state = images[turn % len(images)], position.state
    for place in range(kernel.RINGS, kernel.POOL):
        state[place] = sum(1 << image[ring] for ring in range(len(image)) if position.state[place] >> ring & 1)
    state[kernel.CLAIMED] = state[kernel.EDGE] = 0
    return Position(position.board, position.rules, tuple(state))


def test_slack_adds_slower_winning_moves() -> None:
    position = Position.parse("37 standard .BG./.oo../.ooB../WoWo.../..oo../.Gooo/.... 0/2/2 2/3/4 2/1/2 2")
    solution = solve(position, 3, slack=2)
    assert {str(winning.kind): winning.plies for winning in solution.winning} == {
        "Gb3": 3,
        "Bb3": 3,
        "Gf3": 5,
        "Bf3": 5,
    }
    for winning in solution.winning:
        after = position.play(winning.example)
        assert after.is_over or all(
            after.play(defence).is_over or solve(after.play(defence), winning.plies - 2).forced
            for defence in after.legal_moves()
        )


@pytest.mark.parametrize(
    "sample", [sample for sample in SAMPLES if sample.plies == 3], ids=lambda sample: sample.position[:12]
)
@pytest.mark.long
def test_each_move_wins_or_is_refuted(sample: Sample) -> None:
    position = Position.parse(sample.position)
    for move in position.legal_moves()[::7]:
        found = refute(position, move, 3)
        assert (found.wins is not None) == (str(class_of(position, move)) in sample.winning), str(move)
        after = position.play(move)
        assert found.leaves_jump == is_forcing(move, after) or after.is_over
        for reply in found.replies:
            answer = after.play(reply.notation)
            assert answer.winner == after.side if answer.is_over else shortest_win(answer, 1) == 0
            assert reply.is_proven


def test_a_solution_is_plain_values() -> None:
    found = solve(SAMPLES[0].position, 3).as_json()
    assert found["forced"] == 3
    assert found["winning"][0]["class"] == "x g3-e3 over f3"
    assert found["winning"][0]["jumped"] == ["f3"]
    assert found["verdict"] == "forced win in 3 plies"


def test_a_search_without_a_find_states_what_was_searched() -> None:
    start = Position.start("37")
    assert solve(start, 3).verdict == "no forced win found within 3 plies, searched completely"
    hard = Position.parse(SAMPLES[-1].position)
    assert solve(hard, 7, 500).verdict == "no forced win found within 7 plies and 500 nodes; complete to 3 plies"
    assert solve(hard, 7, 1).verdict.endswith("nodes; not complete for any depth") or solve(hard, 7, 1).complete_to
