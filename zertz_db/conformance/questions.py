"""Read the questions of the conformance suite, and compare answers with the expected ones.

A line of the suite is an object: `id`, `kind`, the inputs of that kind (INPUTS), the expected `answer`, and the `hash` of the whole answer.
An answer with a long list of moves is stored without the list: its hash covers the list.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from zertz_db.errors import UserMistake


class QuestionKind(StrEnum):
    """Kinds of questions; each has a file in the suite."""

    POSITION = "position"
    MOVES = "moves"
    PLAY = "play"
    ENDING = "ending"
    RECORD = "record"
    COUNTS = "counts"
    GAME_ID = "game-id"
    PERFT = "perft"


INPUTS: dict[QuestionKind, tuple[str, ...]] = {
    QuestionKind.POSITION: ("text",),
    QuestionKind.MOVES: ("position",),
    QuestionKind.PLAY: ("position", "moves"),
    QuestionKind.ENDING: ("position", "moves"),
    QuestionKind.RECORD: ("record",),
    QuestionKind.COUNTS: ("record",),
    QuestionKind.GAME_ID: ("record",),
    QuestionKind.PERFT: ("position", "depth"),
}
"""Names of the inputs, by kind."""

LONGEST_LIST = 40
"""Maximum number of moves that the suite lists; longer lists are only in the hash."""
_HASH_DIGITS = 16


class NoSuchQuestion(UserMistake):
    """No question has this id."""


class Question(NamedTuple):
    """A question, its expected answer, and the hash of the whole answer."""

    id: str
    kind: QuestionKind
    inputs: dict[str, Any]
    answer: dict[str, Any]
    hash: str

    def to_line(self) -> str:
        """Return the line of the suite, without its end."""
        return _to_json({"id": self.id, "kind": self.kind, **self.inputs, "answer": self.answer, "hash": self.hash})

    def to_request(self) -> str:
        """Return the line that a program receives, without its end."""
        return _to_json({"id": self.id, "kind": self.kind, **self.inputs})

    def accepts(self, answer: Mapping[str, Any]) -> bool:
        """Return whether an answer is the expected one. Further keys are ignored; the order of legal moves is free."""
        names = {*self.answer, "moves"} if self.kind is QuestionKind.MOVES else {*self.answer}
        return hash_answer(self.kind, {name: answer[name] for name in names if name in answer}) == self.hash


def make_question(name: str, kind: QuestionKind, inputs: dict[str, Any], answer: dict[str, Any]) -> Question:
    """Return the question with this whole answer."""
    shown = answer
    if kind is QuestionKind.MOVES and len(answer["moves"]) > LONGEST_LIST:
        shown = {key: value for key, value in answer.items() if key != "moves"}
    return Question(name, kind, inputs, shown, hash_answer(kind, answer))


def hash_answer(kind: QuestionKind, answer: Mapping[str, Any]) -> str:
    """Return the first 16 digits of the SHA-256 of an answer: JSON in ASCII with sorted keys and no spaces, legal moves sorted.

    >>> hash_answer(QuestionKind.PERFT, {"count": 1944})
    'e12f47bdae9b4dc0'
    """
    moves = answer.get("moves")
    if kind is QuestionKind.MOVES and isinstance(moves, list):
        answer = {**answer, "moves": sorted(map(str, moves))}
    text = json.dumps(answer, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_HASH_DIGITS]


def find_suite() -> Path:
    """Return the folder of the suite: inside the installed package, or `conformance/` in a checkout."""
    package = Path(__file__).parent
    installed = package / "suite"
    return installed if installed.is_dir() else package.parents[1] / "conformance"


def read_suite(kinds: Iterable[QuestionKind] = (), beginning: str = "") -> list[Question]:
    """Return the questions of these kinds (default: all) whose id begins with this text, in the order of the suite."""
    chosen = tuple(kinds) or tuple(QuestionKind)
    return [question for kind in chosen for question in _read_file(kind) if question.id.startswith(beginning)]


def find_question(name: str) -> Question:
    """Return the question with this id. Raises NoSuchQuestion."""
    for question in read_suite():
        if question.id == name:
            return question
    raise NoSuchQuestion(f"no question has the id {name!r}; zertz conformance list prints all ids")


def _read_file(kind: QuestionKind) -> Iterator[Question]:
    for line in (find_suite() / f"{kind}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield Question(row["id"], kind, {name: row[name] for name in INPUTS[kind]}, row["answer"], row["hash"])


def _to_json(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False)
