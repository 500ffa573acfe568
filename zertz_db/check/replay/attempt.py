"""Replay a record in one way: from a start position, under one rule set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from zertz_db.check.replay.encode_plies import Code, encode
from zertz_db.parser.packed_plies import PackedPlies
from zertz_db.parser.record import PASS, Ply, Record, Span
from zertz_db.rules import kernel
from zertz_db.rules.kernel import STATE_SIZE
from zertz_db.rules.position import Position
from zertz_db.rules.position_keys import KEYS_SIZE
from zertz_db.rules.replay import OUTCOME_SIZE, PLAYED, REFUSAL, ROW_SIZE, replay_game
from zertz_db.rules.start import rules_vector

NOWHERE = Span(0, 0, 1, 1)


@dataclass(slots=True)
class Attempt:
    """The played plies, a row of integers (`zertz_db.rules.replay`) for each position, and the place where the replay stopped.

    `table` holds the rows of the replay: lists, or an array. If only the verdict was needed, they hold states alone. `passes` are the
    indices of plies that the record leaves out. `refusal` is the kernel's refusal of ply number `played`, FINE if all are legal;
    `wrong_player` means that it is another player's turn. `may_repeat` is False if turns certainly do not repeat.
    """

    start: Position
    plies: Sequence[Ply]
    table: Any
    played: int
    refusal: int
    passes: frozenset[int] = frozenset()
    wrong_player: bool = False
    may_repeat: bool = True
    _code: Code | None = None
    _rows: list[list[int]] | None = None
    _final: list[int] | None = None

    @property
    def code(self) -> Code:
        """Return the plies in the kernel's form."""
        if self._code is None:
            self._code = encode(self.start.board, self.plies)
        return self._code

    @property
    def rows(self) -> list[list[int]]:
        """Return the rows as lists."""
        if self._rows is None:
            self._rows = self.table if isinstance(self.table, list) else self.table.tolist()
        return self._rows

    @property
    def is_legal(self) -> bool:
        """Return whether every ply was legal."""
        return self.played == len(self.plies)

    @property
    def final(self) -> list[int]:
        """Return the row of the last position reached."""
        if self._final is None:
            row = self.table[self.played]
            self._final = row if isinstance(row, list) else cast(list[int], row.tolist())
        return self._final

    def position(self, ply: int) -> Position:
        """Return the position before a ply (or the final one)."""
        return Position(self.start.board, self.start.rules, tuple(self.rows[ply][:STATE_SIZE]))

    def record_ply(self, ply: int) -> int:
        """Return the number in the record, from 1, of a played ply."""
        return ply + 1 - sum(passed < ply for passed in self.passes)


def replay_record(record: Record, start: Position, full: bool = True) -> Attempt:
    """Replay interpreted, inserting the passes that a record may leave out (rules, section 3.5)."""
    plies = record.plies
    passes: frozenset[int] = frozenset()
    while True:
        tried = _replay(plies, start, passes, full)
        at = tried.played
        if tried.is_legal or plies[at].kind == PASS or not _must_pass(tried, at):
            return tried
        here = plies[at].span
        plies = (*plies[:at], Ply(PASS, Span(here.start, here.start, here.line, here.column)), *plies[at:])
        passes |= {at}


def _must_pass(tried: Attempt, at: int) -> bool:
    state = tried.rows[at][:STATE_SIZE]
    return not state[kernel.ENDING] and kernel.must_pass(tried.start.board.tables, state)


def _replay(plies: Sequence[Ply], start: Position, passes: frozenset[int], full: bool) -> Attempt:
    code = encode(start.board, plies)
    stop = first_wrong_player(plies, start.side)
    turns = len(code) if stop is None else min(stop, len(code))
    tables = start.board.tables
    rows = [[0] * ROW_SIZE for _ in range(turns + 1)]
    outcome = [0] * OUTCOME_SIZE
    keys = [0] * KEYS_SIZE
    rules = rules_vector(start.rules, lenient=True)
    replay_game(tables, rules, start.state, keys, code.numbers, code.begins, 0, turns, rows, 0, outcome, full)
    played = outcome[PLAYED]
    out_of_turn = played == turns and stop == turns
    return Attempt(start, plies, rows, played, outcome[REFUSAL], passes, wrong_player=out_of_turn, _code=code)


def first_wrong_player(plies: Sequence[Ply], first_side: int) -> int | None:
    """Return the index of the first ply played out of turn."""
    if isinstance(plies, PackedPlies) and first_side == 1:
        return None  # players alternate in packed plies
    for index, ply in enumerate(plies):
        if ply.mover is not None and ply.mover != (first_side - 1 + index) % 2 + 1:
            return index
    return None


def add_final_passes(tried: Attempt, full: bool = True) -> Attempt:
    """Return the passes that end a legal record when no player can move any more (rules, section 5)."""
    while tried.is_legal and _must_pass(tried, tried.played):
        end = tried.plies[-1].span if tried.plies else NOWHERE
        plies = (*tried.plies, Ply(PASS, Span(end.end, end.end, end.line, end.column)))
        tried = _replay(plies, tried.start, tried.passes | {len(tried.plies)}, full)
    return tried
