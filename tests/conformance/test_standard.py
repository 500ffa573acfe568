"""The examples of the standard have the answers that it shows, and it names every kind, key and rule set."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from zertz_db.conformance.answers import answer_question
from zertz_db.conformance.questions import QuestionKind, find_suite, read_suite
from zertz_db.rules.board import STANDARD_BOARDS, standard_board

TEXT = (find_suite() / "standard.md").read_text("utf-8")
EXAMPLES = re.findall(r"```json\n(.+)\n(.+)\n```", TEXT)


@pytest.mark.parametrize(("question", "answer"), EXAMPLES)
def test_an_example_is_right(question: str, answer: str) -> None:
    asked = json.loads(question)
    assert {"id": asked["id"], **answer_question(asked)} == json.loads(answer)


def test_every_kind_has_an_example() -> None:
    assert {json.loads(question)["kind"] for question, _ in EXAMPLES} == set(QuestionKind)


def test_every_key_of_an_answer_is_explained() -> None:
    keys = {key for question in read_suite() for key in (*question.answer, *question.inputs)}
    assert {key for key in keys if f"`{key}`" not in TEXT and f'"{key}"' not in TEXT} == set()


@pytest.mark.parametrize("name", STANDARD_BOARDS)
def test_the_table_of_boards_is_right(name: str) -> None:
    [(lengths, heights)] = re.findall(rf"^\| {name} \| ([0-9 ]+) \| (.+) \|$", TEXT, re.MULTILINE)
    numbers = [int(length) for length in lengths.split()]
    bottoms = (
        [1 - length for length in numbers] if heights == "1 - length" else [int(height) for height in heights.split()]
    )
    columns = standard_board(name).columns
    assert [(column.length, column.bottom) for column in columns] == list(zip(numbers, bottoms, strict=True))


def test_the_guide_states_the_number_of_questions() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "conformance.md").read_text("utf-8")
    assert f"{len(read_suite()):,} questions" in guide
    assert {kind for kind in QuestionKind if f"| `{kind}` |" not in guide} == set()
