"""`zertz conformance`: questions are listed and shown, programs are asked, and the exit status states the outcome."""

from __future__ import annotations

import io
import json
import shlex
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conformance.programs import write_program
from zertz_db.conformance.questions import QuestionKind, find_suite, read_suite

ONLY = ("--kind", "perft", "--only", "perft-37-standard-1")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "none"


def test_questions_are_listed_by_kind(run: Run) -> None:
    status, out, error = run("conformance", "list", "--kind", "perft", "--kind", "counts")
    assert (status, out.split()) == (
        0,
        [question.id for question in read_suite([QuestionKind.PERFT, QuestionKind.COUNTS])],
    )
    assert error == f"the suite is in {find_suite()}\n"


def test_a_question_is_shown_with_its_answer(run: Run) -> None:
    status, out, _ = run("conformance", "show", "ending-rules-1")
    question, answer, shown = (line.split(maxsplit=1)[1] for line in out.splitlines())
    assert (status, json.loads(question)["moves"], json.loads(answer)["sets"]) == (0, ["x a1Wa3"], ["4W"])
    assert shown == next(one.hash for one in read_suite() if one.id == "ending-rules-1")


@pytest.mark.parametrize(
    ("act", "status", "lines"),
    [
        ("pass", 0, ["perft                 1            0            0            0"]),
        ("answer['count'] = 7", 1, ["perft-37-standard-1", '  expected  {"count": 1944}', '  got       {"count": 7}']),
        ("sys.exit('no memory')", 1, ["  got       the program has ended, with status 1: no memory"]),
        ("answer = {'id': question['id'], 'unsupported': True}", 1, []),
    ],
)
def test_a_program_is_asked(act: str, status: int, lines: list[str], run: Run, tmp_path: Path) -> None:
    ended, out, _ = run("conformance", "run", *ONLY, "--", *write_program(tmp_path, act))
    assert ended == status
    assert {*lines} <= {*out.splitlines()}


def test_a_report_for_programs(run: Run, tmp_path: Path) -> None:
    status, out, _ = run(
        "conformance", "run", *ONLY, "--format", "json", "--", *write_program(tmp_path, "answer['count'] = 7")
    )
    report = json.loads(out)
    assert (status, report["passed"], report["questions"][0]["got"]) == (1, False, {"count": 7})
    assert report["kinds"][-1] == {"kind": "all", "passed": 0, "failed": 1, "unsupported": 0, "unasked": 0}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("show nothing", "no question has the id 'nothing'; zertz conformance list prints all ids"),
        ("list --only nothing", "no question begins with 'nothing'; zertz conformance list prints all ids"),
        ("run -- nothing-here", "nothing-here can't be started"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: str, message: str, run: Run) -> None:
    status, _, error = run("conformance", *shlex.split(arguments))
    assert status == 2
    assert message in error


def test_questions_on_standard_input_are_answered(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    [question] = [one for one in read_suite() if one.id == "ending-rules-1"]
    monkeypatch.setattr(
        sys, "stdin", io.StringIO(f"{question.to_request()}\n\nno JSON\n[]\n" + '{"id": 1, "kind": "moves"}\n')
    )
    status, out, _ = run("conformance", "serve")
    answer, *errors = map(json.loads, out.splitlines())
    assert (status, answer) == (0, {"id": question.id, **question.answer})
    assert [error["id"] for error in errors] == [None, None, 1]
    assert all(error["error"] for error in errors)
