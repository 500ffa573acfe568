"""Find what a record loses in another form, by reading the written text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from zertz_db.parser.gipf.tags import fact_of
from zertz_db.parser.packed_plies import JUMP, PLACE, PackedPlies, ring_name
from zertz_db.parser.record import CAPTURE, PASS, PLACEMENT, Record
from zertz_db.parser.text.time_control import time_used
from zertz_db.parser.vocabulary.terms import LOSSES, WINNERS, Ending, GameResult

_STATED_ENDINGS = (*LOSSES, Ending.ABANDONED)
"""Endings that the moves do not imply."""
_OF_THE_FORM = {"GM", "VV", "SU", "GN", "RE", "DT", "P0", "P1", "C", "Flags"}
"""Tags of a server file that repeat the record's own facts."""
_CHARACTERS = str.maketrans({'"': "'", "{": "(", "}": ")"})


class OtherGame(ValueError):
    """The written text would be read as another game; the message names the difference."""


def find_losses(record: Record, found: Sequence[Record]) -> tuple[str, ...]:
    """Return the kinds of content that a completed record has and the records read from its text lack: "clocks", "marks", …

    Raises OtherGame unless these are one record of the same game.
    """
    if len(found) != 1:
        raise OtherGame(f"it would be read as {len(found)} records")
    again = found[0]
    if again.fault is not None:
        raise OtherGame(f"it could not be read again: {again.fault.message}")
    for what, moves in (("board", _board), ("result", _result), ("moves", _moves)):
        if None not in (one := moves(record), other := moves(again)) and one != other:
            raise OtherGame(f"its {what} would be read as another one")
    return tuple(kind for kind, is_lost in _LOSSES.items() if is_lost(record, again))


def _board(record: Record) -> str | None:
    return None if record.edits else record.board


def _result(record: Record) -> str | None:
    return None if record.result == GameResult.UNKNOWN else record.result


def _moves(record: Record) -> list[tuple[str | None, ...]]:
    """Return the moves as far as every form has them."""
    if isinstance(record.plies, PackedPlies):
        return [move for move in map(_move_of_code, record.plies.codes) if move]
    return [
        (ply.kind, ply.ring, ply.removed, *(jump.ring for jump in ply.jumps))
        for ply in record.plies
        if ply.kind != PASS
    ]


@lru_cache(50_000)
def _move_of_code(code: bytes) -> tuple[str | None, ...]:
    """Return the move of a packed ply; nothing for a pass."""
    kind, *numbers = memoryview(code).cast("q")
    if kind == PLACE:
        _, ring, removed, *_ = numbers
        return PLACEMENT, ring_name(ring), ring_name(removed) if removed >= 0 else None
    return (CAPTURE, ring_name(numbers[0]), None, *map(ring_name, numbers[2::2])) if kind == JUMP else ()


def _clocks(record: Record) -> list[int | None]:
    plies = record.plies
    return plies.clocks if isinstance(plies, PackedPlies) else [ply.clock for ply in plies]


def _has_lost_clocks(record: Record, again: Record) -> bool:
    clocks = _on_moves(record, _clocks(record))
    if not any(clock is not None for clock in clocks):
        return False
    read = _clocks(again)
    if again.clock == record.clock and read == clocks:
        return False
    used = time_used(record)
    return used is None or again.clock != "up" or read != _on_moves(record, used)


def _on_moves(record: Record, values: Sequence[Any]) -> list[Any]:
    """Return the values of all plies but passes, which some forms leave out."""
    if isinstance(record.plies, PackedPlies):
        return list(values)
    return [value for ply, value in zip(record.plies, values, strict=True) if ply.kind != PASS]


def _notes_of(field: str) -> Callable[[Record], list[Any]]:
    """Return the notes after each ply, and (comments) before the first; plies of the fast path have none."""

    def notes(record: Record) -> list[Any]:
        before = [record.comment] if field == "comment" else []
        if isinstance(record.plies, PackedPlies):
            return [value for value in before if value]
        return [value for value in (*before, *(getattr(ply, field) for ply in record.plies)) if value]

    return notes


_comments, _marks, _variations = _notes_of("comment"), _notes_of("marks"), _notes_of("variations")


def _plain(values: Sequence[str | None]) -> list[str]:
    return [" ".join(value.translate(_CHARACTERS).split()) for value in values if value]


def _has_lost_comments(record: Record, again: Record) -> bool:
    return _plain(_comments(record)) != _plain(_comments(again))


def _has_changed_comments(record: Record, again: Record) -> bool:
    return _comments(record) != _comments(again) and not _has_lost_comments(record, again)


def _texts(record: Record) -> list[str | None]:
    return [record.player1, record.player2, record.event, record.site, record.round]


def _is_lost(field: str) -> Callable[[Record, Record], bool]:
    def lost(record: Record, again: Record) -> bool:
        one, other = getattr(record, field), getattr(again, field)
        return one is not None and _plain([one]) != _plain([other])

    return lost


def _has_changed_tags(record: Record, again: Record) -> bool:
    pairs = zip(_texts(record), _texts(again), strict=True)
    changed = any(one != other and one and _plain([one]) == _plain([other]) for one, other in pairs)
    tags, read = dict(_other_tags(record)), dict(_other_tags(again))
    return changed or any(name in read and value != read[name] for name, value in tags.items())


def _other_tags(record: Record) -> Iterator[tuple[str, str]]:
    """Return tags that state none of a record's own facts, the first of each name."""
    tags = dict(reversed(record.tags))
    return ((name, value) for name, value in tags.items() if fact_of(name) is None and name not in _OF_THE_FORM)


def _has_lost_tags(record: Record, again: Record) -> bool:
    read = {name for name, _ in again.tags}
    return any(name not in read for name, _ in _other_tags(record) if name not in _TIMES)


_TIMES = {"Time", "StartTime", "UTCTime"}


def _has_lost_its_ending(record: Record, again: Record) -> bool:
    stated = record.ending in _STATED_ENDINGS
    return stated and (record.ending, record.ending_by) != (again.ending, again.ending_by)


def _has_lost_its_half_turn(record: Record, again: Record) -> bool:
    return record.half_turn is not None and again.half_turn is None


def _has_lost_its_result(record: Record, again: Record) -> bool:
    is_stated = record.result_span is not None and record.result in (*WINNERS, GameResult.TIE)
    return is_stated and again.result is None


CHANGED = ("braces in comments", "quotation marks and line breaks in tags")
"""Kinds that are rewritten; all others are left out."""

_LOSSES: dict[str, Callable[[Record, Record], bool]] = {
    "clocks": _has_lost_clocks,
    "comments": _has_lost_comments,
    "braces in comments": _has_changed_comments,
    "marks": lambda record, again: _marks(record) != _marks(again),
    "variations": lambda record, again: _variations(record) != _variations(again),
    "unfinished turns": _has_lost_its_half_turn,
    "resignations and losses on time": _has_lost_its_ending,
    "results": _has_lost_its_result,
    "names of players": lambda record, again: _is_lost("player1")(record, again) or _is_lost("player2")(record, again),
    "events": _is_lost("event"),
    "sites": _is_lost("site"),
    "rounds": _is_lost("round"),
    "dates": _is_lost("date"),
    "times of day": _is_lost("time"),
    "other tags": _has_lost_tags,
    "quotation marks and line breaks in tags": _has_changed_tags,
}
"""Kinds of losses, and the test for each."""
