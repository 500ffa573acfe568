"""Ask a program the questions of the suite, and compare its answers.

The program reads a question a line on standard input and writes an answer a line on standard output, both as JSON objects. A call returns
in time, whatever the program does: a program that is late or that crashes fails the question, and is started again for the next one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from zertz_db.conformance.questions import Question, QuestionKind
from zertz_db.engine.matches.line_program import LineProgram, ProgramFailed, make_printable

SECONDS = 10.0
"""Default time for an answer."""
START_SECONDS = 60.0
"""Default time for the first answer of a started program, which may have to load or compile much."""
MOST_CRASHES = 3
"""Number of questions in a row on which the program is late or crashes, until no more are asked."""
_LONGEST_ANSWER = 4_000_000


class Status(StrEnum):
    """What became of a question."""

    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"
    """The program states that it can't answer such questions."""
    UNASKED = "unasked"


class Outcome(NamedTuple):
    """What became of a question. got: the answer, if it is a JSON object. reason: why a question without one failed."""

    question: Question
    status: Status
    got: dict[str, Any] | None = None
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as plain values."""
        question = self.question
        return {
            "id": question.id,
            "kind": question.kind,
            "status": self.status,
            "inputs": question.inputs,
            "expected": question.answer,
            "hash": question.hash,
            "got": self.got,
            "reason": self.reason,
        }


class KindTally(NamedTuple):
    """Numbers of questions of a kind, by status."""

    kind: str
    passed: int
    failed: int
    unsupported: int
    unasked: int


@dataclass(frozen=True)
class SuiteReport:
    """The outcomes of all questions, in their order."""

    outcomes: tuple[Outcome, ...]

    @property
    def failures(self) -> list[Outcome]:
        """Return the outcomes of the questions that failed."""
        return [outcome for outcome in self.outcomes if outcome.status is Status.FAILED]

    @property
    def is_passed(self) -> bool:
        """Return whether the program answered at least one question, failed none and was asked all."""
        found = {outcome.status for outcome in self.outcomes}
        return Status.PASSED in found and not found & {Status.FAILED, Status.UNASKED}

    def tally(self) -> list[KindTally]:
        """Return the numbers of questions by kind, in the order of the suite, and their sum under the name `all`."""
        return [
            KindTally(
                kind, *(sum(self._counts(outcome, kind, status) for outcome in self.outcomes) for status in Status)
            )
            for kind in (*QuestionKind, "all")
            if any(self._counts(outcome, kind, outcome.status) for outcome in self.outcomes)
        ]

    @staticmethod
    def _counts(outcome: Outcome, kind: str, status: Status) -> bool:
        return kind in (outcome.question.kind, "all") and outcome.status is status

    def as_json(self) -> dict[str, Any]:
        """Return the tally, and every outcome that did not pass, as plain values."""
        return {
            "passed": self.is_passed,
            "kinds": [row._asdict() for row in self.tally()],
            "questions": [one.as_json() for one in self.outcomes if one.status is not Status.PASSED],
        }


def run_suite(
    command: Sequence[str],
    questions: Iterable[Question],
    seconds: float = SECONDS,
    start_seconds: float = START_SECONDS,
    tick: Callable[[int], None] = lambda _: None,
) -> SuiteReport:
    """Ask a program these questions; `tick` is called with 1 after each. Raises ProgramFailed if it can't be started."""
    asker = _Asker(command, seconds, start_seconds)
    outcomes = []
    try:
        for question in questions:
            outcomes.append(asker.ask(question))
            tick(1)
    finally:
        asker.close()
    return SuiteReport(tuple(outcomes))


class _Asker:
    """A program that is asked; it is started with its first question, and again after a failure."""

    def __init__(self, command: Sequence[str], seconds: float, start_seconds: float) -> None:
        self._command, self._seconds, self._start_seconds = command, seconds, start_seconds
        self._program: LineProgram | None = None
        self._seen_ids: set[str] = set()
        self._crashes = 0

    def ask(self, question: Question) -> Outcome:
        if self._crashes >= MOST_CRASHES:
            return Outcome(question, Status.UNASKED, reason=f"the program failed {MOST_CRASHES} times in a row")
        limit = self._seconds
        if self._program is None:
            self._program = LineProgram(self._command, _LONGEST_ANSWER, last_line=None)
            limit = max(self._seconds, self._start_seconds)
        try:
            outcome = self._compare(question, self._read_answer(self._program, question, limit))
        except ProgramFailed as error:
            self._crashes += 1
            self.close()
            return Outcome(question, Status.FAILED, reason=f"the program {error}")
        self._crashes = 0
        return outcome

    def _read_answer(self, program: LineProgram, question: Question, seconds: float) -> str:
        """Return the program's next line that is not a late answer to an earlier question. Raises ProgramFailed."""
        if not program.write(question.to_request(), seconds):
            raise ProgramFailed(program.describe_end())
        for line in program.read(time.monotonic() + seconds, seconds, ProgramFailed):
            answer = _parse(line)
            if answer is None or answer.get("id") == question.id or answer.get("id") not in self._seen_ids:
                self._seen_ids.add(question.id)
                return line
        raise AssertionError("reading ends with a line or an error")

    def _compare(self, question: Question, line: str) -> Outcome:
        answer = _parse(line)
        if answer is None:
            return Outcome(question, Status.FAILED, reason=f"the answer is not a JSON object: {make_printable(line)}")
        if answer.pop("id", None) != question.id:
            return Outcome(question, Status.FAILED, answer, f"the answer lacks the question's id {question.id}")
        if answer.get("unsupported") is True:
            return Outcome(question, Status.UNSUPPORTED)
        return Outcome(question, Status.PASSED if question.accepts(answer) else Status.FAILED, answer)

    def close(self) -> None:
        if self._program is not None:
            self._program.end()
            self._program = None


def _parse(line: str) -> dict[str, Any] | None:
    """Return the JSON object of a line; None if it is not one."""
    try:
        answer = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None
