"""What a record leaves open, and which reading of it is taken.

The board, the coordinates and the colour letters may not be stated. First the usual names and colours are tried on one board after
the other, the smallest first: the reading that is legal to its end, and whose end agrees with what the record says of it, is taken,
else the one that is legal furthest. Only where none is and agrees are other names and colours tried, and taken if with them the whole
record is legal and they do better. What is stated is never tried otherwise. Source: rules, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from parser.boards import (
    COLUMN_NUMBERS,
    DIAGONAL_NUMBERS,
    MIRRORED,
    RISING_NUMBERS,
    named_rings,
    official_names,
    renamed,
)
from parser.record import Ply, Record
from zertz_db.check.checked import Checked
from zertz_db.check.findings import (
    BOARD_INFERRED,
    ENDING_CONTRADICTED,
    LETTERS_INFERRED,
    OTHER_NAMES,
    RESULT_CONTRADICTED,
    UNEXPLAINED_RESULT,
    Finding,
    found,
)
from zertz_db.rules.board import STANDARD_BOARDS

_DISAGREEMENTS = {RESULT_CONTRADICTED.code, UNEXPLAINED_RESULT.code, ENDING_CONTRADICTED.code}
_DIAGONAL = ("it",)
"""Languages in which papers number rings along the diagonals: so a smaller board is likelier than a larger one by columns."""
_WHITE_FOR_BLACK = {"B": "W"}
_NAMES_IN_WORDS = {
    DIAGONAL_NUMBERS: "rings are numbered along the diagonals",
    RISING_NUMBERS: "rings are numbered along the diagonals that rise to the right",
    MIRRORED: "columns are counted from the right",
}


class Reading(NamedTuple):
    """One way to read a record: on a board, with official names and English colours, and what there is to say about that.

    `is_usual`: with the names and colours that go without saying, or that the record states.
    """

    record: Record
    board: str
    notes: tuple[Finding, ...]
    is_usual: bool


def best_reading(record: Record, check_on: Callable[[Record, str], Checked]) -> Checked:
    """The verdict on the reading that is taken; `check_on` checks a record on a board, and is called two dozen times at the most."""
    best: Checked | None = None
    for reading in _readings(record):
        tried = check_on(reading.record, reading.board)
        if best is None or (_rank(tried) > _rank(best) and (reading.is_usual or tried.is_game)):
            best = replace(tried, findings=(*tried.findings, *reading.notes))
        if end_agrees(tried) or tried.attempt is None or not record.plies:  # without a ply all boards are alike
            break
    assert best is not None  # noqa: S101 - there is always the usual reading
    return with_inferred_board(best)


def with_inferred_board(checked: Checked) -> Checked:
    """The verdict with a note on which board was taken, if the record does not state it."""
    record = checked.record
    if states_board(record) or checked.attempt is None or not record.plies:
        return checked
    note = found(BOARD_INFERRED, f"the board is not stated; read on board {checked.board}", record.span)
    return replace(checked, findings=(*checked.findings, note))


def states_board(record: Record) -> bool:
    """Whether a record says on which board it was played."""
    return record.board is not None or record.position is not None


def has_usual_names(record: Record) -> bool:
    """Whether a record's plies name rings as the official notation does, as far as it says."""
    return record.coordinates in (None, COLUMN_NUMBERS)


def end_agrees(checked: Checked) -> bool:
    """Whether a record is legal, and ends as it says that it does."""
    return checked.is_game and not any(finding.code in _DISAGREEMENTS for finding in checked.findings)


def _rank(checked: Checked) -> tuple[bool, bool, int]:
    return checked.is_game, end_agrees(checked), checked.plies


def _readings(record: Record) -> Iterator[Reading]:
    boards = (record.board or "",) if states_board(record) else STANDARD_BOARDS
    rings = {ring for ply in record.plies for ring in named_rings(ply)}
    for board in boards:
        yield _reading(record, board, record.coordinates or COLUMN_NUMBERS, is_usual=True)
        if record.coordinates is None and record.language in _DIAGONAL and _only_so(rings, board, DIAGONAL_NUMBERS):
            yield _reading(record, board, DIAGONAL_NUMBERS, is_usual=False)
    for coordinates in (DIAGONAL_NUMBERS, MIRRORED) if record.coordinates is None else ():
        for board in boards:
            if _only_so(rings, board, coordinates):
                yield _reading(record, board, coordinates, is_usual=False)
    if record.letters_open:
        white = replace(record, plies=tuple(map(_white_for_black, record.plies)), letters_open=False)
        note = found(LETTERS_INFERRED, "the colour letters are read as Italian or French: B is white", record.span)
        for board in boards:
            reading = _reading(white, board, record.coordinates or COLUMN_NUMBERS, is_usual=False)
            yield reading._replace(notes=(*reading.notes, note))


def _only_so(rings: set[str], board: str, coordinates: str) -> bool:
    """Whether a board has all these rings by their names in other coordinates, but not by their official names."""
    if board not in STANDARD_BOARDS:
        return False
    names = official_names(board, coordinates)
    return rings <= names.keys() and not rings <= set(names.values())


def _reading(record: Record, board: str, coordinates: str, is_usual: bool) -> Reading:
    names = {} if coordinates == COLUMN_NUMBERS or board not in STANDARD_BOARDS else official_names(board, coordinates)
    if all(name == ring for name, ring in names.items()):
        return Reading(record, board, (), is_usual)
    plies = tuple(renamed(ply, lambda ring: names.get(ring, f"{ring} ({coordinates})")) for ply in record.plies)
    stated = "" if record.coordinates else "the coordinates are not stated: "
    note = found(OTHER_NAMES, f"{stated}{_NAMES_IN_WORDS[coordinates]}; findings have the official names", record.span)
    return Reading(replace(record, plies=plies, coordinates=None), board, (note,), is_usual)


def _white_for_black(ply: Ply) -> Ply:
    def colour(letter: str | None) -> str | None:
        return _WHITE_FOR_BLACK.get(letter or "", letter)

    return ply._replace(
        colour=colour(ply.colour),
        jumps=tuple(jump._replace(colour=colour(jump.colour)) for jump in ply.jumps),
        claim=tuple(marble._replace(colour=colour(marble.colour)) for marble in ply.claim),
    )
