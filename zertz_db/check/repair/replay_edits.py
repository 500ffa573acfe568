"""Replay many edits of a record, each from the position before it, to find how far the edited record is legal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from zertz_db.check.repair.edits import Edit
from zertz_db.check.repair.missing_plies import MissingPlacement
from zertz_db.check.replay.attempt import Attempt
from zertz_db.check.replay.encode_plies import encoded
from zertz_db.parser.record import Ply
from zertz_db.rules import compiled, kernel
from zertz_db.rules.board import LARGEST_COMPILED_BOARD, Board, for_each_board
from zertz_db.rules.kernel import ENDING, FINE, PLACE, RACK_UNSAID, STATE_SIZE, WINNER
from zertz_db.rules.start import rules_vector

if TYPE_CHECKING:
    from zertz_db.check.repair.compiled_edits import CompiledEdits

_BATCH = 2_000
"""Number of edits replayed at once; more would only cost memory."""

_MAX_CACHED = 50_000
"""Number of encoded plies cached for a board. Games have only some ten thousand, but hostile records can invent any number."""


class Reach(NamedTuple):
    """Number of legal plies of the edited record, its number of plies, and whether they end the game and who wins (`kernel`)."""

    legal: int
    plies: int
    ending: int
    winner: int


class Reaches(NamedTuple):
    """Reaches of many edits: for each the number of legal plies, ending, winner, and number of plies."""

    ends: list[End]
    plies: list[int]

    def of(self, number: int) -> Reach:
        """Return the reach of one of the edits."""
        legal, ending, winner = self.ends[number]
        return Reach(legal, self.plies[number], ending, winner)

    def left(self) -> list[int]:
        """Return the number of illegal plies of each edited record."""
        return [plies - end[0] for end, plies in zip(self.ends, self.plies, strict=True)]


End: TypeAlias = tuple[int, int, int]
"""Number of legal plies of an edited record, its ending, its winner."""

Code: TypeAlias = tuple[int, ...]
"""A ply in the kernel's form."""

Place: TypeAlias = tuple[int, int, int, tuple[Code, ...]]
"""Start of an edit, the range of plies of the record after it, and its own plies in the kernel's form.

The range ends before a ply that names a ring which the board never had."""


class Replays:
    """Replays of a record's edits: compiled if the compiled rules are loaded (loading takes longer), else interpreted."""

    def __init__(self, tried: Attempt) -> None:
        self._tried = tried
        self._known = _known(tried.start.board)
        codes = list(map(self._code, tried.plies))
        self._codes = [code or () for code in codes]
        self._ends = [len(codes)]
        for number in range(len(codes) - 1, -1, -1):
            self._ends.append(number if codes[number] is None else self._ends[-1])
        self._ends.reverse()

    def of_edits(self, edits: Sequence[Edit]) -> Reaches:
        """Return the reaches of edits."""
        places = [self._place(edit) for edit in edits]
        plies = [len(self._codes) - (edit.until - edit.at) + len(edit.plies) for edit in edits]
        return self._reaches(places, plies)

    def of_placements(self, placements: Sequence[MissingPlacement]) -> Reaches:
        """Return the reaches of inserted placements."""
        places = [
            (at, at, self._ends[at], ((PLACE, colour, ring, removed, RACK_UNSAID, 0, 0, 0, 0),))
            for at, colour, ring, removed in placements
        ]
        return self._reaches(places, [len(self._codes) + 1] * len(places))

    def _code(self, ply: Ply) -> Code | None:
        """Return a ply in the kernel's form, or None if it names a ring that the board never had."""
        key = (ply.kind, ply.ring, ply.colour, ply.removed, ply.jumps, ply.claim, ply.taken_from)
        if key in self._known:
            return self._known[key]
        code = encoded(self._tried.start.board.index, (ply,))
        numbers = None if code.unknown_ring else tuple(code.numbers)
        if len(self._known) < _MAX_CACHED:
            self._known[key] = numbers
        return numbers

    def _place(self, edit: Edit) -> Place:
        codes = tuple(map(self._code, edit.plies))
        known = tuple(code for code in takewhile(bool, codes) if code)
        until = self._ends[edit.until] if len(known) == len(codes) else edit.until
        return edit.at, edit.until, until, known

    def _reaches(self, places: Sequence[Place], plies: list[int]) -> Reaches:
        large = len(self._tried.start.board.rings) > LARGEST_COMPILED_BOARD
        replay = self._compiled_edits.replay if compiled.is_loaded() and not large else self._interpreted
        parts = [replay(places[begin : begin + _BATCH]) for begin in range(0, len(places), _BATCH)]
        return Reaches([end for part in parts for end in part], plies)

    def _interpreted(self, places: Sequence[Place]) -> list[End]:
        tables, rules = self._tried.start.board.tables, rules_vector(self._tried.start.rules, lenient=True)
        ends = []
        for at, begin, until, codes in places:
            state = self._tried.rows[at][:STATE_SIZE]
            end = at, state[ENDING], state[WINNER]
            for legal, code in enumerate(chain(codes, self._codes[begin:until]), at + 1):
                if kernel.play(tables, rules, state, code, 0, len(code)) != FINE:
                    break
                end = legal, state[ENDING], state[WINNER]
            ends.append(end)
        return ends

    @cached_property
    def _compiled_edits(self) -> CompiledEdits:
        from zertz_db.check.repair.compiled_edits import (
            CompiledEdits,  # needs numpy: 90 ms, which interpreted replays do without
        )

        return CompiledEdits(self._tried, self._codes)


@for_each_board
def _known(board: Board) -> dict[tuple[Any, ...], Code | None]:  # noqa: ARG001 - a store for each board
    """Return the cache of encoded plies."""
    return {}
