"""The small edits that could mend a record: at the illegal ply and at every ply before it, nearest first.

Each has a cost, in the manner of minus the logarithm of its likelihood: a slip of the pen that leaves few other readings costs
little, one among thousands of possible plies costs much. Which of them help is for a replay to say (`repair_replay`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from parser.record import CAPTURE, PASS, PLACEMENT, Marble, Ply, Span
from zertz_db.check.attempt import Attempt
from zertz_db.rules import kernel
from zertz_db.rules.board import Board
from zertz_db.rules.position import Move, Position
from zertz_db.rules.ruleset import COLOURS


class Edit(NamedTuple):
    """Plies `at` to `until` - 1 are replaced by `plies`; `kind` says in words what had gone wrong."""

    kind: str
    at: int
    until: int
    plies: tuple[Ply, ...]
    cost: float


LostPlacement: TypeAlias = tuple[int, int, int, int]
"""A placement to be put in front of a ply, all by numbers: the ply, its colour, its ring, and the ring it removes or -1.

There are so many of these that an `Edit` is made only of those that help.
"""

MISSING, EXTRA = "a ply left out", "a ply too many"
_REMOVED, _NONE_REMOVED, _PASSED = "the removed ring", "a removed ring left out", "a pass for a ply"

PICKED = frozenset((MISSING, _REMOVED, _NONE_REMOVED, _PASSED))
"""The kinds of edits that are picked from many alike: there it counts what players seldom do (`repair_habits`)."""

_ALIKE = frozenset(map(frozenset, ("ad", "bd", "ce", "gq", "ij", "ft", "17", "38", "56", "68", "49", "27", "14")))
"""Letters and digits that are taken for each other."""

NEAR, SAME_COLUMN, FAR = 1.5, 2.5, 3.5

PER_PLY = 0.15
"""What an edit costs for each ply between it and the fault, beside its own cost."""

_LEAST = 0.5
"""The cost of the likeliest edit."""

_LOST = 6.0
"""What it costs to take one of all possible placements for one that was lost."""

_LATER = int((_LOST - _LEAST) / PER_PLY)
"""So many plies further from the fault any other edit may be as likely as such a placement."""


@lru_cache(maxsize=100_000)
def misread(ring: str, other: str) -> float:
    """What it costs to read one ring's name for another: less where letter or number is the next one, or looks like it."""
    letter, number = ring[0] == other[0], ring[1:] == other[1:]
    columns, rows = abs(ord(ring[0]) - ord(other[0])), abs(int(ring[1:]) - int(other[1:]))
    if letter or number:
        alike = frozenset((ring[0], other[0])) in _ALIKE or frozenset((ring[1:], other[1:])) in _ALIKE
        return NEAR if columns + rows == 1 or alike else SAME_COLUMN
    return SAME_COLUMN if columns == rows == 1 else FAR


class Wave(NamedTuple):
    """Edits that are about equally likely: none of them, nor of the waves behind, costs less than `least`, its distance included."""

    least: float
    edits: list[Edit]
    placements: list[LostPlacement]


def waves(tried: Attempt) -> Iterator[Wave]:
    """Every small edit at the illegal ply and, ever further back, at the plies before it.

    Of placements left out there are far more than of all others: they come as much later as they cost more.
    """
    rest, is_kept = _rest(tried), _turns_kept_by(tried)
    for distance in range(tried.played + 1 + _LATER):
        edits: list[Edit] = []
        placements: list[LostPlacement] = []
        if distance <= tried.played:
            edits += _slips(tried, tried.played - distance, rest)
        if distance == 0 and tried.refusal == kernel.GAME_OVER:
            left = len(tried.plies) - tried.played
            edits.append(Edit("plies after the end", tried.played, len(tried.plies), (), 1.2 + 0.4 * left))
        if distance >= _LATER and is_kept(1, tried.played):
            placements += _lost_placements(tried, tried.played - distance + _LATER, rest)
        kept = [edit for edit in edits if is_kept(len(edit.plies) - edit.until + edit.at, edit.until)]
        yield Wave(_LEAST + PER_PLY * distance, kept, placements)


def _turns_kept_by(tried: Attempt) -> Callable[[int, int], bool]:
    """Whether players, where the record names them, take turns with so many plies more in front of one."""
    last_named = max((number for number, ply in enumerate(tried.plies) if ply.mover), default=-1)

    def kept(more: int, until: int) -> bool:
        return max(until, tried.played) > last_named or more % 2 == tried.wrong_player

    return kept


def _slips(tried: Attempt, at: int, rest: _Rest) -> Iterator[Edit]:
    ply, position = tried.plies[at], tried.position(at)
    due = [_captured(move, ply) for move in position.legal_moves()] if position.capture_is_due else []
    if ply.kind == PLACEMENT and not due:
        for kind, cost, placement in _other_placements(ply, position):
            yield Edit(kind, at, at + 1, (placement,), cost)
    for capture in due:
        kind, cost = _other_capture(ply, capture)
        yield Edit(kind, at, at + 1, (capture,), cost)
    if ply.kind == PASS and not due and not position.is_over:
        for move in _placements(position, at, rest):
            yield Edit(_PASSED, at, at + 1, (_placed(move, position, ply),), _LOST)
    yield Edit(EXTRA, at, at + 1, (), _LEAST if _is_repeated(tried, at) else 3.0)
    yield from _swapped_plies(tried, at)
    yield from _lost_captures(tried, at, due)


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


def _lost_captures(tried: Attempt, at: int, due: list[Ply]) -> Iterator[Edit]:
    """A compulsory capture that was left out in front of a ply."""
    span = _in_front(tried.plies[at])
    for capture in due:
        bare = Ply(CAPTURE, span, capture.ring, jumps=capture.jumps)
        yield Edit(MISSING, at, at, (bare,), 2.0)


def _lost_placements(tried: Attempt, at: int, rest: _Rest) -> list[LostPlacement]:
    """The placements that may have been left out in front of a ply."""
    position = tried.position(at)
    if position.is_over or position.capture_is_due:
        return []
    return [(at, *move) for move in _placements(position, at, rest)]


def edit_of(tried: Attempt, lost: LostPlacement) -> Edit:
    """The edit that puts a placement in."""
    at, colour, ring, removed = lost
    position = tried.position(at)
    ply = _placed((colour, ring, removed), position, Ply(PLACEMENT, _in_front(tried.plies[at])))
    return Edit(MISSING, at, at, (ply,), _LOST)


def _in_front(ply: Ply) -> Span:
    return ply.span._replace(end=ply.span.start)


def lost_plies(tried: Attempt, at: int, removed: str | None, like: Ply) -> Iterator[Edit]:
    """A whole turn in the place of ply `at`, of which only the ring removed is known, or nothing at all; `like` has place and player."""
    position = tried.position(at)
    if position.is_over:
        return
    if position.capture_is_due:
        for capture in position.legal_moves():
            yield Edit("a capture lost", at, at + 1, (_captured(capture, like),), 2.0)
        return
    known = position.board.index.get(removed or "")
    for move in _placements(position, at + 1, _rest(tried)):
        if removed is None or move[2] == known:
            ply = _placed(move, position, like)
            yield Edit("a placement lost", at, at + 1, (ply,), 4.0 if removed else _LOST)


_Move: TypeAlias = tuple[int, int, int]
"""A placement's colour, ring and removed ring (or -1) by their numbers."""


def _placed(move: _Move, position: Position, like: Ply) -> Ply:
    """A placement in a position, with the annotations of a ply."""
    rings, (colour, ring, removed) = position.board.rings, move
    return like._replace(
        kind=PLACEMENT, ring=rings[ring], colour=COLOURS[colour], removed=rings[removed] if removed >= 0 else None
    )


def _placements(position: Position, at: int, rest: _Rest) -> list[_Move]:
    """Placements in front of ply `at`, but for those whose ring, or removed ring, the rest of the record can't do without."""
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


class _Rest(NamedTuple):
    """What the plies from each ply on need, as sets of rings: those they name, and those on which no marble may have been put before."""

    named: list[int]
    vacant: list[int]


def _rest(tried: Attempt) -> _Rest:
    named, vacant = [0], [0]
    for ply in reversed(tried.plies):
        names, needs = named[-1], vacant[-1]
        for ring, is_taken in reversed(list(_taken_and_left(tried.start.board, ply))):
            names |= 1 << ring
            needs = needs | 1 << ring if is_taken else needs & ~(1 << ring)
        named.append(names)
        vacant.append(needs)
    return _Rest(named[::-1], vacant[::-1])


def _taken_and_left(board: Board, ply: Ply) -> Iterator[tuple[int, bool]]:
    """The rings of a ply in turn, and whether each has to be vacant for it; if not, the marble on it leaves."""
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


def _names(ply: Ply) -> list[str]:
    """The rings that a ply names, its claim apart."""
    return [*filter(None, (ply.ring, ply.removed)), *(jump.ring for jump in ply.jumps)]
