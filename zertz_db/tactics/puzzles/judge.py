"""Judge a try at a puzzle: whether the move keeps the forced win, and how the defender answers.

`ask_try` checks a question where it arrives; `judge_try` searches, in a process that can be ended. Any move that keeps the win goes on,
also one that is not in the stored solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from zertz_db.errors import UserMistake
from zertz_db.rules.errors import IllegalMove
from zertz_db.rules.position import Position
from zertz_db.tactics.bounded_search import MAX_NODES_INTERPRETED, warm_up
from zertz_db.tactics.compiled_search import is_compiled
from zertz_db.tactics.limits import LARGEST_DEPTH, check_position
from zertz_db.tactics.solver import Refutation, measure_forced_win, refute, solve

NODES = 100_000
"""Maximum number of nodes for each reply of the defender."""
TOTAL = 1_000_000
"""Maximum number of nodes for all of them."""
SLACK = 4
"""Plies that a move which keeps the win may take longer than the shortest win."""
MOST_MOVES = 60
"""Maximum number of moves of a try, with the defender's."""
_ESCAPES = 3
"""Maximum number of replies that are named after a move which lets the win go."""


class PuzzleError(UserMistake):
    """The moves are not a try at this puzzle; the message says why."""


class Verdict(StrEnum):
    """What a move does with the forced win."""

    SHORTEST = "shortest"
    KEEPS = "keeps"
    LETS_GO = "lets-go"
    UNDECIDED = "undecided"
    GONE = "gone"


VERDICTS = {
    Verdict.SHORTEST: "the move wins, and as fast as possible",
    Verdict.KEEPS: f"the move keeps the win, but it takes up to {SLACK} plies longer",
    Verdict.LETS_GO: "no forced win was found after the move",
    Verdict.UNDECIDED: "the limits of the search did not suffice to decide",
    Verdict.GONE: "no forced win was found before the move: an earlier one has let it go",
}
"""Verdicts with their meanings."""


class Try(NamedTuple):
    """A try. before: the position before the last move. length: plies of the puzzle's win if that is its first move, or 0."""

    before: Position
    length: int
    move: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a move.

    move: in official notation. plies: within which it wins, itself included; None if no win was found. is_solved: it ended the game with a
    win. reply: the defender's move that delays the win most; None at the end, and after a move that does not win. escapes: after a move
    that lets the win go, replies after which no forced win was found, at most three; none after a placement that leaves no capture.
    """

    verdict: Verdict
    move: str
    plies: int | None
    is_solved: bool
    reply: str | None
    escapes: tuple[str, ...]

    @property
    def goes_on(self) -> bool:
        """Return whether the move keeps the win."""
        return self.verdict in (Verdict.SHORTEST, Verdict.KEEPS)

    def as_json(self) -> dict[str, Any]:
        """Return the judgement as plain values."""
        return {
            "verdict": str(self.verdict),
            "meaning": VERDICTS[self.verdict],
            "move": self.move,
            "plies": self.plies,
            "solved": self.is_solved,
            "reply": self.reply,
            "escapes": [*self.escapes],
        }


def ask_try(position: Position, length: int, moves: Sequence[str]) -> Try:
    """Return the question about the last of these moves, which solver and defender made in turns from the puzzle's position.

    length: plies of the puzzle's win. Raises PuzzleError for an illegal move, one after the end, and a defender's move at the end.
    """
    if len(moves) % 2 == 0 or len(moves) > MOST_MOVES:
        raise PuzzleError(
            f"a try is an odd number of moves, at most {MOST_MOVES - 1}: the solver's, and the defender's replies between them"
        )
    before = position
    try:
        for move in moves[:-1]:
            before = before.play(move)
        before.play(moves[-1])
    except IllegalMove as error:
        raise PuzzleError(f"these moves can't be played from the puzzle: {error}") from error
    check_position(before)
    return Try(before, length if len(moves) == 1 else 0, moves[-1])


def judge_try(question: Try) -> Judgement:
    """Search. Raises nothing: a process that serves would end."""
    warm_up()
    before, length, move = question
    nodes, total = (NODES, TOTAL) if is_compiled(before.board) else (MAX_NODES_INTERPRETED, 5 * MAX_NODES_INTERPRETED)
    shortest = length or measure_forced_win(before, LARGEST_DEPTH, nodes)
    if not shortest:
        return Judgement(Verdict.GONE, move, None, False, None, ())
    refutation = refute(before, move, min(shortest + SLACK, LARGEST_DEPTH), nodes, total)
    after = before.play(move)
    return Judgement(
        verdict=_verdict(refutation, shortest),
        move=refutation.move,
        plies=refutation.wins,
        is_solved=after.is_over and after.winner == before.side,
        reply=refutation.longest_reply,
        escapes=tuple(reply.notation for reply in refutation.replies[:_ESCAPES]),
    )


def _verdict(refutation: Refutation, shortest: int) -> Verdict:
    if refutation.wins:
        return Verdict.SHORTEST if refutation.wins <= shortest else Verdict.KEEPS
    is_decided = not refutation.leaves_jump or any(reply.is_proven for reply in refutation.replies)
    return Verdict.LETS_GO if is_decided or _is_over(refutation) else Verdict.UNDECIDED


def _is_over(refutation: Refutation) -> bool:
    """Return whether the move ended the game without a win: then there are no replies, and all of them were searched."""
    return not refutation.replies and refutation.replies_are_complete


class Hint(NamedTuple):
    """Moves that win fastest from a position: their rings, their colours (of a capture none), and the whole line of one win."""

    rings: tuple[str, ...]
    colours: str
    line: tuple[str, ...]


def find_hint(position: Position, depth: int) -> Hint | None:
    """Search for the moves that win fastest; None if no forced win within `depth` plies is found."""
    warm_up()
    found = solve(position, depth, NODES if is_compiled(position.board) else MAX_NODES_INTERPRETED)
    if not found.forced:
        return None
    rings = tuple(dict.fromkeys(one.kind.ring for one in found.winning))
    colours = "".join(dict.fromkeys(one.kind.colour for one in found.winning))
    return Hint(rings, colours, found.line)
