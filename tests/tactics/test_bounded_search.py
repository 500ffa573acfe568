"""Questions of visitors: checked before they are searched, and searched within limits that are stated."""

from __future__ import annotations

import pickle

import pytest

from tests.tactics.samples import SAMPLES
from tests.tactics.test_hostile import EMPTY, large_board
from zertz_db.errors import UserMistake
from zertz_db.rules.position import Position
from zertz_db.tactics import compiled_search, refute, solve
from zertz_db.tactics.bounded_search import MAX_NODES, MAX_NODES_INTERPRETED, answer, ask

START = f"37 standard {EMPTY} 6/8/10 0/0/0 0/0/0 1"


@pytest.mark.parametrize("sample", SAMPLES[:6], ids=lambda sample: str(sample.plies))
def test_the_answer_is_that_of_the_solver(sample: tuple[str, int, tuple[str, ...]]) -> None:
    position = Position.parse(sample[0])
    move = position.legal_moves()[-1]
    found = answer(pickle.loads(pickle.dumps(ask(position, 5, 5000, move))))  # noqa: S301 - ours
    assert found.solution == solve(position, 5, 5000)
    assert found.refutation == refute(position, move, 5, 5000)
    assert found.as_json() == {
        **solve(position, 5, 5000).as_json(),
        "refutation": refute(position, move, 5, 5000).as_json(),
    }
    assert answer(ask(position, 5, 5000)).as_json() == solve(position, 5, 5000).as_json()
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - ours


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((START, 13), "at most 11 plies and 200,000 nodes are searched here"),
        ((START, 7, MAX_NODES + 1), "at most 11 plies and 200,000 nodes are searched here"),
        ((START, 2), "an odd number of plies"),
        ((START, 7, 0), "the limit of nodes"),
        ((START, 7, 10, "Wd4"), "a free ring must be removed"),
        ((START, 7, 10, "?"), "is not a move"),
        ((START.replace("6/8/10", "6/8/-1"), 7), "the pool is written as three numbers"),
        ((START.replace("6/8/10", f"6/8/{10**9}"), 7), "the pool is written as three numbers"),
        (("W" * 10**6,), "a position is written"),
        (
            ("custom standard " + "/".join(["a0:oooooooooo"] * 10**4) + " 6/8/10 0/0/0 0/0/0 1",),
            "a column is named twice",
        ),
    ],
)
def test_a_mistake_is_a_sentence_before_the_search(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(UserMistake, match=message) as raised:
        ask(*arguments)  # type: ignore[arg-type]
    assert len(str(raised.value)) < 300


def test_a_large_board_has_a_smaller_limit_for_all_that_is_searched() -> None:
    layout = large_board(lambda ring: "W" if ring in (1, 2) else "o")
    position = Position.parse(f"custom standard {layout} 0/0/5 2/2/2 2/2/2 2")
    found = answer(ask(position, 11, MAX_NODES, position.legal_moves()[0]))
    assert (found.solution.limit, found.solution.depth) == (MAX_NODES_INTERPRETED, 11)
    assert found.refutation is not None
    assert not found.refutation.replies_are_complete
    assert found.refutation.wins is None


def test_without_a_compiler_every_board_has_the_smaller_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_search, "_compiled_functions", lambda _: None)
    found = answer(ask(SAMPLES[0].position, 3, MAX_NODES))
    assert (found.solution.limit, found.solution.forced) == (MAX_NODES_INTERPRETED, 3)
    assert found.solution == solve(SAMPLES[0].position, 3, MAX_NODES_INTERPRETED)


def test_the_replies_to_a_move_have_a_limit_together() -> None:
    whole, cut = (refute(SAMPLES[1].position, "x e4Ge2", 7, 1000, total) for total in (None, 1))
    assert whole.replies_are_complete
    assert len(whole.replies) > len(cut.replies)
    assert set(cut.replies) <= set(whole.replies)
    assert (cut.replies_are_complete, cut.wins) == (False, None)
