"""The alpha-beta search against plain minimax, and its limits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.engine.slow_minimax import WIN, TooLarge, slow_value
from tests.rules.strategies import small_positions
from zertz_db.engine import alpha_beta, candidates
from zertz_db.engine.alpha_beta import DONE, PAUSED, SPENT, TRIED, start_iteration
from zertz_db.engine.compiled_engine import Means, open_means
from zertz_db.engine.evaluation import evaluate, make_weights
from zertz_db.rules.position import Position
from zertz_db.rules.start import rules_vector

WEIGHTS = make_weights()
MANY = 10**6


def automatic(position: Position) -> Position:
    rules = replace(position.rules, written_claims=False)
    return Position(position.board, rules, tuple(position.state))


def values(means: Means, position: Position, depth: int, margin: int) -> list[int]:
    """Return the values of all first moves, as far as the margin makes them exact."""
    count = means.start(position.state, MANY)
    start_iteration(means.work, depth, margin)
    assert means.run(MANY) == DONE
    assert means.work.counters[TRIED] == count
    return [int(value) for value in means.scores[0][:count]]


@settings(max_examples=60, deadline=None)
@given(small_positions(), st.integers(1, 2))
def test_values_are_those_of_plain_minimax(position: Position, depth: int) -> None:
    position = automatic(position)
    assume(not position.is_over)
    try:
        expected = slow_value(position, depth, WEIGHTS, [3000])
    except TooLarge:
        assume(False)
    with pytest.MonkeyPatch.context() as patch:  # all removals, of which the search takes some for all
        patch.setattr(alpha_beta, "list_candidates", lambda t, w, p, _: candidates.list_candidates(t, w, p, 1))
        means = open_means(position.board, position.rules, MANY, interpreted=True)
        found = max(values(means, position, depth, 0))
        wide = max(values(means, position, depth, 2 * WIN))
    assert found == wide == expected


@settings(max_examples=80, deadline=None)
@given(small_positions())
def test_the_evaluation_is_a_difference_of_both_players(position: Position) -> None:
    rules, state = rules_vector(position.rules), position.state
    state[alpha_beta.SIDE] = 0
    mine = evaluate(rules, WEIGHTS, state)
    state[alpha_beta.SIDE] = 1
    assert mine + evaluate(rules, WEIGHTS, state) == 2 * WEIGHTS[0]


def test_a_paused_search_goes_on_to_the_same_values() -> None:
    position = Position.start("37")
    means = open_means(position.board, position.rules, MANY)
    whole = values(means, position, 1, 1)
    means = open_means(position.board, position.rules, MANY)
    means.start(position.state, MANY)
    start_iteration(means.work, 1, 1)
    pauses = 0
    while means.run(100) == PAUSED:
        pauses += 1
    assert pauses > 10
    assert means.scores[0][: len(whole)].tolist() == whole


def test_the_limit_of_nodes_ends_a_search() -> None:
    position = Position.start("37")
    means = open_means(position.board, position.rules, MANY)
    count = means.start(position.state, 500)
    start_iteration(means.work, 1, 0)
    assert means.run(MANY) == SPENT
    assert 0 < means.work.counters[TRIED] < count
