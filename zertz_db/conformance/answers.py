"""Answer the questions of the suite by the rules of this project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.conformance.questions import INPUTS, QuestionKind
from zertz_db.errors import UserMistake
from zertz_db.ingest.records.rows import build_game_key
from zertz_db.parser import dialects
from zertz_db.parser.vocabulary.terms import MoveKind
from zertz_db.rules import perft
from zertz_db.rules.errors import IllegalMove, PositionError
from zertz_db.rules.position import Position
from zertz_db.rules.start import rules_vector
from zertz_db.store.ids import id_of, to_text

Answer = dict[str, Any]


class UnknownQuestion(UserMistake):
    """The kind of a question is unknown, or an input is missing."""


def answer_question(question: Mapping[str, Any]) -> Answer:
    """Return the answer to a question, an object with `kind` and the inputs of that kind. Raises UnknownQuestion."""
    name = question.get("kind")
    if name not in tuple(QuestionKind):
        raise UnknownQuestion(f"no questions are of the kind {name!r}; valid: {', '.join(QuestionKind)}")
    kind = QuestionKind(str(name))
    wrong = [one for one in INPUTS[kind] if not isinstance(question.get(one), _TYPES[one])]
    if wrong:
        raise UnknownQuestion(f"a question of the kind {kind} needs {' and '.join(map(_describe_input, wrong))}")
    return _ANSWERS[kind](*(question[one] for one in INPUTS[kind]))


def _describe_input(name: str) -> str:
    return f"{name} ({_TYPES[name].__name__})"


def _read_position(text: str) -> Answer:
    try:
        return {"valid": True, "position": str(Position.parse(text))}
    except PositionError:
        return {"valid": False, "position": None}


def _list_moves(position: str) -> Answer:
    moves = Position.parse(position).legal_moves()
    turn = (
        MoveKind.CAPTURE
        if moves and moves[0].jumps
        else MoveKind.PLACEMENT
        if moves and moves[0].ring
        else MoveKind.PASS
    )
    return {"turn": turn if moves else None, "count": len(moves), "moves": sorted(map(str, moves))}


def _play_moves(position: str, moves: list[str]) -> Answer:
    played, after = _play(Position.parse(position), moves)
    return {"legal": len(played), "moves": played, "position": str(after)}


def _find_ending(position: str, moves: list[str]) -> Answer:
    _, after = _play(Position.parse(position), moves)
    return {"ending": after.ending, "winner": after.winner, "sets": list(after.winning_sets)}


def _play(position: Position, moves: list[str]) -> tuple[list[str], Position]:
    """Return the legal moves before the first illegal one, in canonical notation, and the position after them."""
    played: list[str] = []
    for text in moves:
        try:
            move = position.move(text)
        except IllegalMove:
            break
        after = position.play(move)
        played.append(position.written(move, after))
        position = after
    return played, position


def _judge_record(record: str) -> Answer:
    checked = _check_one(record)
    return {
        "verdict": checked.verdict,
        "plies": checked.plies,
        "ending": checked.ending,
        "result": checked.result if checked.is_game else None,
        "winner": checked.winner,
        "sets": list(checked.winning_sets),
    }


def _count_moves(record: str) -> Answer:
    return {"counts": _check_one(record).legal_counts()}


def _compute_id(record: str) -> Answer:
    checked = _check_one(record)
    return {"game_id": to_text(id_of(build_game_key(checked).encode())) if checked.is_game else None}


def _check_one(record: str) -> CheckedRecord:
    """Return the verdict on the only record of a text in official notation. Raises UnknownQuestion for several records."""
    found = list(dialects.read(record, "gipf"))
    if len(found) != 1:
        raise UnknownQuestion(f"a question has one record, this text has {len(found)}")
    return check(found[0])


def _count_games(position: str, depth: int) -> Answer:
    start = Position.parse(position)
    return {"count": perft.perft(start.board.tables, rules_vector(start.rules), start.state, depth, -1)}


_TYPES: dict[str, type] = {"text": str, "position": str, "moves": list, "record": str, "depth": int}
"""Types of the inputs."""
_ANSWERS: dict[QuestionKind, Callable[..., Answer]] = {
    QuestionKind.POSITION: _read_position,
    QuestionKind.MOVES: _list_moves,
    QuestionKind.PLAY: _play_moves,
    QuestionKind.ENDING: _find_ending,
    QuestionKind.RECORD: _judge_record,
    QuestionKind.COUNTS: _count_moves,
    QuestionKind.GAME_ID: _compute_id,
    QuestionKind.PERFT: _count_games,
}
