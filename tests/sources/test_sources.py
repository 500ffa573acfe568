"""Each sentence of five published texts that states a rule, form, variant or example, with the right answer."""

from __future__ import annotations

from itertools import chain

import pytest

from tests.sources.table import INPUTS, POSITION_QUESTIONS, RECORD_QUESTIONS, Row, Table, answers, tables

TABLES = list(tables())
ROWS = list(chain.from_iterable(table.rows for table in TABLES))


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_sentence(row: Row) -> None:
    assert answers(row) == row.right, row.says


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_stating_sentence_has_a_row(table: Table) -> None:
    assert len(table.places) == table.stating
    assert table.others > 0


def test_there_are_five_texts() -> None:
    assert len(TABLES) == 5


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_row_has_one_input_and_known_questions(row: Row) -> None:
    assert row.given.keys() <= INPUTS
    assert len(row.given.keys() & {"start", "position", "record"}) == 1
    known = RECORD_QUESTIONS.keys() | {"dialect"} if "record" in row.given else {"refused"}
    assert row.right
    assert row.right.keys() <= POSITION_QUESTIONS.keys() | known


def test_every_question_has_several_answers() -> None:
    right: dict[str, set[object]] = {}
    for row in ROWS:
        for question, answer in row.right.items():
            right.setdefault(question, set()).add(answer)
    assert {question for question, found in right.items() if len(found) < 2} <= {"strange"}


def test_no_row_is_there_twice_in_a_text() -> None:
    for table in TABLES:
        keys = [(row.place, sorted(row.given.items()), sorted(row.right)) for row in table.rows]
        assert [key for number, key in enumerate(keys) if key in keys[:number]] == []
