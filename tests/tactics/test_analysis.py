"""Missed wins, blunders and only moves: against their definitions, checked by a slow search of public positions."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from tests.rules.strategies import blob, layout
from tests.tactics.samples import SAMPLES, Sample, random_game
from tests.tactics.slow_search import is_forcing, loses_by_force, shortest_win
from zertz_db.rules.errors import IllegalMove, PositionError
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.tactics import PlyVerdict, SearchError, judge_ply, judge_states
from zertz_db.tactics.move_classes import class_of
from zertz_db.tactics.ply_kernel import BLUNDER, MISSED, VERDICT_SIZE

DEPTH = 3
ENOUGH = 10**6


def small_games(seed: int, games: int) -> list[list[Position]]:
    """Return random games on small custom boards, in which the players hold some marbles."""
    chance = Random(seed)  # noqa: S311
    found: list[list[Position]] = []
    while len(found) < games:
        held = {place: chance.choice("ooooWGB") for place in sorted(blob(chance, chance.randint(9, 14)))}
        captures = "/".join(str(chance.randint(0, count)) for count in (2, 3, 4))
        try:
            start = Position.parse(f"custom blitz {layout(held)} 1/1/1 {captures} 1/1/1 1")
        except PositionError:  # a set by accident
            continue
        found.append(random_game(chance, start))
    return found


def judged_moves(seed: int, games: int) -> list[tuple[Position, Move, PlyVerdict]]:
    """Return positions with a random legal move, and the verdict on it."""
    chance = Random(seed)  # noqa: S311
    judged = []
    for game in small_games(seed, games):
        for position in game:
            move = chance.choice(position.legal_moves())
            judged.append((position, move, judge_ply(position, move, DEPTH, ENOUGH, blunder_depth=DEPTH)))
    return judged


def still_wins(before: Position, after: Position, plies: int) -> bool:
    """Return whether the player who moved wins by force within `plies` more."""
    return after.winner == before.side if after.is_over else plies > 0 and loses_by_force(after, plies)


@pytest.mark.long
def test_moves_are_judged_by_the_definitions() -> None:
    seen = dict.fromkeys(("missed", "kept", "only", "several", "blunder", "lost"), 0)
    for position, move, verdict in judged_moves(31, 30):
        after = position.play(move)
        forced = shortest_win(position, DEPTH)
        assert (verdict.forced or 0) == forced
        if forced:
            keeps = still_wins(position, after, forced - 1) or still_wins(position, after, forced + 1)
            assert verdict.keeps == keeps
            assert verdict.missed == (forced == 3 and not keeps)
            winning = {class_of(position, other) for other in position.legal_moves() if wins(position, other, forced)}
            assert verdict.only_move == (len(winning) == 1)
            seen["missed"] += verdict.missed
            seen["kept"] += bool(verdict.keeps)
            seen["only"] += bool(verdict.only_move)
            seen["several"] += not verdict.only_move
        else:
            assert not verdict.missed
        given = 0 if after.is_over else shortest_win(after, DEPTH)
        is_free = bool(move.colour) and len(position.legal_moves()) > 1
        safe = [other for other in position.legal_moves() if is_free and given and is_safe(position, other)]
        assert verdict.blunder == (given if safe else None)
        assert verdict.lost_before == (is_free and given > 0 and not safe)
        if verdict.better:
            assert is_safe(position, position.move(verdict.better))
        seen["blunder"] += verdict.blunder is not None
        seen["lost"] += verdict.lost_before
    assert min(seen.values()) >= 2, seen


def wins(position: Position, move: Move, forced: int) -> bool:
    """Return whether a move belongs to a forced win within `forced` plies."""
    after = position.play(move)
    return (after.is_over or is_forcing(move, after)) and still_wins(position, after, forced - 1)


def is_safe(position: Position, move: Move) -> bool:
    """Return whether a move gives the opponent no forced win."""
    after = position.play(move)
    return after.winner in (0, position.side) if after.is_over else not shortest_win(after, DEPTH)


def test_a_game_is_judged_like_its_plies() -> None:
    game = max(small_games(32, 20), key=len)
    moves = [next(move for move in one.legal_moves() if one.play(move) == two) for one, two in pairwise(game)]
    states = np.array([position.state for position in game], np.int64)
    follows = [1] * len(moves) + [0]
    together = judge_states(game[0].board, game[0].rules, states, follows, 5, 1000)
    for position, move, verdict in zip(game, moves, together.tolist(), strict=False):
        alone = judge_ply(position, move, 5, 1000)
        assert ((alone.blunder or 0), int(alone.missed), alone.nodes) == (verdict[BLUNDER], verdict[MISSED], verdict[2])


@pytest.mark.parametrize(
    "sample", [sample for sample in SAMPLES if sample.plies > 3], ids=lambda sample: sample.position[:12]
)
def test_samples_are_kept_by_their_winning_class_and_missed_by_others(sample: Sample) -> None:
    position = Position.parse(sample.position)
    for move in position.legal_moves():
        verdict = judge_ply(position, move, sample.plies, 20_000)
        assert verdict.forced == sample.plies
        assert verdict.only_move
        assert verdict.missed != bool(verdict.keeps)
        if str(class_of(position, move)) in sample.winning:
            assert verdict.keeps


def test_too_few_nodes_leave_a_ply_undecided() -> None:
    position = Position.parse(SAMPLES[-1].position)
    verdict = judge_ply(position, position.legal_moves()[0], 7, 1)
    assert (verdict.forced, verdict.missed, verdict.blunder, verdict.lost_before) == (None, False, None, False)


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(IllegalMove):
        judge_ply(Position.start("37"), "x d4Wd6")


@pytest.mark.parametrize(
    ("follows", "options", "message"),
    [
        ([1, 1], {}, "a 0 for the last"),
        ([0], {}, "for each state"),
        ([0, 0], {"blunder_depth": 7}, "at most that of the search"),
    ],
)
def test_contradictory_arguments_are_refused(follows: list[int], options: dict[str, int], message: str) -> None:
    start = Position.start("37")
    states = np.array([start.state, start.state], np.int64)
    with pytest.raises(SearchError, match=message):
        judge_states(start.board, start.rules, states, follows, 5, 100, **options)


def test_no_positions_have_no_verdicts() -> None:
    start = Position.start("37")
    assert judge_states(start.board, start.rules, np.zeros((0, 21), np.int64), []).shape == (0, VERDICT_SIZE)
