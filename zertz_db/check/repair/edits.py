"""List the small edits that could repair a record at one of its plies.

The cost of an edit is about minus the logarithm of its likelihood. An error with few other readings costs little; one of thousands of
possible plies costs much. A replay decides which edits help (`replay_edits`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from zertz_db.check.replay.attempt import Attempt
from zertz_db.parser.record import CAPTURE, PLACEMENT, Marble, Ply
from zertz_db.rules import kernel
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import COLOURS


class Edit(NamedTuple):
    """An edit that replaces plies `at` to `until` - 1 by `plies`; `kind` describes the mistake in words."""

    kind: str
    at: int
    until: int
    plies: tuple[Ply, ...]
    cost: float


MISSING, EXTRA = "a ply left out", "a ply too many"
_REMOVED, _NONE_REMOVED, PASSED = "the removed ring", "a removed ring left out", "a pass for a ply"

COST_OF_PICK = frozenset((MISSING, _REMOVED, _NONE_REMOVED, PASSED))
"""Costs of edits that are picked from many similar ones; for them, rare choices of players cost more (`priors`)."""

_ALIKE = frozenset(map(frozenset, ("ad", "bd", "ce", "gq", "ij", "ft", "17", "38", "56", "68", "49", "27", "14")))
"""Letters and digits that look alike."""

NEAR, SAME_COLUMN, FAR = 1.5, 2.5, 3.5

PER_PLY = 0.15
"""Cost of an edit for each ply between it and the fault, in addition to its own."""

LEAST = 0.5
"""The cost of the likeliest edit."""


@lru_cache(maxsize=100_000)
def misread(ring: str, other: str) -> float:
    """Return the cost of misreading one ring's name as another: less if letter or number is the next one, or looks similar."""
    letter, number = ring[0] == other[0], ring[1:] == other[1:]
    columns, rows = abs(ord(ring[0]) - ord(other[0])), abs(int(ring[1:]) - int(other[1:]))
    if letter or number:
        alike = frozenset((ring[0], other[0])) in _ALIKE or frozenset((ring[1:], other[1:])) in _ALIKE
        return NEAR if columns + rows == 1 or alike else SAME_COLUMN
    return SAME_COLUMN if columns == rows == 1 else FAR


def list_edits(tried: Attempt, at: int) -> Iterator[Edit]:
    """Yield the edits of one ply, and of it and the next ones, except missing plies."""
    ply, position = tried.plies[at], tried.position(at)
    due = [captured(move, ply) for move in position.legal_moves()] if position.capture_is_due else []
    if ply.kind == PLACEMENT and not due:
        for kind, cost, placement in _other_placements(ply, position):
            yield Edit(kind, at, at + 1, (placement,), cost)
    for capture in due:
        kind, cost = _other_capture(ply, capture)
        yield Edit(kind, at, at + 1, (capture,), cost)
    yield Edit(EXTRA, at, at + 1, (), LEAST if _is_repeated(tried, at) else 3.0)
    yield from _swapped_plies(tried, at)


def _is_repeated(tried: Attempt, at: int) -> bool:
    """Return whether a ply names the rings of the one before it, or of the player's own one before that."""
    before = tried.plies[max(0, at - 2) : at]
    return any(_names(ply) == _names(tried.plies[at]) for ply in before)


def _other_placements(ply: Ply, position: Position) -> Iterator[tuple[str, float, Ply]]:
    """Yield edits that change one part of a placement."""
    for colour in COLOURS:
        if colour != ply.colour:
            yield "the marble's colour", 1.5, ply._replace(colour=colour)
    for ring in position.vacant_rings:
        if ring != ply.ring and ring != ply.removed:
            yield "the marble's ring", misread(ply.ring, ring), ply._replace(ring=ring)
    for ring in position.free_rings:
        if ring not in (ply.ring, ply.removed):
            cost = misread(ply.removed, ring) if ply.removed else 2.5
            kind = _REMOVED if ply.removed else _NONE_REMOVED
            yield kind, cost, ply._replace(removed=ring)
    if ply.removed:
        yield "a removed ring too many", 1.5, ply._replace(removed=None)
        yield "marble and removed ring swapped", 1.0, ply._replace(ring=ply.removed, removed=ply.ring)
    yield from _other_claims(ply, position)


def _other_claims(ply: Ply, position: Position) -> Iterator[tuple[str, float, Ply]]:
    if ply.claim:
        yield "the claim", 1.0, ply._replace(claim=())
    if ply.taken_from:
        yield "where the marble came from", 1.0, ply._replace(taken_from=None)
    if position.rules.written_claims:
        claim = _whole_claim(ply, position)
        if claim and claim != ply.claim:
            yield "the claim" if ply.claim else "a claim left out", 1.0, ply._replace(claim=claim)


def _whole_claim(ply: Ply, position: Position) -> tuple[Marble, ...]:
    """Yield the edit that claims all that a placement can, under written claims."""
    index = position.board.index
    if ply.ring not in index or (ply.removed and ply.removed not in index):
        return ()
    state = position.state
    before = kernel.full_groups(position.board.tables, state[kernel.RINGS], kernel.occupied(state))
    state[kernel.MARBLES + COLOURS.index(ply.colour or "W")] |= 1 << index[ply.ring]
    state[kernel.RINGS] &= ~(1 << index[ply.removed]) if ply.removed else -1
    full = kernel.full_groups(position.board.tables, state[kernel.RINGS], kernel.occupied(state)) & ~before
    return tuple(
        Marble(COLOURS[kernel.colour_on(state, ring)], name)
        for ring, name in enumerate(position.board.rings)
        if full >> ring & 1
    )


def captured(move: Move, like: Ply) -> Ply:
    """Return a capture in place of a ply, with its annotations."""
    jumps = tuple(Marble(jump.colour, jump.ring) for jump in move.jumps)
    return like._replace(
        kind=CAPTURE, ring=move.ring, colour=None, removed=None, jumps=jumps, claim=(), taken_from=None
    )


def _other_capture(ply: Ply, capture: Ply) -> tuple[str, float]:
    """Return the mistake in a ply that should have been this capture, and its cost."""
    if ply.kind != CAPTURE:
        return "a capture is compulsory", 5.0
    written, intended = _rings(ply), _rings(capture)
    if written == intended:
        return "the jumped marble's colour", 1.0
    shorter = min(len(written), len(intended))
    if written[:shorter] == intended[:shorter]:
        return ("a jump left out", 1.0) if len(written) < len(intended) else ("a jump too many", 1.0)
    if written == intended[::-1]:
        return "the jump's direction", 1.5
    if len(written) == len(intended):
        cost = sum(misread(one, other) for one, other in zip(written, intended, strict=True) if one != other)
        return "the rings of a jump", min(cost, 4.5)
    return ("another way to jump", 3.0) if written[0] == intended[0] else ("another capture", 4.5)


def _rings(ply: Ply) -> list[str]:
    return [ply.ring, *(jump.ring for jump in ply.jumps)]


def _swapped_plies(tried: Attempt, at: int) -> Iterator[Edit]:
    """Yield the edits that swap this ply with the next one, or with the player's own next one."""
    for distance, cost in ((1, 1.5), (2, 2.5)):
        run = tried.plies[at : at + distance + 1]
        if len(run) == distance + 1:
            first, *between, last = run
            swapped = (last._replace(mover=first.mover), *between, first._replace(mover=last.mover))
            yield Edit("two plies swapped", at, at + distance + 1, swapped, cost)


def _names(ply: Ply) -> list[str]:
    """Return the rings that a ply names outside its claim."""
    return [*filter(None, (ply.ring, ply.removed)), *(jump.ring for jump in ply.jumps)]
