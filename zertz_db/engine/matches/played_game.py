"""Keep the course of a game that is being played, and write it as a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zertz_db.check.replay.repetition import STANDSTILL, end_by_repetition, find_repetitions
from zertz_db.parser.record import CAPTURE, PASS, PLACEMENT, Marble, Ply, Record, Span
from zertz_db.parser.vocabulary.terms import RESULT_OF, Ending, GameResult, win_against
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position

_SPAN = Span(0, 0, 1, 1)


class Finish(NamedTuple):
    """The end of a game. winner: 1 or 2, 0 for none. loser: who resigned or lost on time, or None."""

    ending: Ending
    winner: int
    loser: int | None = None


class Course:
    """A game: the first position, and the moves played so far."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.positions = [start]
        self.moves: list[Move] = []

    @property
    def position(self) -> Position:
        """Return the position now."""
        return self.positions[-1]

    @property
    def notations(self) -> tuple[str, ...]:
        """Return the moves in official notation, with their claims."""
        return tuple(
            before.written(move, after)
            for move, before, after in zip(self.moves, self.positions, self.positions[1:], strict=False)
        )

    def play(self, move: Move | str) -> None:
        """Play a move. Raises IllegalMove."""
        if isinstance(move, str):
            move = self.position.move(move)
        after = self.position.play(move)
        self.moves.append(move)
        self.positions.append(after)

    def undo(self) -> None:
        """Take back the last move. There must be one."""
        self.moves.pop()
        self.positions.pop()

    def finish(self) -> Finish | None:
        """Return how the moves ended the game, if they did: by the rules, or by the same four turns made again."""
        position = self.position
        if position.ending:
            return Finish(position.ending, position.winner or 0)
        if self._is_repeated():
            return Finish(Ending.REPETITION, 0)
        return None

    def _is_repeated(self) -> bool:
        recent = self.moves[-STANDSTILL:]
        if len(recent) < STANDSTILL or any(move.removed for move in recent):
            return False
        numbers, begins = [], [0]
        for move, before in zip(self.moves, self.positions, strict=False):
            numbers += before.encode(move)
            begins.append(len(numbers))
        times = self.start.rules.repetition or 2
        return end_by_repetition(find_repetitions(numbers, begins), times) is not None


def write_record(
    course: Course,
    players: Sequence[str],
    finish: Finish | None,
    *,
    event: str | None = None,
    date: str | None = None,
    number: int | None = None,
    comment: str | None = None,
) -> Record:
    """Return a game as a record of the official notation; without an end it is an unfinished one."""
    start, rules = course.start, course.start.rules
    usual = not start.board.is_custom and Position.start(start.board, rules) == start
    return Record(
        dialect="gipf",
        span=_SPAN,
        board=start.board.name,
        **rules.stated(),
        position=None if usual else start.text,
        player1=players[0],
        player2=players[1],
        event=event,
        date=date,
        round=None if number is None else str(number),
        comment=comment,
        plies=tuple(
            _ply(move, before, after)
            for move, before, after in zip(course.moves, course.positions, course.positions[1:], strict=False)
        ),
        result=_result(course, finish),
        ending=finish.ending if finish else None,
        ending_by=finish.loser if finish else None,
    )


def _result(course: Course, finish: Finish | None) -> GameResult:
    if finish is None:
        return GameResult.UNKNOWN
    if finish.loser:
        return win_against(finish.loser)
    if finish.ending == Ending.BOTH_LOSE:
        return GameResult.BOTH_LOSE
    return RESULT_OF.get(finish.winner, course.start.rules.tie)


def _ply(move: Move, before: Position, after: Position) -> Ply:
    if move.jumps:
        return Ply(CAPTURE, _SPAN, move.ring, jumps=tuple(Marble(jump.colour, jump.ring) for jump in move.jumps))
    if not move.ring:
        return Ply(PASS, _SPAN)
    claim = tuple(Marble(move.colour if ring == move.ring else before.on(ring), ring) for ring in after.claimed)
    origin = "pool" if any(before.pool) else "own"
    return Ply(PLACEMENT, _SPAN, move.ring, move.colour, removed=move.removed, claim=claim, taken_from=origin)
