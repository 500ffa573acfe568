"""Write the suite: `python -m zertz_db.conformance.write_suite` replaces the JSON lines in `conformance/`.

The questions are made up (`seeded_cases`, `hand_made`); the answers are those of this project's rules.
Nothing depends on the time or on the machine.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

from zertz_db.conformance.answers import answer_question
from zertz_db.conformance.hand_made import list_hand_made_cases
from zertz_db.conformance.questions import Question, QuestionKind, find_suite, make_question
from zertz_db.conformance.seeded_cases import Case, list_seeded_cases


def list_cases() -> list[Case]:
    """Return all questions without their answers, each once."""
    found: dict[str, Case] = {}
    for case in (*list_hand_made_cases(), *list_seeded_cases()):
        found.setdefault(f"{case.kind} {case.inputs}", case)
    return list(found.values())


def build_suite() -> dict[QuestionKind, list[Question]]:
    """Return all questions with their answers, by kind."""
    numbers: Counter[str] = Counter()
    found: dict[QuestionKind, list[Question]] = defaultdict(list)
    for case in list_cases():
        found[case.kind].append(_answer(case, numbers))
    return {kind: found[kind] for kind in QuestionKind}


def _answer(case: Case, numbers: Counter[str]) -> Question:
    stem = f"{case.kind}-{case.group}"
    numbers[stem] += 1
    answer = answer_question({"kind": case.kind, **case.inputs})
    return make_question(f"{stem}-{numbers[stem]}", case.kind, case.inputs, answer)


def write_files(folder: Path) -> None:
    """Write a file of JSON lines for each kind of question."""
    for kind, questions in build_suite().items():
        text = "".join(f"{question.to_line()}\n" for question in questions)
        (folder / f"{kind}.jsonl").write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    write_files(find_suite())
