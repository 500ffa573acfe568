"""Programs that answer well, badly, late or never: each question has an outcome, in time."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

import pytest

from tests.conformance.programs import write_program
from zertz_db.conformance.questions import Question, QuestionKind, find_suite, make_question, read_suite
from zertz_db.conformance.run_program import MOST_CRASHES, SuiteReport, run_suite
from zertz_db.engine.matches.line_program import ProgramFailed

RIGHT = {"count": 1944}
TOY = find_suite() / "example" / "moves.mjs"


def ask(command: list[str], count: int = 1, seconds: float = 10.0) -> SuiteReport:
    questions = [
        make_question(str(number), QuestionKind.PERFT, {"position": "", "depth": 1}, RIGHT) for number in range(count)
    ]
    return run_suite(command, questions, seconds, seconds)


def statuses(report: SuiteReport) -> list[str]:
    return [str(outcome.status) for outcome in report.outcomes]


@pytest.mark.parametrize(
    ("act", "status", "reason"),
    [
        ("pass", "passed", None),
        ("answer['nodes'] = 5", "passed", None),
        ("answer['count'] = 1943", "failed", None),
        ("answer['count'] = '1944'", "failed", None),
        ("answer = {'id': question['id']}", "failed", None),
        ("answer = {'id': question['id'], 'unsupported': True}", "unsupported", None),
        ("answer['id'] = 'another'", "failed", "the answer lacks the question's id 0"),
        ("del answer['id']", "failed", "the answer lacks the question's id 0"),
        ("answer = 1944", "failed", "the answer is not a JSON object: 1944"),
        ("print('Ready.', flush=True)", "failed", "the answer is not a JSON object: Ready."),
        ("print('[' * 50_000, flush=True)", "failed", f"the answer is not a JSON object: {'[' * 200}"),
        ("sys.exit('out of memory')", "failed", "the program has ended, with status 1: out of memory"),
        ("sys.exit(0)", "failed", "the program has ended, with status 0"),
        ("sys.stdout.close()", "failed", "the program has ended, with status 1: ValueError: I/O operation on closed file."),
    ],
)  # fmt: skip
def test_an_answer_has_an_outcome(act: str, status: str, reason: str | None, tmp_path: Path) -> None:
    [outcome] = ask(write_program(tmp_path, act)).outcomes
    assert (outcome.status, outcome.reason) == (status, reason)


def test_a_program_that_never_answers_is_asked_a_few_times(tmp_path: Path) -> None:
    begin = time.monotonic()
    report = ask([*write_program(tmp_path, "time.sleep(600)")], MOST_CRASHES + 2, seconds=0.1)
    assert statuses(report) == ["failed"] * MOST_CRASHES + ["unasked"] * 2
    assert report.outcomes[0].reason == "the program gave no answer within 0.1 s"
    assert not report.is_passed
    assert time.monotonic() - begin < 300  # it would end after 600


def test_a_program_that_does_not_read_is_killed(tmp_path: Path) -> None:
    answers = "".join(f'print(json.dumps({{"id": "{number}", "count": 1944}}), flush=True);' for number in range(4))
    file = tmp_path / "deaf.py"
    file.write_text(f"import json, time\n{answers}\ntime.sleep(600)", "utf-8")
    inputs = {"position": "o" * 50_000, "depth": 1}  # two of these fill the pipe
    questions = [make_question(str(number), QuestionKind.PERFT, inputs, RIGHT) for number in range(2)]
    report = run_suite([sys.executable, str(file)], questions, 0.5, 10.0)
    assert [(outcome.status, outcome.reason) for outcome in report.outcomes] == [
        ("passed", None),
        ("failed", "the program did not read its input"),
    ]


def test_a_crash_costs_one_question(tmp_path: Path) -> None:
    note = tmp_path / "note"
    act = f"__import__('pathlib').Path({str(note)!r}).exists() or (open({str(note)!r}, 'w').close(), sys.exit(3))"
    assert statuses(ask(write_program(tmp_path, act), 3)) == ["failed", "passed", "passed"]


def test_a_second_answer_to_an_earlier_question_is_skipped(tmp_path: Path) -> None:
    report = ask(write_program(tmp_path, "print(json.dumps({**answer, 'count': 1944}), flush=True)"), 3)
    assert statuses(report) == ["passed"] * 3


def test_a_program_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ProgramFailed, match="nothing-here can't be started"):
        ask(["nothing-here"])


def test_a_report_counts_by_kind(tmp_path: Path) -> None:
    report = ask(write_program(tmp_path, "answer['count'] -= question['id'] == '1'"), 3)
    assert [tuple(row) for row in report.tally()] == [("perft", 2, 1, 0, 0), ("all", 2, 1, 0, 0)]
    assert [row["got"] for row in report.as_json()["questions"]] == [{"count": 1943}]
    assert not report.is_passed


def some_questions() -> list[Question]:
    return [question for kind in QuestionKind for question in read_suite([kind])[:12]]


def test_our_own_program_passes() -> None:
    program = "from zertz_db.cli.main import main; import sys; sys.argv = ['zertz', 'conformance', 'serve']; main()"
    report = run_suite([sys.executable, "-c", program], some_questions())
    assert report.is_passed
    assert not report.failures


@pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")
@pytest.mark.parametrize("has_bug", [True, False])
def test_a_program_in_another_language_fails_and_passes(has_bug: bool) -> None:
    bug = ["--forget-captures"] if has_bug else []
    report = run_suite(["node", str(TOY), *bug], read_suite([QuestionKind.MOVES, QuestionKind.POSITION]))
    assert report.is_passed is not has_bug
    moves, positions, _ = report.tally()[::-1][1], report.tally()[0], None
    assert positions.unsupported
    assert bool(moves.failed) is has_bug
    assert moves.passed > 100
