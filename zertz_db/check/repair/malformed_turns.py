"""Find the intended turn in place of an invalid one: the record with another turn there, and the turns that small edits of it give.

A reader stops at actions that don't make a turn. Here the record is read on after that turn. Its edits (`edits`) are the turns that its
actions make without one action, with another ring, or with a restored end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from zertz_db.check.repair.edits import FAR, SAME_COLUMN, Edit, misread
from zertz_db.check.repair.missing_plies import find_missing_plies
from zertz_db.check.replay.attempt import Attempt
from zertz_db.parser.boardspace import reader as boardspace
from zertz_db.parser.boardspace.turns import Turn, Unreadable, read_action
from zertz_db.parser.dialects import BrokenTurns, Dialect, facts_of
from zertz_db.parser.record import Ply, Record, Span, SyntaxFault

_RING = re.compile(r"[a-q](?:1[0-2]|[1-9])(?![0-9])")
_CELL = re.compile(r"(?<=\s)([A-Qa-q])\s+([0-9]{1,2})(?![0-9])")
_MAX_LISTED = 8
_FURTHEST = 2
"""Maximum distance in columns or rings for a similar name."""


class BrokenTurn(NamedTuple):
    """A record read on after its invalid turn, the edits of that reading, and the turn as written.

    at: the index of that turn among the plies. is_rest: the edit leaves out the written part, and the turn is the rest.
    """

    record: Record
    at: int
    edits: Callable[[Attempt], Iterator[Edit]]
    text: str
    span: Span
    is_rest: bool = False


def broken_turns(record: Record, text: str) -> Iterator[BrokenTurn]:
    """Yield the ways to read a record on after the turn at which its reader stopped; its spans count in `text`."""
    fault = record.fault
    if fault is None or not fault.code.startswith("E3"):
        return
    segment = text[record.span.start : record.span.end]
    here = fault._replace(span=_moved(fault.span, -record.span.start))
    dialect = facts_of(record.dialect)
    find = _READINGS.get(dialect.broken_turns)
    for broken in find(segment, here, len(record.plies), dialect) if find else ():
        whole = replace(broken.record, span=record.span, date=record.date)
        span = _moved(broken.span, record.span.start)
        yield broken._replace(record=whole, span=span._replace(line=fault.span.line, column=fault.span.column))


def _moved(span: Span, by: int) -> Span:
    return span._replace(start=span.start + by, end=span.end + by)


def _as_read(at: int, plies: Sequence[Ply], kind: str, cost: float) -> Callable[[Attempt], Iterator[Edit]]:
    """Return the edit that leaves a reading unchanged."""
    return lambda _: iter((Edit(kind, at, at + len(plies), tuple(plies), cost),))


# ---- the game server's actions


class _Action(NamedTuple):
    start: int
    end: int
    side: str
    words: str

    def __str__(self) -> str:
        return f"P{self.side}[{self.words}]"

    @property
    def ends_a_turn(self) -> bool:
        return self.words.lower().startswith(("done", "resign", "start"))


def _of_server(text: str, fault: SyntaxFault, at: int, _: Dialect) -> Iterator[BrokenTurn]:
    actions = [_Action(*match.span(), match[1], match[2]) for match in boardspace.grammar().action.finditer(text)]
    here = next((number for number, action in enumerate(actions) if action.end > fault.span.start), None)
    if here is None:
        return
    if fault.code == "E358":
        yield _left_out(text, actions[here:], at, "moves after the end")
        ends = [action for action in actions[:here] if action.words.lower().startswith(("resign", "winontime"))]
        if ends:
            yield _left_out(text, ends[-1:], at, "an end that was none")
    elif fault.code == "E357":
        yield _left_out(text, actions[here : here + 1], at, "an action too many")
    else:
        yield _instead(text, _turn_around(actions, here), at)


def _turn_around(actions: Sequence[_Action], here: int) -> Sequence[_Action]:
    """Return the actions of a turn around one of them, including Done."""
    begin = end = here
    while begin and actions[begin - 1].side == actions[here].side and not actions[begin - 1].ends_a_turn:
        begin -= 1
    while end < len(actions) and actions[end].side == actions[here].side:
        end += 1
        if actions[end - 1].ends_a_turn:
            break
    return actions[begin:end]


def _left_out(text: str, actions: Sequence[_Action], at: int, kind: str) -> BrokenTurn:
    """Return the record without some actions."""
    again = _read(text, actions, "")
    words, span = _listed(actions), Span(actions[0].start, actions[-1].end, 1, 1)
    edits = _as_read(at, again.plies[at : at + 1], kind, 1.0 + 0.3 * len(actions))
    return BrokenTurn(again, at, edits, words, span, is_rest=True)


def _instead(text: str, actions: Sequence[_Action], at: int) -> BrokenTurn:
    """Return the record with a placeholder turn that is never legal, and the possible intended turns."""
    side = actions[0].side
    again = _read(text, actions, f"P{side}[RtoB 2 0 A 1] ; P{side}[R- A 1] ; P{side}[Done]")
    words, span = _listed(actions), Span(actions[0].start, actions[-1].end, 1, 1)

    def edits(tried: Attempt) -> Iterator[Edit]:
        possible_turns = _turns(tried, at, actions, span) if at < len(tried.plies) else ()
        likeliest = {edit.plies: edit for edit in sorted(possible_turns, key=lambda edit: -edit.cost)}
        return iter(likeliest.values())

    return BrokenTurn(again, at, edits, words, span)


def _listed(actions: Sequence[_Action]) -> str:
    """Return the text of actions; of many, only the first and the last."""
    if len(actions) > _MAX_LISTED:
        return f"{actions[0]} … {actions[-1]}"
    return " ".join(map(str, actions))


def _read(text: str, actions: Sequence[_Action], instead: str) -> Record:
    """Return the record with some of its actions replaced."""
    parts, end = [], 0
    for action in actions:
        parts += [text[end : action.start], instead]
        end, instead = action.end, ""
    return next(boardspace.parse_fully("".join([*parts, text[end:]])))


def _turns(tried: Attempt, at: int, actions: Sequence[_Action], span: Span) -> Iterator[Edit]:
    """Yield the possible intended turns of a turn's actions."""
    side, mover = actions[0].side, tried.plies[at].mover or 1
    words = [action.words for action in actions]

    def edit(kind: str, cost: float, *parts: Sequence[str]) -> Iterator[Edit]:
        """Yield the plies of these parts in turn; the second is the opponent's."""
        sides = ((side, mover), ("1" if side == "0" else "0", 3 - mover))
        plies = [_ply(part, *who, span) for part, who in zip(parts, sides, strict=False)]
        if None not in plies:
            yield Edit(kind, at, at + 1, tuple(ply for ply in plies if ply), cost)

    yield Edit("a turn too many", at, at + 1, (), 1.0 + 1.5 * (len(actions) - 1))
    for number, word in enumerate(words):
        yield from edit("an action too many", 1.0, words[:number] + words[number + 1 :])
        yield from edit("the end of a turn lost", 2.0, words[:number], words[number:])
        for cost, other in _with_another_cell(word):
            yield from edit("the ring of an action", cost, [*words[:number], other, *words[number + 1 :]])
    removed = next((action for action in map(read_action, words) if action[0] == "r-"), None)
    yield from find_missing_plies(tried, at, removed[2][0] if removed else None, Ply("", span, mover=mover))


def _ply(words: Sequence[str], side: str, mover: int, span: Span) -> Ply | None:
    """Return the ply that actions make, or None if they make no turn."""
    turn = Turn(side, span.start)
    try:
        for _, do, arguments in map(read_action, words):
            if do is None:
                return None
            do(turn, *arguments)
    except Unreadable:
        return None
    return turn.ply(mover, span) if turn.placed or turn.jumps else None


def _with_another_cell(words: str) -> Iterator[tuple[float, str]]:
    """Yield an action with another ring in place of one of its own, and the cost of that misreading."""
    for cell in _CELL.finditer(words):
        for cost, other in _near(cell[1].lower() + cell[2], FAR):
            yield cost, f"{words[: cell.start()]}{other[0].upper()} {other[1:]}{words[cell.end() :]}"


def _near(ring: str, most: float) -> Iterator[tuple[float, str]]:
    """Yield the rings with similar names, and the cost of misreading one as the other, if less than a limit."""
    steps = range(-_FURTHEST, _FURTHEST + 1)
    for other in (f"{chr(ord(ring[0]) + columns)}{int(ring[1:]) + rows}" for columns in steps for rows in steps):
        if other != ring and _RING.fullmatch(other) and misread(ring, other) < most:
            yield misread(ring, other), other


# ---- plies of other notations


def _with_too_much(text: str, fault: SyntaxFault, _: int, dialect: Dialect) -> Iterator[BrokenTurn]:
    """Yield readings of official notation without the superfluous part of its ply."""
    begin, end = fault.span[:2]
    again = next(dialect.read(text[:begin] + " " * (end - begin) + text[end:]))
    at = sum(ply.span.start < begin for ply in again.plies) - 1
    ply = again.plies[at]
    span = Span(ply.span.start, end, 1, 1)
    part = _RING.search(text[begin:end].lower())

    def edits(_: Attempt) -> Iterator[Edit]:
        yield Edit("a part too many", at, at + 1, (ply,), 1.0)
        if fault.code == "E351" and part:
            yield Edit("a part too many", at, at + 1, (ply._replace(removed=part[0]),), 1.2)

    yield BrokenTurn(again, at, edits, text[span.start : end], span)


def _with_other_rings(text: str, fault: SyntaxFault, at: int, dialect: Dialect) -> Iterator[BrokenTurn]:
    """Yield readings of ZEN with other rings in place of one that its start lacks."""
    begin, end = fault.span[:2]
    for ring in _RING.finditer(text, begin, end):
        for cost, other in _near(ring[0], SAME_COLUMN + 0.1):
            again = next(dialect.read(text[: ring.start()] + other + text[ring.end() :]))
            edits = _as_read(at, again.plies[at : at + 1], "a ring that the start does not have", cost)
            yield BrokenTurn(again, at, edits, text[begin:end], fault.span)


_Reading: TypeAlias = Callable[[str, SyntaxFault, int, Dialect], Iterator[BrokenTurn]]
_READINGS: dict[BrokenTurns, _Reading] = {
    BrokenTurns.SERVER_ACTIONS: _of_server,
    BrokenTurns.EXTRA_PARTS: _with_too_much,
    BrokenTurns.UNKNOWN_RINGS: _with_other_rings,
}
