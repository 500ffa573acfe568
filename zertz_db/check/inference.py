"""Choose a reading of a record that leaves facts open.

A record may not state the board, the coordinates or the colour letters. First the usual names and colours are tried on all boards, popular
boards first. The first reading that is legal to its end and ends as the record states is chosen; without one, the reading with most legal
plies. Notes name others that match as well. Other names and colours are tried only if no reading is legal and ends as stated. They are
chosen if the whole record is then legal and they do better. Stated facts are never varied. Source: rules, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import (
    BOARD_INFERRED,
    BOARD_OPEN,
    ENDING_CONTRADICTED,
    LETTERS_INFERRED,
    OTHER_NAMES,
    RESULT_CONTRADICTED,
    UNEXPLAINED_RESULT,
    Finding,
    make_finding,
)
from zertz_db.parser.record import Ply, Record
from zertz_db.parser.text.ring_names import (
    COLUMN_NUMBERS,
    DIAGONAL_NUMBERS,
    MIRRORED,
    RISING_NUMBERS,
    Place,
    named_rings,
    official_names_of,
    places,
    renamed_record,
)
from zertz_db.parser.vocabulary.board_names import stated_board
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.errors import PositionError
from zertz_db.rules.position import Position

_DISAGREEMENTS = {RESULT_CONTRADICTED.code, UNEXPLAINED_RESULT.code, ENDING_CONTRADICTED.code}
_PLAYED = ("37", "48", "61")
"""Popular boards."""
_TRIED = (*_PLAYED, *(board for board in STANDARD_BOARDS if board not in _PLAYED))
"""Boards to try for a record that states none, in order. Hardly any game was played on the others, but many match them."""
_DIAGONAL = ("it",)
"""Languages whose papers number rings along the diagonals; so a smaller board is likelier than a larger one by columns."""
_WHITE_FOR_BLACK = {"B": "W"}
_NAMES_IN_WORDS = {
    DIAGONAL_NUMBERS: "rings are numbered along the diagonals",
    RISING_NUMBERS: "rings are numbered along the diagonals that rise to the right",
    MIRRORED: "columns are counted from the right",
}


class Reading(NamedTuple):
    """One way to read a record: on a board, with official names and English colours, and notes on it.

    `is_usual`: with the default names and colours, or those that the record states.
    """

    record: Record
    board: str
    notes: tuple[Finding, ...]
    is_usual: bool


class _Tried(NamedTuple):
    """A reading, and the verdict on it."""

    reading: Reading
    verdict: CheckedRecord

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """Return the quality of this reading. Among legal ones, implied passes do not change the length that counts."""
        verdict = self.verdict
        return verdict.is_game, end_agrees(verdict), 0 if verdict.is_game else verdict.plies


def best_reading(record: Record, check_on: Callable[[Record, str], CheckedRecord]) -> CheckedRecord:
    """Return the verdict on the chosen reading. `check_on` checks a record on a board and is called at most thirty times."""
    best: _Tried | None = None
    rivals: list[str] = []
    for readings in _readings(record):
        tried = []
        for reading in readings:
            tried.append(_Tried(reading, check_on(reading.record, reading.board)))
            if tried[0].verdict.attempt is None or not record.plies:  # without a start or a ply all boards are alike
                return _with_notes(tried[0], ())
        able = [one for one in tried if one.reading.is_usual or one.verdict.is_game]
        leader = max(able, key=lambda one: one.rank, default=None)  # the first of equals
        if leader and (best is None or leader.rank > best.rank):
            best = leader
            rivals = [one.reading.board for one in able if one.verdict.is_game and one.rank == best.rank]
        if best and end_agrees(best.verdict):
            break
    assert best is not None  # noqa: S101 - there is always the usual reading
    return _with_notes(best, rivals)


def _with_notes(best: _Tried, rivals: Sequence[str]) -> CheckedRecord:
    """Return the verdict with notes on the reading, and on the board if the record states none; the `rivals` match as well."""
    checked = best.verdict
    record, board = checked.record, best.reading.board
    notes = [*best.reading.notes]
    if not states_board(record) and checked.attempt and record.plies:
        others = [other for other in dict.fromkeys(rivals) if other != board]
        fit = f"; {_fitting(others)} as well" if others else ""
        notes.append(make_finding(BOARD_INFERRED, f"the board is not stated; read on board {board}{fit}", record.span))
        likely = [other for other in others if (other in _PLAYED) == (board in _PLAYED)]
        if likely:
            message = (
                f"the record does not state whether the board is {_listed([board, *likely], 'or')}; read on {board}"
            )
            notes.append(make_finding(BOARD_OPEN, message, record.span, suggestion=f'[Board "{board}"]'))
    return replace(checked, findings=(*checked.findings, *notes))


def _fitting(boards: Sequence[str]) -> str:
    return f"boards {_listed(boards, 'and')} fit" if len(boards) > 1 else f"board {boards[0]} fits"


def _listed(boards: Sequence[str], word: str) -> str:
    *most, last = boards
    return f"{', '.join(most)} {word} {last}" if most else last


def states_board(record: Record) -> bool:
    """Return whether a record states its board."""
    return record.board is not None or record.position is not None


def has_usual_names(record: Record) -> bool:
    """Return whether a record's plies name rings officially, as far as it states."""
    return record.coordinates in (None, COLUMN_NUMBERS)


def end_agrees(checked: CheckedRecord) -> bool:
    """Return whether a record is legal and ends as it states."""
    return checked.is_game and not any(finding.code in _DISAGREEMENTS for finding in checked.findings)


def _readings(record: Record) -> Iterator[list[Reading]]:
    """Yield the readings of a record, the likely ones first; a list has equally likely ones for different boards."""
    boards = (stated_board(record.board, record.position) or "",) if states_board(record) else _TRIED
    rings = {ring for ply in record.plies for ring in named_rings(ply)}
    usual = []
    for board in boards:
        usual.append(_reading(record, board, record.coordinates or COLUMN_NUMBERS, is_usual=True))
        if record.coordinates is None and record.language in _DIAGONAL and _only_so(rings, board, DIAGONAL_NUMBERS):
            usual.append(_reading(record, board, DIAGONAL_NUMBERS, is_usual=False))
    yield usual
    for coordinates in (DIAGONAL_NUMBERS, MIRRORED) if record.coordinates is None else ():
        able = [board for board in boards if _only_so(rings, board, coordinates)]
        yield [_reading(record, board, coordinates, is_usual=False) for board in able]
    if record.letters_open:
        white = replace(record, plies=tuple(map(_white_for_black, record.plies)), letters_open=False)
        note = make_finding(
            LETTERS_INFERRED, "the colour letters are read as Italian or French: B is white", record.span
        )
        read = [_reading(white, board, record.coordinates or COLUMN_NUMBERS, is_usual=False) for board in boards]
        yield [reading._replace(notes=(*reading.notes, note)) for reading in read]


def _only_so(rings: set[str], board: str, coordinates: str) -> bool:
    """Return whether a standard board has all these rings by their names in other coordinates, but not by their official names."""
    if board not in STANDARD_BOARDS:
        return False
    names = official_names_of(places(board), coordinates)
    return rings <= names.keys() and not rings <= set(names.values())


def _reading(record: Record, board: str, coordinates: str, is_usual: bool) -> Reading:
    names = {} if coordinates == COLUMN_NUMBERS else official_names_of(_places_on(record, board), coordinates)
    if all(name == ring for name, ring in names.items()):
        return Reading(record, board, (), is_usual)
    stated = "" if record.coordinates else "the coordinates are not stated: "
    note = make_finding(
        OTHER_NAMES, f"{stated}{_NAMES_IN_WORDS[coordinates]}; findings have the official names", record.span
    )
    named = renamed_record(record, lambda ring: names.get(ring, f"{ring} ({coordinates})"), names)
    return Reading(replace(named, coordinates=None), board, (note,), is_usual)


def _places_on(record: Record, board: str) -> Mapping[str, Place]:
    """Return the places of a board's rings; a custom one has them in the record's position. None if there is no such board."""
    if board in STANDARD_BOARDS:
        return places(board)
    try:
        return Position.parse(record.position or "").board.ring_places
    except PositionError:
        return {}


def _white_for_black(ply: Ply) -> Ply:
    def colour(letter: str | None) -> str | None:
        return _WHITE_FOR_BLACK.get(letter or "", letter)

    return ply._replace(
        colour=colour(ply.colour),
        jumps=tuple(jump._replace(colour=colour(jump.colour)) for jump in ply.jumps),
        claim=tuple(marble._replace(colour=colour(marble.colour)) for marble in ply.claim),
    )
