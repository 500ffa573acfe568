"""The suite in `conformance/` is what the rules say: interpreted, compiled, and in the slow model, which shares no code with them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.conformance import slow_reader
from tests.rules.slow_model import Refused, Slow, read
from zertz_db.conformance.answers import UnknownQuestion, answer_question
from zertz_db.conformance.questions import (
    Question,
    QuestionKind,
    find_question,
    find_suite,
    hash_answer,
    make_question,
    read_suite,
)
from zertz_db.conformance.write_suite import build_suite, list_cases
from zertz_db.rules import kernel
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, STANDARD_BOARDS
from zertz_db.rules.compiled import board_arrays, functions
from zertz_db.rules.position import ENDINGS, Position
from zertz_db.rules.start import rules_vector

LARGEST_SUITE = 1_000_000
SLOW = "-deep-"
"""Part of the ids of questions that take a second interpreted."""


def questions(*kinds: QuestionKind) -> list[Question]:
    return [question for question in read_suite(kinds) if SLOW not in question.id]


@pytest.mark.parametrize("kind", QuestionKind)
def test_answers_are_those_of_the_interpreted_rules(kind: QuestionKind) -> None:
    for question in questions(kind):
        assert (
            make_question(question.id, kind, question.inputs, answer_question({"kind": kind, **question.inputs}))
            == question
        )


@pytest.mark.long
def test_the_script_writes_the_committed_files() -> None:
    for kind, found in build_suite().items():
        text = "".join(f"{question.to_line()}\n" for question in found)
        assert (find_suite() / f"{kind}.jsonl").read_text("utf-8") == text


def test_the_script_asks_the_committed_questions() -> None:
    cases = [(case.kind, case.inputs) for case in list_cases()]
    stored = [(question.kind, question.inputs) for question in read_suite()]
    assert sorted(cases, key=lambda case: tuple(QuestionKind).index(case[0])) == stored


def test_the_suite_is_small_and_has_every_board_and_rule_set() -> None:
    suite = read_suite()
    assert sum(file.stat().st_size for file in find_suite().rglob("*") if file.is_file()) < LARGEST_SUITE
    assert len({question.id for question in suite}) == len(suite)
    moves = {
        tuple(question.inputs["position"].split()[:2]) for question in suite if question.kind is QuestionKind.MOVES
    }
    for board in (*STANDARD_BOARDS, "custom"):
        assert {rules for name, rules in moves if name == board} >= {
            "standard",
            "blitz",
            "standard+tournament",
            "blitz+written",
        }


def test_every_answer_occurs() -> None:
    def values(kind: QuestionKind, name: str) -> set[Any]:
        return {str(question.answer[name]) for question in read_suite([kind])}

    assert values(QuestionKind.ENDING, "ending") == {"set", "board-filled", "both-lose", "no-move"}
    assert values(QuestionKind.RECORD, "verdict") == {"verified", "unfinished", "illegal", "unreadable"}
    assert values(QuestionKind.RECORD, "result") == {"1-0", "0-1", "1/2-1/2", "0-0", "None"}
    assert values(QuestionKind.MOVES, "turn") == {"placement", "capture", "pass"}
    assert values(QuestionKind.POSITION, "valid") == {"True", "False"}


# The slow model


def play_slowly(question: Question) -> tuple[int, Slow]:
    model = read(question.inputs["position"])
    for number, move in enumerate(question.inputs["moves"]):
        try:
            model = model.play(move)
        except Refused:
            return number, model
    return len(question.inputs["moves"]), model


def test_the_slow_model_lists_the_same_moves() -> None:
    for question in questions(QuestionKind.MOVES):
        legal = read(question.inputs["position"]).legal()
        assert question.accepts({"turn": question.answer["turn"], "count": len(legal), "moves": list(legal)}), question


def test_the_slow_model_plays_the_same_moves() -> None:
    for question in questions(QuestionKind.PLAY):
        legal, after = play_slowly(question)
        assert (legal, after.text()) == (question.answer["legal"], question.answer["position"]), question


def test_the_slow_model_ends_games_equally() -> None:
    for question in questions(QuestionKind.ENDING):
        _, after = play_slowly(question)
        expected = question.answer
        assert (after.ending, after.winner, after.sets) == (expected["ending"], expected["winner"], {*expected["sets"]})


def count_slowly(model: Slow, depth: int) -> int:
    legal = model.legal()
    return len(legal) if depth == 1 else sum(count_slowly(model.play(move), depth - 1) for move in legal)


def test_the_slow_model_counts_the_same_games() -> None:
    few = [question for question in questions(QuestionKind.PERFT) if question.answer["count"] <= 300]
    assert len(few) > 20
    for question in few:
        assert count_slowly(read(question.inputs["position"]), question.inputs["depth"]) == question.answer["count"]


def test_the_slow_reader_counts_the_same_moves() -> None:
    for question in questions(QuestionKind.COUNTS)[::4]:
        assert slow_reader.count(question.inputs["record"]) == question.answer["counts"], question


def test_the_slow_reader_judges_records_equally() -> None:
    found = questions(QuestionKind.RECORD)
    for question in (*found[:27], *found[27::3]):  # those made by hand, and some of the whole games
        assert slow_reader.judge(question.inputs["record"]) == question.answer, question


def test_the_slow_reader_computes_the_same_ids() -> None:
    for question in questions(QuestionKind.GAME_ID):
        assert slow_reader.identify(question.inputs["record"]) == question.answer["game_id"], question


# The compiled rules


@pytest.fixture
def compiled() -> SimpleNamespace:
    return functions()


def compilable(*kinds: QuestionKind) -> list[Question]:
    """Return the questions about boards that the compiled rules can take."""
    found = read_suite(kinds)
    return [one for one in found if len(Position.parse(one.inputs["position"]).board.rings) <= LARGEST_COMPILED_BOARD]


def arrays_of(position: Position) -> tuple[Any, Any, Any]:
    vectors = (rules_vector(position.rules), position.state)
    return (board_arrays(position.board), *(np.array(vector, np.int64) for vector in vectors))


def test_the_compiled_rules_count_the_same(compiled: SimpleNamespace) -> None:
    for question in compilable(QuestionKind.PERFT, QuestionKind.MOVES):
        tables, rules, state = arrays_of(Position.parse(question.inputs["position"]))
        count = compiled.perft(tables, rules, state, question.inputs.get("depth", 1), -1)
        assert count == question.answer["count"], question


def test_the_compiled_rules_play_the_same(compiled: SimpleNamespace) -> None:
    for question in compilable(QuestionKind.PLAY, QuestionKind.ENDING):
        position = Position.parse(question.inputs["position"])
        tables, rules, state = arrays_of(position)
        for move in question.answer.get("moves", question.inputs["moves"]):
            code = np.array(position.encode(position.move(move)), np.int64)
            assert compiled.play(tables, rules, state, code, 0, len(code)) == kernel.FINE
            position = Position(position.board, position.rules, tuple(state.tolist()))
        if question.kind is QuestionKind.PLAY:
            assert str(position) == question.answer["position"]
        else:
            assert ENDINGS[int(state[kernel.ENDING])] == question.answer["ending"]


# Questions and hashes


@pytest.mark.parametrize(
    ("kind", "answer", "other", "is_equal"),
    [
        (QuestionKind.MOVES, {"count": 2, "moves": ["a", "b"]}, {"moves": ["b", "a"], "count": 2}, True),
        (QuestionKind.MOVES, {"count": 2, "moves": ["a", "b"]}, {"moves": ["a", "a"], "count": 2}, False),
        (QuestionKind.PLAY, {"moves": ["a", "b"]}, {"moves": ["b", "a"]}, False),
        (QuestionKind.PERFT, {"count": 1}, {"count": 1.0}, False),
        (QuestionKind.PERFT, {"count": 1}, {"count": True}, False),
        (QuestionKind.POSITION, {"position": "Ž"}, {"position": "\u017d"}, True),
    ],
)
def test_hashes_compare_answers(
    kind: QuestionKind, answer: dict[str, Any], other: dict[str, Any], is_equal: bool
) -> None:
    assert (hash_answer(kind, answer) == hash_answer(kind, other)) is is_equal


def test_a_long_list_is_in_the_hash_only() -> None:
    question = find_question("moves-37-standard-1")
    answer = answer_question({"kind": "moves", **question.inputs})
    assert "moves" not in question.answer
    assert question.accepts(answer)
    assert not question.accepts({**answer, "moves": answer["moves"][1:]})
    assert not question.accepts({key: value for key, value in answer.items() if key != "moves"})


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({}, "no questions are of the kind None; valid: position, moves"),
        ({"kind": "perft", "position": "37"}, r"needs depth \(int\)"),
        ({"kind": "moves", "position": 37}, r"needs position \(str\)"),
        ({"kind": "record", "record": ""}, "this text has 0"),
    ],
)
def test_a_wrong_question_is_an_error(question: dict[str, Any], message: str) -> None:
    with pytest.raises(UnknownQuestion, match=message):
        answer_question(question)
