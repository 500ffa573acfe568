"""How far a record is legal once it is edited: replays of many edits, each from the position before it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from parser.record import Ply
from zertz_db.check.attempt import Attempt
from zertz_db.check.encode import encoded
from zertz_db.check.repair_edits import Edit
from zertz_db.rules import compiled, kernel
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board
from zertz_db.rules.kernel import STATE_SIZE
from zertz_db.rules.keys import KEYS_SIZE
from zertz_db.rules.position import rules_vector
from zertz_db.rules.replay import OUTCOME_SIZE, PLAYED, ROW_SIZE

_FIRST = 4
"""So many plies from an edit on are replayed first: most edits fail by then, and only with the others it goes on to the end."""

LOT = 2_000
"""So many edits are replayed at once; more would only cost memory."""


class Reach(NamedTuple):
    """How many plies of the edited record are legal, of how many, and the state reached."""

    legal: int
    plies: int
    final: list[int]

    @property
    def is_all(self) -> bool:
        """Whether every ply is legal."""
        return self.legal == self.plies


def replay_edits(tried: Attempt, found: Sequence[Edit]) -> list[Reach]:
    """The reach of each edit: compiled if the compiled rules are at hand (to load them takes longer than this), else interpreted."""
    rest = _Rest(tried)
    reaches = _reaches(tried, found, [rest.spliced(edit, _FIRST) for edit in found])
    further = [
        number
        for number, (edit, reach) in enumerate(zip(found, reaches, strict=True))
        if reach.legal - edit.at >= _FIRST
    ]
    some = [found[number] for number in further]
    for number, reach in zip(further, _reaches(tried, some, list(map(rest.spliced, some))), strict=True):
        reaches[number] = reach
    return reaches


def _reaches(tried: Attempt, found: Sequence[Edit], spliced: Sequence[_Codes]) -> list[Reach]:
    if not compiled.is_loaded() or len(tried.start.board.rings) > LARGEST_COMPILED_BOARD:
        return [_interpreted(tried, edit, codes) for edit, codes in zip(found, spliced, strict=True)]
    lots = (slice(begin, begin + LOT) for begin in range(0, len(found), LOT))
    return [reach for lot in lots for reach in _compiled(compiled.functions(), tried, found[lot], spliced[lot])]


class _Codes(NamedTuple):
    """The plies from an edit to the end as integers, how many each ply has, and how many there are in the edited record.

    They stop in front of one that names a ring which the board never had.
    """

    numbers: array[int]
    sizes: array[int]
    plies: int


class _Rest:
    """The record's own plies as integers."""

    def __init__(self, tried: Attempt) -> None:
        self._board = tried.start.board
        self._numbers, self._sizes = array("q"), array("q")
        self._begins = [0]
        self._unknown: list[int] = []
        for number, ply in enumerate(tried.plies):
            code = _code(self._board, ply)
            if code is None:
                self._unknown.append(number)
            self._numbers.extend(code or ())
            self._sizes.append(len(code or ()))
            self._begins.append(len(self._numbers))

    def spliced(self, edit: Edit, most: int | None = None) -> _Codes:
        """The plies from an edit on, those of it and at most so many of the record's own in all."""
        numbers, sizes = array("q"), array("q")
        count = len(self._sizes) - (edit.until - edit.at) + len(edit.plies)
        for ply in edit.plies:
            code = _code(self._board, ply)
            if code is None:
                return _Codes(numbers, sizes, count)
            numbers.extend(code)
            sizes.append(len(code))
        end = next((unknown for unknown in self._unknown if unknown >= edit.until), len(self._sizes))
        end = end if most is None else min(end, edit.until + max(0, most - len(edit.plies)))
        numbers.extend(self._numbers[self._begins[edit.until] : self._begins[end]])
        sizes.extend(self._sizes[edit.until : end])
        return _Codes(numbers, sizes, count)


def _code(board: Board, ply: Ply) -> list[int] | None:
    """A ply as the kernel plays it; None if it names a ring that the board never had."""
    code = encoded(board.index, (ply,))
    return None if code.unknown_ring else code.numbers


def _compiled(rules: Any, tried: Attempt, found: Sequence[Edit], spliced: Sequence[_Codes]) -> list[Reach]:
    import numpy as np

    numbers, sizes = array("q"), array("q")
    for codes in spliced:
        numbers.extend(codes.numbers)
        sizes.extend(codes.sizes)
    begins = np.cumsum([0, *sizes], dtype=np.int64)
    firsts = np.cumsum([0, *(len(codes.sizes) for codes in spliced)], dtype=np.int64)
    rows = np.zeros((len(sizes) + len(found), ROW_SIZE), np.int64)
    outcomes = np.zeros((len(found), OUTCOME_SIZE), np.int64)
    states = np.array([tried.rows[edit.at][:STATE_SIZE] for edit in found], np.int64)
    rules.replay_games(
        _tables(tried.start.board),
        np.array([rules_vector(tried.start.rules, lenient=True)] * len(found), np.int64),
        states,
        np.frombuffer(numbers, np.int64) if numbers else np.empty(0, np.int64),
        begins,
        firsts,
        np.zeros(KEYS_SIZE, np.int64),
        rows,
        outcomes,
        0,
    )
    played = outcomes[:, PLAYED]
    finals = rows[np.arange(len(found)) + firsts[:-1] + played, :STATE_SIZE].tolist()
    return [
        Reach(edit.at + legal, codes.plies, final)
        for edit, codes, legal, final in zip(found, spliced, played.tolist(), finals, strict=True)
    ]


@cache
def _tables(board: Board) -> Any:
    return compiled.arrays(board.tables)


def _interpreted(tried: Attempt, edit: Edit, codes: _Codes) -> Reach:
    tables, rules = tried.start.board.tables, rules_vector(tried.start.rules, lenient=True)
    state = final = tried.rows[edit.at][:STATE_SIZE]
    legal = begin = 0
    for size in codes.sizes:
        state = list(state)
        if kernel.play(tables, rules, state, codes.numbers, begin, begin + size) != kernel.FINE:
            break
        final, legal, begin = state, legal + 1, begin + size
    return Reach(edit.at + legal, codes.plies, final)
