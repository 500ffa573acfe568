"""List the plies that a record may have lost: omitted, passed, or replaced by an invalid turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from zertz_db.check.repair.edits import MISSING, PASSED, Edit, captured
from zertz_db.check.replay.attempt import Attempt
from zertz_db.parser.record import CAPTURE, PASS, PLACEMENT, Ply, Span
from zertz_db.rules.board import Board
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import COLOURS

MissingPlacement: TypeAlias = tuple[int, int, int, int]
"""A placement to insert before a ply, all by numbers: the ply, its colour, its ring, and its removed ring or -1.

There are so many of these that only the helpful ones become an `Edit`."""

MISSING_PLY_COST = 6.0
"""Cost of choosing one of all possible placements for a lost one."""


def missing_captures(tried: Attempt, at: int) -> Iterator[Edit]:
    """Yield a compulsory capture that may be missing before a ply."""
    position = tried.position(at)
    like = Ply(CAPTURE, _in_front(tried.plies[at]))
    for move in position.legal_moves() if position.capture_is_due else ():
        yield Edit(MISSING, at, at, (captured(move, like),), 2.0)


def missing_placements(tried: Attempt, at: int, rest: Rest) -> list[MissingPlacement]:
    """Return the placements that may be missing before a ply."""
    position = tried.position(at)
    if position.is_over or position.capture_is_due:
        return []
    return [(at, *move) for move in _placements(position, at, rest)]


def edit_of(tried: Attempt, lost: MissingPlacement) -> Edit:
    """Return the edit that inserts a placement."""
    at, colour, ring, removed = lost
    position = tried.position(at)
    ply = _placed((colour, ring, removed), position, Ply(PLACEMENT, _in_front(tried.plies[at])))
    return Edit(MISSING, at, at, (ply,), MISSING_PLY_COST)


def _in_front(ply: Ply) -> Span:
    return ply.span._replace(end=ply.span.start)


def passed(tried: Attempt, at: int, rest: Rest) -> Iterator[Edit]:
    """Yield placements in place of a pass."""
    ply, position = tried.plies[at], tried.position(at)
    if ply.kind == PASS and not position.is_over and not position.capture_is_due:
        for move in _placements(position, at, rest):
            yield Edit(PASSED, at, at + 1, (_placed(move, position, ply),), MISSING_PLY_COST)


def find_missing_plies(tried: Attempt, at: int, removed: str | None, like: Ply) -> Iterator[Edit]:
    """Yield whole turns in place of ply `at`, of which only the removed ring or nothing is known; `like` has span and player."""
    position = tried.position(at)
    if position.is_over:
        return
    if position.capture_is_due:
        for capture in position.legal_moves():
            yield Edit("a capture lost", at, at + 1, (captured(capture, like),), 2.0)
        return
    known = position.board.index.get(removed or "")
    for move in _placements(position, at + 1, rest_of(tried)):
        if removed is None or move[2] == known:
            ply = _placed(move, position, like)
            yield Edit("a placement lost", at, at + 1, (ply,), 4.0 if removed else MISSING_PLY_COST)


_Move: TypeAlias = tuple[int, int, int]
"""A placement's colour, ring and removed ring (or -1) by their numbers."""


def _placed(move: _Move, position: Position, like: Ply) -> Ply:
    """Return a placement in a position, with the annotations of a ply."""
    rings, (colour, ring, removed) = position.board.rings, move
    return like._replace(
        kind=PLACEMENT, ring=rings[ring], colour=COLOURS[colour], removed=rings[removed] if removed >= 0 else None
    )


def _placements(position: Position, at: int, rest: Rest) -> list[_Move]:
    """Return placements before ply `at`, without those whose ring or removed ring the rest of the record needs."""
    rack = position.pool if any(position.pool) else position.captured[position.side - 1]
    colours = [colour for colour, count in enumerate(rack) if count]
    index, named, vacated = position.board.index, rest.named[at], rest.vacant[at]
    free = [index[ring] for ring in position.free_rings]
    unnamed = [ring for ring in free if not named >> ring & 1]
    return [
        (colour, ring, removed)
        for ring in map(index.__getitem__, position.vacant_rings)
        if not vacated >> ring & 1
        for removed in (unnamed if any(other != ring for other in free) else (-1,))
        if removed != ring
        for colour in colours
    ]


class Rest(NamedTuple):
    """Needs of the plies from each ply on, as sets of rings: those they name, and those that must not have held a marble before."""

    named: list[int]
    vacant: list[int]


def rest_of(tried: Attempt) -> Rest:
    """Return the needs of a record's plies, for each ply and after the last one."""
    named, vacant = [0], [0]
    for ply in reversed(tried.plies):
        names, needs = named[-1], vacant[-1]
        for ring, is_taken in reversed(list(_taken_and_left(tried.start.board, ply))):
            names |= 1 << ring
            needs = needs | 1 << ring if is_taken else needs & ~(1 << ring)
        named.append(names)
        vacant.append(needs)
    return Rest(named[::-1], vacant[::-1])


def _taken_and_left(board: Board, ply: Ply) -> Iterator[tuple[int, bool]]:
    """Yield the rings of a ply in turn, and whether the ply needs each of them vacant; if not, its marble leaves."""
    index, tables = board.index, board.tables
    for name in (ply.ring, ply.removed) if ply.kind == PLACEMENT else ():
        if name in index:
            yield index[name], True
    start = index.get(ply.ring)
    for jump in ply.jumps:
        landing = index.get(jump.ring)
        if start is None or landing is None:
            return
        yield start, False
        for place in range(6 * start, 6 * start + 6):
            if tables.landing[place] == landing:
                yield tables.neighbour[place], False
        yield landing, True
        start = landing
