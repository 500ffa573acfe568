"""The quick way through a server file: one game whose turns hold no corrections, as most do.

It uses the grammar's own expressions and gives the same Record as the thorough way, or gives up. Its plies are numbers
(`parser.packed`); whoever looks at one of them has the file read thoroughly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from parser.boardspace_game import Game
from parser.boardspace_turns import POOL, deed
from parser.packed import JUMP, PLACE, RACK_OTHER, RACK_OWN, RACK_POOL, PackedPlies, ring_number
from parser.record import Ply


class Swift(NamedTuple):
    """Expressions of the grammar. `head` is all up to the first node of an action.

    `piece` finds, one behind the other, nodes (seat, deed, clock) or the closing times (a fourth group), or whatever is neither (a
    fifth).
    """

    head: re.Pattern[str]
    piece: re.Pattern[str]


class Found(NamedTuple):
    """The turns of a game as numbers, the seat that moved first, and the clock behind each turn in milliseconds."""

    numbers: list[int]
    begins: list[int]
    clocks: list[int | None]
    first: str


def take_turns(swift: Swift, game: Game, text: str, start: int, read: Callable[[], tuple[Ply, ...]]) -> bool:
    """Hand a game's turns to `game`, whose root has been read up to `start`; False if the text wants a closer look."""
    pieces = swift.piece.findall(text, start)
    if len(pieces) < 2:
        return False
    seats, deeds, clocks, times, others = zip(*pieces, strict=True)
    if any(others) or not times[-1] or any(times[:-1]):
        return False
    found = _turns(seats[:-1], deeds[:-1], clocks[:-1])
    if found is None:
        return False
    game.take(PackedPlies(found.numbers, found.begins, found.clocks, read), found.first)
    return True


_PLACES, _REMOVES, _JUMPS, _DONE, _HANDS, _STARTS, _OTHER = range(7)


class _Deeds(dict[str, tuple[int, ...]]):
    """Deeds by their words, each a kind and numbers; corrections and events are of no kind that is known here."""

    def __missing__(self, words: str) -> tuple[int, ...]:
        known = _deed(words)
        if known[0] != _OTHER:  # of these there are only some thousand different ones
            self[words] = known
        return known


def _deed(words: str) -> tuple[int, ...]:
    word, _, arguments = deed(words)
    if word == "rtob":
        rack, colour, ring = arguments
        return _PLACES, int(rack), "WGB".index(colour), ring_number(ring)
    if word == "r-":
        return _REMOVES, ring_number(arguments[0])
    if word == "btob" and arguments[0] != arguments[1]:
        return _JUMPS, ring_number(arguments[0]), ring_number(arguments[1])
    if word == "rtor" and arguments[0] == arguments[2]:
        return (_HANDS,)
    return ({"done": _DONE, "start": _STARTS}.get(word, _OTHER),)


_deeds = _Deeds()


def _turns(seats: tuple[str, ...], deeds: tuple[str, ...], clocks: tuple[str, ...]) -> Found | None:
    """The turns, if each is a marble with or without a ring, or a chain of jumps, and the seats take turns."""
    numbers: list[int] = []
    begins = [0]
    times: list[int | None] = []
    turn_seat = last_seat = first = clock = ""
    marble: tuple[int, ...] | None = None
    removed = -1
    jumps: list[int] = []
    done = True
    at = 1 if _deeds[deeds[0]][0] == _STARTS else 0
    # A last, empty action of nobody closes the last turn.
    for seat, words, time in _actions(seats, deeds, clocks, at):
        if done or seat != turn_seat:
            if turn_seat:
                if marble:
                    numbers += (PLACE, marble[2], marble[3], removed, _rack(marble[1], turn_seat), 0, 0, 0, 0)
                elif jumps:
                    numbers += jumps
                else:
                    return None
                if turn_seat == last_seat:
                    return None
                begins.append(len(numbers))
                times.append(int(clock) if clock else None)
                last_seat = turn_seat
            turn_seat, marble, removed, jumps, done, clock = seat, None, -1, [], False, ""
            if not words:
                break
        what = _deeds[words]
        kind = what[0]
        if kind == _PLACES:
            if marble or jumps:
                return None
            marble = what
        elif kind == _REMOVES:
            if removed >= 0 or jumps:
                return None
            removed = what[1]
        elif kind == _DONE:
            done = True
        elif kind == _JUMPS:
            if marble or removed >= 0:
                return None
            if not jumps:
                jumps = [JUMP, what[1], -1, what[2]]
            elif jumps[-1] != what[1] or jumps[-3] == what[2]:
                return None
            else:
                jumps += (-1, what[2])
        elif kind != _HANDS:
            return None
        if time:
            clock = time
        first = first or seat
    if first not in ("0", "1") or last_seat not in ("0", "1") or "-1" in seats:
        return None
    return Found(numbers, begins, times, first)


def _actions(
    seats: tuple[str, ...], deeds: tuple[str, ...], clocks: tuple[str, ...], at: int
) -> Iterable[tuple[str, str, str]]:
    return zip((*seats[at:], "nobody"), (*deeds[at:], ""), (*clocks[at:], ""), strict=True)


def _rack(rack: int, seat: str) -> int:
    return RACK_POOL if rack == int(POOL) else RACK_OWN if str(rack) == seat else RACK_OTHER
