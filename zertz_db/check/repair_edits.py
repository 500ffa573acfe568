"""The small edits that could mend a record: at the illegal ply and at every ply before it, nearest first.

Each has a cost, in the manner of minus the logarithm of its likelihood: a slip of the pen that leaves few other readings costs
little, one among thousands of possible plies costs much. Which of them help is for a replay to say (`repair_replay`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from parser.record import CAPTURE, PASS, PLACEMENT, Marble, Ply
from zertz_db.check.attempt import Attempt
from zertz_db.rules import kernel
from zertz_db.rules.position import Move, Position
from zertz_db.rules.ruleset import COLOURS


class Edit(NamedTuple):
    """Plies `at` to `until` - 1 are replaced by `plies`; `kind` says in words what had gone wrong."""

    kind: str
    at: int
    until: int
    plies: tuple[Ply, ...]
    cost: float


MISSING, EXTRA = "a ply left out", "a ply too many"

_ALIKE = frozenset(map(frozenset, ("ad", "bd", "ce", "gq", "ij", "ft", "17", "38", "56", "68", "49", "27", "14")))
"""Letters and digits that are taken for each other."""

NEAR, SAME_COLUMN, FAR = 1.5, 2.5, 3.5

_APART = 0.1
"""What it costs to take a ring for the removed one for each marble of two that does not lie beside it: players seldom remove those."""


@lru_cache(maxsize=100_000)
def misread(ring: str, other: str) -> float:
    """What it costs to read one ring's name for another: less where letter or number is the next one, or looks like it."""
    letter, number = ring[0] == other[0], ring[1:] == other[1:]
    columns, rows = abs(ord(ring[0]) - ord(other[0])), abs(int(ring[1:]) - int(other[1:]))
    if letter or number:
        alike = frozenset((ring[0], other[0])) in _ALIKE or frozenset((ring[1:], other[1:])) in _ALIKE
        return NEAR if columns + rows == 1 or alike else SAME_COLUMN
    return SAME_COLUMN if columns == rows == 1 else FAR


def edits(tried: Attempt) -> Iterator[Edit]:
    """Every small edit at the illegal ply and, ever further back, at the plies before it."""
    for at in range(tried.played, -1, -1):
        yield from _edits_at(tried, at)
    if tried.refusal == kernel.GAME_OVER:
        left = len(tried.plies) - tried.played
        yield Edit("plies after the end", tried.played, len(tried.plies), (), 1.2 + 0.4 * left)


def _edits_at(tried: Attempt, at: int) -> Iterator[Edit]:
    ply, position = tried.plies[at], tried.position(at)
    due = [_captured(move, ply) for move in position.legal_moves()] if position.capture_is_due else []
    if ply.kind == PLACEMENT and not due:
        for kind, cost, placement in _other_placements(ply, position):
            yield Edit(kind, at, at + 1, (placement,), cost)
    for capture in due:
        kind, cost = _other_capture(ply, capture)
        yield Edit(kind, at, at + 1, (capture,), cost)
    if ply.kind == PASS and not due and not position.is_over:
        for move in _placements(tried, at, position):
            yield Edit("a pass for a ply", at, at + 1, (_placed(move, ply),), 6.0)
    yield Edit(EXTRA, at, at + 1, (), 0.5 if _is_repeated(tried, at) else 3.0)
    yield from _swapped_plies(tried, at)
    yield from _missing_plies(tried, at, position, due)


def _is_repeated(tried: Attempt, at: int) -> bool:
    """Whether a ply names the rings of the one before it, or of the player's own one before that."""
    before = tried.plies[max(0, at - 2) : at]
    return any(_names(ply) == _names(tried.plies[at]) for ply in before)


def _other_placements(ply: Ply, position: Position) -> Iterator[tuple[str, float, Ply]]:
    """One thing about a placement changed."""
    for colour in COLOURS:
        if colour != ply.colour:
            yield "the marble's colour", 1.5, ply._replace(colour=colour)
    for ring in position.vacant_rings:
        if ring != ply.ring and ring != ply.removed:
            yield "the marble's ring", misread(ply.ring, ring), ply._replace(ring=ring)
    for ring in position.free_rings:
        if ring not in (ply.ring, ply.removed):
            cost = _apart(position, ring, ply.ring) + (misread(ply.removed, ring) if ply.removed else 2.5)
            kind = "the removed ring" if ply.removed else "a removed ring left out"
            yield kind, cost, ply._replace(removed=ring)
    if ply.removed:
        yield "a removed ring too many", 1.5, ply._replace(removed=None)
        yield "marble and removed ring swapped", 1.0, ply._replace(ring=ply.removed, removed=ply.ring)
    yield from _other_claims(ply, position)


def _apart(position: Position, removed: str, placed: str) -> float:
    """What speaks against a ring as the removed one by its place: that few marbles lie beside it."""
    index = position.board.index
    marbles = kernel.occupied(position.state) | (1 << index[placed] if placed in index else 0)
    beside = (position.board.tables.around[index[removed]] & marbles).bit_count()
    return _APART * max(0, 2 - beside)


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
    """Everything that a placement can claim, where claims are written."""
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


def _captured(move: Move, like: Ply) -> Ply:
    """A capture in the place of a ply, with its annotations."""
    jumps = tuple(Marble(jump.colour, jump.ring) for jump in move.jumps)
    return like._replace(
        kind=CAPTURE, ring=move.ring, colour=None, removed=None, jumps=jumps, claim=(), taken_from=None
    )


def _other_capture(ply: Ply, capture: Ply) -> tuple[str, float]:
    """What is wrong with a ply that should have been this capture, and what it costs to think so."""
    if ply.kind != CAPTURE:
        return "a capture is compulsory", 5.0
    written, meant = _rings(ply), _rings(capture)
    if written == meant:
        return "the jumped marble's colour", 1.0
    shorter = min(len(written), len(meant))
    if written[:shorter] == meant[:shorter]:
        return ("a jump left out", 1.0) if len(written) < len(meant) else ("a jump too many", 1.0)
    if written == meant[::-1]:
        return "the jump's direction", 1.5
    if len(written) == len(meant):
        cost = sum(misread(one, other) for one, other in zip(written, meant, strict=True) if one != other)
        return "the rings of a jump", min(cost, 4.5)
    return ("another way to jump", 3.0) if written[0] == meant[0] else ("another capture", 4.5)


def _rings(ply: Ply) -> list[str]:
    return [ply.ring, *(jump.ring for jump in ply.jumps)]


def _swapped_plies(tried: Attempt, at: int) -> Iterator[Edit]:
    """This ply and the next one, or the player's own next one, in the other order."""
    for apart, cost in ((1, 1.5), (2, 2.5)):
        run = tried.plies[at : at + apart + 1]
        if len(run) == apart + 1:
            first, *between, last = run
            swapped = (last._replace(mover=first.mover), *between, first._replace(mover=last.mover))
            yield Edit("two plies swapped", at, at + apart + 1, swapped, cost)


def _missing_plies(tried: Attempt, at: int, position: Position, due: list[Ply]) -> Iterator[Edit]:
    """A ply that was left out in front of this one: a compulsory capture, or a placement that the rest of the record allows."""
    here = tried.plies[at].span
    span = here._replace(end=here.start)
    for capture in due:
        bare = Ply(CAPTURE, span, capture.ring, jumps=capture.jumps)
        yield Edit(MISSING, at, at, (bare,), 2.0)
    if not due and not position.is_over:
        for colour, ring, removed in _placements(tried, at, position):
            cost = 6.0 + (_apart(position, removed, ring) if removed else 0.0)
            yield Edit(MISSING, at, at, (Ply(PLACEMENT, span, ring, colour, removed),), cost)


def lost_plies(tried: Attempt, at: int, removed: str | None, like: Ply) -> Iterator[Edit]:
    """A whole turn in the place of ply `at`, of which only the ring removed is known, or nothing at all; `like` has place and player."""
    position = tried.position(at)
    if position.is_over:
        return
    if position.capture_is_due:
        for move in position.legal_moves():
            yield Edit("a capture lost", at, at + 1, (_captured(move, like),), 2.0)
        return
    for placement in _placements(tried, at + 1, position):
        if removed is None or placement[2] == removed:
            yield Edit("a placement lost", at, at + 1, (_placed(placement, like),), 4.0 if removed else 6.0)


def _placed(move: tuple[str, str, str | None], like: Ply) -> Ply:
    colour, ring, removed = move
    return like._replace(kind=PLACEMENT, ring=ring, colour=colour, removed=removed)


def _placements(tried: Attempt, at: int, position: Position) -> Iterator[tuple[str, str, str | None]]:
    """Placements in front of a ply, but for those that remove a ring which the rest of the record still names."""
    named = {ring for ply in tried.plies[at:] for ring in _names(ply)}
    rack = position.pool if any(position.pool) else position.captured[position.side - 1]
    colours = [colour for colour, count in zip(COLOURS, rack, strict=True) if count]
    free = position.free_rings
    for ring in position.vacant_rings:
        removable: list[str | None] = [other for other in free if other != ring]
        for removed in removable or [None]:
            if removed not in named:
                yield from ((colour, ring, removed) for colour in colours)


def _names(ply: Ply) -> list[str]:
    """The rings that a ply names, its claim apart."""
    return [*filter(None, (ply.ring, ply.removed)), *(jump.ring for jump in ply.jumps)]
