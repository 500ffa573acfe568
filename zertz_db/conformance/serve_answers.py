"""Answer questions as a program of the suite: a JSON object a line in, a JSON object a line out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from zertz_db.conformance.answers import answer_question
from zertz_db.errors import UserMistake


def answer_lines(lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Answer each line with an object that has the question's id; a question that can't be answered gets `error` and the reason."""
    for line in lines:
        if line.strip():
            write(json.dumps(_answer_line(line), ensure_ascii=False))


def _answer_line(line: str) -> dict[str, Any]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"id": None, "error": f"the question is not JSON: {error}"}
    if not isinstance(question, dict):
        return {"id": None, "error": "the question is not a JSON object"}
    try:
        return {"id": question.get("id"), **answer_question(question)}
    except UserMistake as error:
        return {"id": question.get("id"), "error": str(error)}
