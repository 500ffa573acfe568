"""Represent a record with its verdict: `zertz check` prints it, and an import stores it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from zertz_db.check.findings import Finding
from zertz_db.check.replay.attempt import Attempt
from zertz_db.check.replay.notation import colour_in, jumped_ring, list_notations, with_claims
from zertz_db.parser.record import CAPTURE, PLACEMENT, Marble, Ply, Record
from zertz_db.parser.vocabulary.terms import GAMES, LOSSES, WINNER_OF, GameResult, Verdict
from zertz_db.rules.kernel import CAPTURED, CLAIMED, POOL
from zertz_db.rules.position import Position
from zertz_db.rules.replay import LEGAL_MOVES
from zertz_db.rules.rule_sets import Count
from zertz_db.rules.start import start_state


@dataclass(frozen=True)
class CheckedRecord:
    """The verdict on a record, and the legal part of its game.

    `result` is the stated result, the computed one, or both if they agree; None if they contradict each other or neither is known (rules,
    section 7). `attempt` is None without a start position.
    """

    record: Record
    verdict: Verdict
    attempt: Attempt | None
    findings: tuple[Finding, ...]
    ending: str | None = None
    ending_by: int | None = None
    winning_sets: tuple[str, ...] = ()
    result_claimed: str | None = None
    result_computed: str | None = None

    @property
    def is_game(self) -> bool:
        """Return whether every ply is legal: verified or unfinished."""
        return self.verdict in GAMES

    @property
    def result(self) -> str | None:
        """Return the agreed result."""
        if self.result_claimed and self.result_computed and self.result_claimed != self.result_computed:
            return None
        return self.result_computed or self.result_claimed

    @property
    def winner(self) -> int | None:
        """Return the winner, 1 or 2, or 0 without one, by the agreed result. Return None if it is unknown or contradicted, and for an
        illegal game.
        """
        return WINNER_OF.get(self.result or "") if self.is_game else None

    @property
    def plies(self) -> int:
        """Return the number of played plies."""
        return self.attempt.played if self.attempt else 0

    @property
    def final(self) -> Position | None:
        """Return the last position reached."""
        return self.attempt.position(self.attempt.played) if self.attempt else None

    @property
    def board(self) -> str | None:
        """Return the board's name."""
        return self.attempt.start.board.name if self.attempt else self.record.board

    @property
    def rule_set(self) -> str | None:
        """Return the rule set's name."""
        return self.attempt.start.rules.name if self.attempt else self.record.rule_set

    def counts(self) -> tuple[Count, Count, Count] | None:
        """Return player 1's captures, player 2's, and the pool, at the end."""
        if self.attempt is None:
            return None
        row = self.attempt.final
        return (
            Count(*row[CAPTURED : CAPTURED + 3]),
            Count(*row[CAPTURED + 3 : CAPTURED + 6]),
            Count(*row[POOL : POOL + 3]),
        )

    @cached_property
    def completed_plies(self) -> tuple[Ply, ...]:
        """Return the played plies, with jumped colours and claims filled in, passes included."""
        tried = self.attempt
        if tried is None:
            return ()
        return tuple(complete(tried, number) for number in range(tried.played))

    @cached_property
    def moves(self) -> list[str]:
        """Return the plies in canonical official notation."""
        return with_claims(self.attempt, self.moves_before_claims) if self.attempt else []

    @cached_property
    def moves_before_claims(self) -> list[str]:
        """Return the plies in canonical official notation without their claims."""
        return list_notations(self.attempt) if self.attempt else []

    @property
    def starts_as_usual(self) -> bool:
        """Return whether the start is an empty standard board with the whole supply in the pool."""
        if self.attempt is None or self.attempt.start.board.is_custom:
            return False
        start = self.attempt.start
        return start.state == start_state(start.board, start.rules)

    def legal_counts(self) -> list[int]:
        """Return the number of legal moves before each ply."""
        return [row[LEGAL_MOVES] for row in self.attempt.rows[: self.attempt.played]] if self.attempt else []

    def completed(self) -> Record:
        """Return the record with all facts of its replay, as the writers need it.

        Raises ValueError for a record that is not a game.
        """
        if not self.is_game or self.attempt is None:
            raise ValueError(f"a record that is {self.verdict} can't be completed")
        start = self.attempt.start
        return replace(
            self.record,
            board=start.board.name,
            **start.rules.stated(),
            position=None if self.starts_as_usual else start.text,
            edits=(),
            plies=self.completed_plies,
            result=self.result_claimed or self.result_computed or GameResult.UNKNOWN,
            ending=self.ending,
            ending_by=self.ending_by if self.ending in LOSSES else None,
            remarks=(),
        )

    def played(self) -> Record:
        """Return the record with its legal plies as played, and all else as written."""
        return replace(self.record, plies=self.completed_plies)

    def as_json(self) -> dict[str, Any]:
        """Return the verdict for machines, without the record's source."""
        counts = self.counts()
        return {
            "line": self.record.span.line,
            "dialect": self.record.dialect,
            "board": self.board,
            "rule_set": self.rule_set,
            "verdict": self.verdict,
            "plies": self.plies,
            "ending": self.ending,
            "winner": self.winner,
            "winning_sets": list(self.winning_sets),
            "captured": [list(counts[0]), list(counts[1])] if counts else None,
            "pool": list(counts[2]) if counts else None,
            "findings": [finding.as_json() for finding in self.findings],
        }


def complete(tried: Attempt, number: int) -> Ply:
    """Return a played ply with the colours of the jumping and jumped marbles, the claimed marbles, and the origin of a placed one."""
    ply, before = tried.plies[number], tried.rows[number]
    board = tried.start.board
    if ply.kind == CAPTURE:
        rings = [board.index[ply.ring], *(board.index[jump.ring] for jump in ply.jumps)]
        colours = [colour_in(before, jumped_ring(board, ring, landing)) for ring, landing in pairwise(rings)]
        landings = (jump.ring for jump in ply.jumps)
        colour = colour_in(before, rings[0])
        return ply._replace(colour=colour, jumps=tuple(map(Marble, colours, landings)))
    if ply.kind == PLACEMENT and ply.taken_from is None:
        ply = ply._replace(taken_from="pool" if any(before[POOL : POOL + 3]) else "own")
    claimed = tried.rows[number + 1][CLAIMED]
    if ply.kind == PLACEMENT and (claimed or ply.claim):
        taken = (ring for ring in range(len(board.rings)) if claimed >> ring & 1)
        placed = board.index[ply.ring]
        claim = (Marble(ply.colour if ring == placed else colour_in(before, ring), board.rings[ring]) for ring in taken)
        return ply._replace(claim=tuple(claim))
    return ply
