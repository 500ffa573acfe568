"""List the legal moves of a position with their effects, and explain why other kinds of moves are illegal.

>>> found = list_moves(Position.start("37").play("Wd4,d1").play("Bd3,a1"))
>>> found.kind, [choice.notation for choice in found.choices]
('capture', ['x d3Wd5', 'x d4Bd2'])
>>> found.reason
'player 1 must capture: d3 can jump over white on d4 to d5; d4 can jump over black on d3 to d2'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

from zertz_db.parser.vocabulary.terms import Ending, MoveKind
from zertz_db.rules import kernel
from zertz_db.rules.chains import find_jumps
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import COLOURS, NAMES, Count

MOST = 50_000
"""Maximum number of examined moves: more than the placements on any board. There may be more chains of jumps."""
_MOST_NAMED = 4
"""Maximum number of jumps that the reason for a compulsory capture names."""


class Hop(NamedTuple):
    """A possible jump: the marble on `ring` over one of this colour on `over` to `to`."""

    ring: str
    over: str
    colour: str
    to: str

    def __str__(self) -> str:
        return f"{self.ring} can jump over {NAMES[self.colour]} on {self.over} to {self.to}"


class Claim(NamedTuple):
    """The rings that some placements claim. placements: their number. example: the first of them, in notation."""

    rings: tuple[str, ...]
    placements: int
    example: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal move and its effects.

    notation: the move in official notation, with its claims. claimed: the rings that it claims; under written claims, all that it may
    claim, and the notation and effects are those of the move with that claim. taken: the marbles that it captures. ending, winning_sets: as
    those of a position, after the move. forces: whether the opponent must then capture.
    """

    move: Move
    notation: str
    claimed: tuple[str, ...]
    taken: Count
    ending: Ending | None
    winning_sets: tuple[str, ...]
    forces: bool

    def as_json(self) -> dict[str, Any]:
        """Return the choice as plain values."""
        return {
            "move": self.notation,
            "claimed": list(self.claimed),
            "taken": list(self.taken),
            "ending": self.ending,
            "winning_sets": list(self.winning_sets),
            "forces": self.forces,
        }


@dataclass(frozen=True)
class Moves:
    """A position and its legal moves.

    choices: the legal moves, all of one kind. is_complete: whether these are all; only captures can exceed MOST.
    """

    position: Position
    choices: tuple[Choice, ...]
    is_complete: bool

    @property
    def kind(self) -> MoveKind | None:
        """Return the kind of turn: `placement`, `capture` or `pass`; None after the end of the game."""
        if not self.choices:
            return None
        move = self.choices[0].move
        return MoveKind.CAPTURE if move.jumps else MoveKind.PLACEMENT if move.ring else MoveKind.PASS

    @cached_property
    def hops(self) -> tuple[Hop, ...]:
        """Return the possible jumps: they make a capture compulsory."""
        return tuple(_hops(self.position))

    @property
    def reason(self) -> str:
        """Return a sentence that explains the kind of the moves."""
        return _REASONS[self.kind](self)

    @property
    def rack(self) -> Count:
        """Return the marbles available for a placement: the pool, or the player's captures once the pool is empty."""
        return self.position.pool if self.is_pool_left else self.position.captured[self.position.side - 1]

    @property
    def is_pool_left(self) -> bool:
        """Return whether the pool has any marble."""
        return any(self.position.pool)

    @property
    def by_colour(self) -> dict[str, int]:
        """Return the number of placements of each colour."""
        return dict(Counter(choice.move.colour for choice in self.choices if choice.move.colour))

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Return the possible claims of placements, most rings first."""
        found: dict[tuple[str, ...], list[Choice]] = {}
        for choice in self.choices:
            if choice.claimed:
                found.setdefault(choice.claimed, []).append(choice)
        claims = [Claim(rings, len(same), same[0].notation) for rings, same in found.items()]
        return tuple(sorted(claims, key=lambda claim: -len(claim.rings)))

    @property
    def endings(self) -> tuple[Choice, ...]:
        """Return the moves that end the game."""
        return tuple(choice for choice in self.choices if choice.ending)

    @property
    def forcing(self) -> int:
        """Return the number of moves after which the opponent must capture."""
        return sum(choice.forces for choice in self.choices)

    @property
    def lacking(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return for both players the number of marbles that each winning set still lacks, by the set's name."""
        first, second = (self.position.rules.missing(held) for held in self.position.captured)
        return first, second

    def as_json(self, limit: int | None = None) -> dict[str, Any]:
        """Return all of it as plain values, with at most `limit` single moves."""
        position = self.position
        return {
            "position": position.text,
            "side": position.side,
            "kind": self.kind,
            "reason": self.reason,
            "count": len(self.choices),
            "complete": self.is_complete,
            "claims_are": "written" if position.rules.written_claims else "automatic",
            "vacant_rings": list(position.vacant_rings),
            "free_rings": list(position.free_rings),
            "hops": [hop._asdict() for hop in self.hops],
            "placements": self.by_colour,
            "claims": [claim._asdict() for claim in self.claims],
            "endings": [choice.as_json() for choice in self.endings[:limit]],
            "forcing": self.forcing,
            "lacking": list(self.lacking),
            "ending": position.ending,
            "winner": position.winner,
            "winning_sets": list(position.winning_sets),
            "moves": [choice.as_json() for choice in self.choices[:limit]],
        }


def list_moves(position: Position | str) -> Moves:
    """List the legal moves of a position or a position string. Raises PositionError for an invalid string."""
    if isinstance(position, str):
        position = Position.parse(position)
    found = list(islice(position.each_move(), MOST + 1))
    choices = tuple(_choices(_with_edge(position), found[:MOST]))
    return Moves(position, choices, len(found) <= MOST)


def _with_edge(position: Position) -> Position:
    """Store the rings on the edge once in a position, so moves played from it need not find them again."""
    state = position.state
    state[kernel.EDGE] = kernel.edge_rings(position.board.tables, state[kernel.RINGS])
    return Position(position.board, position.rules, tuple(state))


def _choices(position: Position, moves: Iterable[Move]) -> Iterator[Choice]:
    full_before = {*position.full_groups} if position.rules.written_claims else set()
    for plain in moves:
        move, after = plain, position.play(plain)
        if position.rules.written_claims and plain.colour and not after.claimed:
            claimable = {*after.full_groups} - full_before
            if claimable:
                move = replace(plain, claim=frozenset(claimable))
                after = position.play(move)
        taken = [jump.colour for jump in move.jumps]
        if move.colour:
            taken = [move.colour if ring == move.ring else position.on(ring) or "" for ring in after.claimed]
        yield Choice(
            move,
            position.written(move, after),
            after.claimed,
            Count(*(taken.count(colour) for colour in COLOURS)),
            after.ending,
            after.winning_sets,
            after.capture_is_due,
        )


def _hops(position: Position) -> Iterator[Hop]:
    tables, names, state = position.board.tables, position.board.rings, position.state
    if position.is_over:
        return
    marbles, vacant = kernel.occupied(state), kernel.vacant(state)
    for ring, name in enumerate(names):
        if marbles >> ring & 1:
            for over, landing in find_jumps(tables, marbles, vacant, ring):
                yield Hop(name, names[over], COLOURS[kernel.colour_on(state, over)], names[landing])


def _over(found: Moves) -> str:
    position = found.position
    reasons = {
        Ending.SET: f"player {position.winner} has won with {' and '.join(position.winning_sets)}",
        Ending.BOARD_FILLED: f"player {position.winner} has won by filling the board",
        Ending.BOTH_LOSE: "every marble is on the board and neither player has captured any, so both have lost",
        Ending.NO_MOVE: "both players have passed, so it is a tie",
    }
    return f"the game is over: {reasons[position.ending or Ending.NO_MOVE]}"


def _must_capture(found: Moves) -> str:
    named = [str(hop) for hop in found.hops[:_MOST_NAMED]]
    if len(found.hops) > _MOST_NAMED:
        named.append(f"{len(found.hops) - _MOST_NAMED} more jumps are possible")
    return f"player {found.position.side} must capture: {'; '.join(named)}"


def _may_place(found: Moves) -> str:
    marble = "a marble from the pool" if found.is_pool_left else "one of his captures, since the pool is empty,"
    is_removed = any(choice.move.removed for choice in found.choices)
    ring = "removes a free ring" if is_removed else "removes no ring, since none is free"
    return f"player {found.position.side} can capture nothing, so he places {marble} and {ring}"


def _must_pass(found: Moves) -> str:
    lacking = "no ring is vacant" if not found.position.vacant_rings else "neither the pool nor he has a marble"
    return f"player {found.position.side} passes: he can capture nothing, and {lacking}"


_REASONS: dict[MoveKind | None, Callable[[Moves], str]] = {
    None: _over,
    MoveKind.CAPTURE: _must_capture,
    MoveKind.PLACEMENT: _may_place,
    MoveKind.PASS: _must_pass,
}
"""The function that explains the kind of the moves, by the kind."""
