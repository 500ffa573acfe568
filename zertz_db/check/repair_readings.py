"""Other ways to read a whole record: another board or rule set, and rings named after another program's fashion.

Sources: rules, section 1 (boards, and how programs name their rings) and section 2 (rule sets).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from parser.record import Marble, Ply, Record
from zertz_db.rules.board import COLUMNS, STANDARD_BOARDS, Board, standard_board
from zertz_db.rules.ruleset import RULE_SETS


class Reading(NamedTuple):
    """A record read otherwise: what had gone wrong, what it said and what it says now, and how unlikely that is (`Edit.cost`)."""

    kind: str
    old: str
    new: str
    record: Record
    cost: float


def readings(record: Record, board: str | None, rule_set: str | None) -> Iterator[Reading]:
    """Every other reading of a record that was read on `board` under `rule_set`; one from a set-up position has its own rules."""
    if record.position is None and not record.edits:
        for other in STANDARD_BOARDS:
            if other != board:
                yield Reading("the board", f"board {board}", f"board {other}", replace(record, board=other), 3.0)
        for name in RULE_SETS:
            if name != rule_set:
                changed = replace(record, rule_set=name, tournament=None)
                yield Reading("the rule set", f"rule set {rule_set}", f"rule set {name}", changed, 1.5)
    if record.claims is not None:
        yield Reading("the claims", f"claims {record.claims}", "claims left open", replace(record, claims=None), 2.0)
    if board in STANDARD_BOARDS:
        yield from _renamed(record, standard_board(board))


def _renamed(record: Record, board: Board) -> Iterator[Reading]:
    for kind, new, rename, cost in (
        ("the ninth column", "column i", lambda ring: ring.replace("j", "i"), 0.5),
        ("the board's orientation", "the mirrored board", _mirrored(board), 3.0),
        ("the coordinates", "numbers along columns", _from_diagonals(board), 3.0),
    ):
        plies = tuple(_with_rings(ply, rename) for ply in record.plies)
        if plies != tuple(record.plies):
            yield Reading(kind, "rings as written", f"rings of {new}", replace(record, plies=plies), cost)


def _mirrored(board: Board) -> Callable[[str], str]:
    """The columns counted from the right."""
    letters = COLUMNS[: len(board.columns)]
    return lambda ring: ring.translate(str.maketrans(letters, letters[::-1]))


def _from_diagonals(board: Board) -> Callable[[str], str]:
    """Numbers that run along diagonals: right of the middle column the first ring is not number 1."""
    bottoms = {column.letter: column.bottom for column in board.columns}
    middle = min(bottoms, key=lambda letter: (bottoms[letter], letter))

    def rename(ring: str) -> str:
        beyond = max(0, ord(ring[0]) - ord(middle))
        return f"{ring[0]}{max(1, int(ring[1:]) - beyond)}"

    return rename


def _with_rings(ply: Ply, rename: Callable[[str], str]) -> Ply:
    def marbles(written: tuple[Marble, ...]) -> tuple[Marble, ...]:
        return tuple(Marble(colour, rename(ring)) for colour, ring in written)

    return ply._replace(
        ring=ply.ring and rename(ply.ring),
        removed=ply.removed and rename(ply.removed),
        jumps=marbles(ply.jumps),
        claim=marbles(ply.claim),
    )
