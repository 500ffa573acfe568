"""List other readings of a whole record: another board or rule set, and rings named as in other programs.

Source: rules, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from zertz_db.parser.record import Record
from zertz_db.parser.text.ring_names import (
    COLUMN_NUMBERS,
    DIAGONAL_NUMBERS,
    MIRRORED,
    RISING_NUMBERS,
    named_rings,
    official_names,
    rename_rings,
)
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.rule_sets import RULE_SETS

_NAMES = {
    COLUMN_NUMBERS: "numbers along columns",
    DIAGONAL_NUMBERS: "numbers along falling diagonals",
    RISING_NUMBERS: "numbers along rising diagonals",
    MIRRORED: "columns counted from the right",
}


class Reading(NamedTuple):
    """Another reading of a record: the mistake, the old and new statements, and its cost (`Edit.cost`)."""

    kind: str
    old: str
    new: str
    record: Record
    cost: float


def find_readings(record: Record, board: str | None, rule_set: str | None) -> Iterator[Reading]:
    """Yield the other readings of a record read on `board` under `rule_set`; a start position contains both."""
    if record.position is None and not record.edits:
        for other in STANDARD_BOARDS:
            if other != board:
                yield Reading("the board", f"board {board}", f"board {other}", replace(record, board=other), 3.0)
        for name in RULE_SETS:
            if name != rule_set:
                changed = replace(record, rule_set=name, tournament=None)
                yield Reading("the rule set", f"rule set {rule_set}", f"rule set {name}", changed, 1.5)
    if record.position is not None:
        yield from _of_position(record, *record.position.split()[:2])
    if record.tournament:
        ordinary = replace(record, tournament=None)
        yield Reading("the option", "the tournament option", "no tournament option", ordinary, 1.0)
    if record.claims is not None:
        yield Reading("the claims", f"claims {record.claims}", "claims left open", replace(record, claims=None), 2.0)
    if any(ply.mover for ply in record.plies):
        unnamed = tuple(ply._replace(mover=None) for ply in record.plies)
        yield Reading("the players", "players as named", "players in turn", replace(record, plies=unnamed), 2.0)
    if board in STANDARD_BOARDS:
        yield from _renamed(record, board)


def _of_position(record: Record, board: str = "", rules: str = "", *_: str) -> Iterator[Reading]:
    """Yield the start position on another board, or under another rule set."""
    rest = (record.position or "").split()[2:]
    for other in STANDARD_BOARDS:
        if other != board:
            changed = replace(record, position=" ".join((other, rules, *rest)))
            yield Reading("the position's board", f"board {board}", f"board {other}", changed, 3.0)
    for name in RULE_SETS:
        if name != rules:
            changed = replace(record, position=" ".join((board, name, *rest)))
            yield Reading("the position's rule set", f"rule set {rules}", f"rule set {name}", changed, 3.0)


def _renamed(record: Record, board: str) -> Iterator[Reading]:
    """Yield the record with rings named as other programs and papers do."""
    if any("j" in ring for ply in record.plies for ring in named_rings(ply)):
        plies = tuple(rename_rings(ply, lambda ring: ring.replace("j", "i")) for ply in record.plies)
        yield Reading("the ninth column", "column j", "column i", replace(record, plies=plies), 0.5)
    for coordinates, description in _NAMES.items():
        names = official_names(board, coordinates)
        plies = tuple(rename_rings(ply, lambda ring, names=names: names.get(ring, ring)) for ply in record.plies)  # type: ignore[misc]
        if plies != tuple(record.plies):
            yield Reading(
                "the coordinates", "rings as written", f"rings by {description}", replace(record, plies=plies), 3.0
            )
