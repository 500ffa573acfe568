"""Read the tables of this folder, which hold the statements of five published texts on the game, and answer their questions.

A table is a TOML file for each text. Its head has the text's `name`, its `kind`, the number of sentences that are `stating` a rule, form,
variant or example, and the number of `others` (history, praise, handling of the pieces, tolerance). A sentence has one row or more, all
with its `place`: section, item and sentence. `says` is our paraphrase.

Input of a row: a `start` (board and rule set), a `position`, or a `record` (perhaps with `dialect` and `language`); `moves` from a start or
position, separated by ` & `. `right` has the right answers by question. All questions but RECORD_QUESTIONS are about the position that is
reached.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from zertz_db.check.check_record import check
from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import REFUSAL_KINDS
from zertz_db.parser import Record, detect, read
from zertz_db.parser.record import PASS, Ply
from zertz_db.rules.board import Board
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position


class Row(NamedTuple):
    """A sentence, or a part of it, with an input and the right answers."""

    text: str
    place: str
    says: str
    given: dict[str, str]
    right: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.text}: {self.place}"


class Table(NamedTuple):
    """The rows of a text, and the number of its sentences by kind."""

    name: str
    stating: int
    others: int
    rows: tuple[Row, ...]

    @property
    def places(self) -> list[str]:
        """Return the places of all sentences that have a row, in order."""
        return list(dict.fromkeys(row.place for row in self.rows))


INPUTS = {"start", "position", "record", "moves", "dialect", "language"}


def tables() -> Iterator[Table]:
    """Yield the tables of this folder, in order of their files' names."""
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        rows = tuple(_row(content["name"], entry) for entry in content["row"])
        yield Table(content["name"], content["stating"], content["others"], rows)


def _row(text: str, entry: dict[str, Any]) -> Row:
    given = {key: value for key, value in entry.items() if key not in ("place", "says", "right")}
    return Row(text, entry["place"], entry["says"], given, entry["right"])


def answers(row: Row) -> dict[str, Any]:
    """Return the answers to a row's questions. Raises IllegalMove for illegal moves, KeyError for an unknown question."""
    if "record" in row.given:
        return _answers_of_record(row)
    position = _position(row.given)
    if "refused" in row.right:
        return {"refused": _refusal(position, row.given["moves"])}
    for move in _moves(row.given):
        position = position.play(move)
    return {question: POSITION_QUESTIONS[question](position) for question in row.right}


def _position(given: dict[str, str]) -> Position:
    return Position.start(*given["start"].split()) if "start" in given else Position.parse(given["position"])


def _moves(given: dict[str, str]) -> list[str]:
    return given["moves"].split(" & ") if "moves" in given else []


def _refusal(position: Position, moves: str) -> str | None:
    """Return the code of the finding for the last move, or None if it is legal. All moves before it must be legal."""
    *legal, last = moves.split(" & ")
    for move in legal:
        position = position.play(move)
    try:
        position.play(last)
    except IllegalMove as refused:
        return REFUSAL_KINDS[refused.refusal].code
    return None


def _answers_of_record(row: Row) -> dict[str, Any]:
    text = row.given["record"]
    (record,) = read(text, row.given.get("dialect"), language=row.given.get("language"))
    checked = check(record)
    found: dict[str, Any] = {}
    for question in row.right:
        if question in RECORD_QUESTIONS:
            found[question] = RECORD_QUESTIONS[question](record, checked)
        elif question == "dialect":
            found[question] = detect(text)
        else:
            assert checked.final is not None
            found[question] = POSITION_QUESTIONS[question](checked.final)
    return found


def _as_read(ply: Ply) -> str:
    """Write a ply as its reader understood it: `Wd4/d1+Ba1` is a placement with a ring and a claim, `d1>Gd3` a capture."""
    jumps = "".join(f">{jump.colour or '?'}{jump.ring}" for jump in ply.jumps)
    claim = "".join(f"+{marble.colour}{marble.ring}" for marble in ply.claim)
    removed = f"/{ply.removed}" if ply.removed else ""
    return "-" if ply.kind == PASS else f"{ply.colour or ''}{ply.ring}{jumps}{removed}{claim}"


NOT_UNDERSTOOD = {"W528", "W529", "W536"}
"""Codes for tags and values that a reader stores without understanding them."""

RECORD_QUESTIONS: dict[str, Callable[[Record, CheckedRecord], Any]] = {
    "verdict": lambda _, checked: checked.verdict,
    "result": lambda _, checked: checked.result,
    "ending": lambda _, checked: checked.ending or "none",
    "winner": lambda _, checked: checked.winner,
    "sets": lambda _, checked: " ".join(checked.winning_sets),
    "codes": lambda _, checked: " ".join(finding.code for finding in checked.findings),
    "errors": lambda _, checked: " ".join(finding.code for finding in checked.findings if finding.severity == "error"),
    "strange": lambda _, checked: " ".join(
        finding.code for finding in checked.findings if finding.code in NOT_UNDERSTOOD
    ),
    "ply": lambda _, checked: next(finding.ply for finding in checked.findings if finding.severity == "error"),
    "moves": lambda _, checked: " ".join(checked.moves),
    "board": lambda _, checked: checked.board,
    "read": lambda record, _: " ".join(map(_as_read, record.plies)),
    "player1": lambda record, _: record.player1,
}
"""Questions about a record and its verdict."""


def _names(rings: tuple[str, ...]) -> str:
    return " ".join(sorted(rings))


def _placements(position: Position) -> list[Move]:
    return [move for move in position.legal_moves() if move.colour]


def _sides(board: Board) -> str:
    """Return the number of rings along each of the six edges, in turn."""
    edges = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
    heights = [[a * q + b * r for q, r in board.axial] for a, b in edges]
    return " ".join(str(along.count(max(along))) for along in heights)


def _first_moves(position: Position) -> int:
    """Return the number of first moves that no symmetry of the board takes to each other."""
    board = position.board
    kinds = set()
    for move in position.legal_moves():
        rings = board.index[move.ring], board.index[move.removed or move.ring]
        kinds.add((move.colour, min(tuple(image[ring] for ring in rings) for image in board.symmetries)))
    return len(kinds)


POSITION_QUESTIONS: dict[str, Callable[[Position], Any]] = {
    "after": str,
    "legal": lambda position: " | ".join(sorted(map(str, position.legal_moves()))),
    "count": lambda position: len(position.legal_moves()),
    "due": lambda position: position.capture_is_due,
    "colours": lambda position: " ".join(dict.fromkeys(move.colour for move in _placements(position))),
    "onto": lambda position: _names(tuple({move.ring for move in _placements(position)})),
    "removable": lambda position: _names(tuple({move.removed or "-" for move in _placements(position)})),
    "free": lambda position: _names(position.free_rings),
    "vacant": lambda position: len(position.vacant_rings),
    "rings": lambda position: len(position.rings),
    "full": lambda position: _names(position.full_groups),
    "claimed": lambda position: _names(position.claimed),
    "pool": lambda position: str(position.pool),
    "captures": lambda position: " ".join(map(str, position.captured)),
    "side": lambda position: position.side,
    "over": lambda position: position.is_over,
    "ended": lambda position: position.ending,
    "won_by": lambda position: position.winner,
    "held": lambda position: " ".join(position.winning_sets),
    "rules": lambda position: str(position.rules),
    "supply": lambda position: str(position.rules.supply),
    "goal": lambda position: f"{position.rules.goal} {position.rules.each}",
    "columns": lambda position: " ".join(str(column.length) for column in position.board.columns),
    "edges": lambda position: _sides(position.board),
    "first_moves": _first_moves,
}
"""Questions about a position: the one that moves lead to, or the last one of a record."""
