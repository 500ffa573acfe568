"""A move judged within limits: what it keeps, what it allows, and what was better."""

from __future__ import annotations

from random import Random

import pytest

from tests.reviewed import MOVES, START
from tests.tactics.samples import SAMPLES, late_positions
from tests.tactics.test_hostile import EMPTY, large_board
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.position import Position
from zertz_db.tactics import judge_ply, solve
from zertz_db.tactics.bounded_judgement import MAX_NODES, MAX_NODES_INTERPRETED, Judgement, ask_judgement, judge
from zertz_db.tactics.limits import SearchError

NODES = 2_000


def judged(position: str | Position, move: str, depth: int = 5) -> Judgement:
    return judge(ask_judgement(position, move, depth, NODES))


@pytest.mark.parametrize(
    ("position", "move", "verdict", "better"),
    [
        (
            START,
            MOVES[0],
            f"{MOVES[0]} lets the forced win in 3 plies go and allows the opponent a forced win in 3 plies.",
            "Bd6",
        ),
        (START, "Bd6,a1", "Bd6,a1 keeps the forced win in 3 plies.", None),
        (SAMPLES[0].position, "x g3Be3", "x g3Be3 keeps the forced win in 3 plies.", None),
        (
            f"37 standard {EMPTY} 6/8/10 0/0/0 0/0/0 1",
            "Wd4,d1",
            "No forced win was found before or after Wd4,d1, within 5 plies and 2,000 nodes.",
            None,
        ),
        (
            "37 standard ..../...../....../ooWWo../....../...../.... 6/8/10 3/0/0 0/0/0 1",
            "x d3Wd5",
            "x d3Wd5 wins.",
            None,
        ),
    ],
)
def test_a_judgement_is_a_sentence_with_a_better_move(
    position: str, move: str, verdict: str, better: str | None
) -> None:
    found = judged(position, move)
    assert found.verdict == verdict
    assert (found.better or "").startswith(better or "")
    assert (found.better is None) == (better is None)


def test_a_judgement_agrees_with_the_solver_before_and_after_the_move() -> None:
    chance = Random(5)  # noqa: S311
    for position in late_positions(5, 8, "37 48", "standard blitz", 3):
        move = chance.choice(position.legal_moves())
        after = position.play(move)
        found = judged(position, str(move))
        assert found.forced == solve(position, 5, NODES).forced
        assert found.allows == (None if after.is_over else solve(after, 5, NODES).forced)
        ply = judge_ply(position, move, 5, NODES)
        assert (found.missed, found.is_blunder, found.lost_before) == (
            ply.missed,
            ply.blunder is not None,
            ply.lost_before,
        )
        if found.better is not None:
            other = judged(position, found.better)
            assert other.keeps if found.forced else not other.allows
        assert found.as_json()["verdict"] == found.verdict


def test_a_large_board_is_judged_with_fewer_nodes() -> None:
    position = f"custom standard {large_board(lambda _ring: 'o')} 6/8/10 0/0/0 0/0/0 1"
    move = str(Position.parse(position).legal_moves()[0])
    assert judge(ask_judgement(position, move, 3, MAX_NODES)).nodes == MAX_NODES_INTERPRETED


@pytest.mark.parametrize(
    ("move", "depth", "nodes", "error", "message"),
    [
        ("Bd6,a1", 7, MAX_NODES + 1, SearchError, "at most 50,000 nodes"),
        ("Bd6,a1", 4, 100, SearchError, "an odd number of plies"),
        ("Bd6,a1", 13, 100, SearchError, "at most 11 plies"),
        ("Bz9", 5, 100, IllegalMove, "is not a move"),
    ],
)
def test_what_can_not_be_judged_is_a_sentence(
    move: str, depth: int, nodes: int, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        ask_judgement(START, move, depth, nodes)
