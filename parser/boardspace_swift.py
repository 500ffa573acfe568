"""The quick way through a server file: one game whose turns hold no corrections, as most do.

It uses the grammar's own expressions and gives the same Record as the thorough way, or gives up. Its plies are numbers
(`parser.packed`); whoever looks at one of them has the file read thoroughly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from parser.boardspace_game import Game
from parser.boardspace_turns import COLOURS, POOL, Turn, Unreadable, deed
from parser.packed import JUMP, PLACE, RACK_OTHER, RACK_OWN, RACK_POOL, PackedPlies, ring_number
from parser.record import Ply


class Swift(NamedTuple):
    """Expressions of the grammar. `head` is all up to the first node of an action.

    `piece` finds, one behind the other, nodes (seat, deed, clock) or the closing times (a fourth group), or whatever is neither (a
    fifth).
    """

    head: re.Pattern[str]
    piece: re.Pattern[str]


def take_turns(swift: Swift, game: Game, text: str, start: int, read: Callable[[], tuple[Ply, ...]]) -> bool:
    """Hand a game's turns to `game`, whose root has been read up to `start`; False if the text wants a closer look."""
    pieces = swift.piece.findall(text, start)
    if not pieces:
        return False
    seats, deeds, clocks, times, others = zip(*pieces, strict=True)
    if any(others) or not times[-1] or any(times[:-1]):
        return False
    begin = 1 if deeds[0][:1] in "Ss" and deeds[0][:5].lower() == "start" else 0
    if len(pieces) < begin + 2:
        return False
    plies = _turns(seats[begin:-1], deeds[begin:-1], clocks[begin:-1], read)
    if plies is None:
        return False
    game.take(plies, seats[begin])
    return True


def _turns(
    seats: tuple[str, ...], deeds: tuple[str, ...], clocks: tuple[str, ...], read: Callable[[], tuple[Ply, ...]]
) -> PackedPlies | None:
    """The plies, if nothing but turns is there, and the seats take them in turn. A turn ends at Done or with the seat."""
    ends = [
        at
        for at, (seat, following, words) in enumerate(zip(seats, (*seats[1:], ""), deeds, strict=True), 1)
        if seat != following or words in _DONE
    ]
    has_clocks = any(clocks)
    known = [_known[words] for words in deeds]
    numbers: list[int] = []
    begins = [0]
    times: list[str] = []
    other = ""
    begin = 0
    for end in ends:
        seat = seats[begin]
        code = _plain(known[begin:end]) or _codes[seat, deeds[begin:end]]
        if code is None or seat == other or seat == "-1":
            return None
        numbers += code
        begins.append(len(numbers))
        if has_clocks:
            times.append(clocks[end - 1] or next(filter(None, reversed(clocks[begin:end])), ""))
        begin, other = end, seat
    return PackedPlies(numbers, begins, times or [""] * len(ends), read) if ends else None


_PLACES, _REMOVES, _JUMPS, _ENDS, _OTHER = range(5)


class _Known(dict[str, tuple[int, ...]]):
    """Deeds by their words, as numbers: what it does and with which colour and rings. There are only some thousand that do something."""

    def __missing__(self, words: str) -> tuple[int, ...]:
        found = self._found(words)
        if found[0] != _OTHER:
            self[words] = found
        return found

    def _found(self, words: str) -> tuple[int, ...]:
        word, _, arguments = deed(words)
        if word == "rtob" and arguments[0] == POOL:
            return _PLACES, COLOURS.index(arguments[1]), ring_number(arguments[2])
        if word == "r-":
            return _REMOVES, ring_number(arguments[0])
        if word == "btob" and arguments[0] != arguments[1]:
            return _JUMPS, ring_number(arguments[0]), ring_number(arguments[1])
        return (_ENDS if word == "done" else _OTHER,)


_known = _Known()


def _plain(turn: list[tuple[int, ...]]) -> Sequence[int] | None:
    """The numbers of the turns that nearly all are: a marble from the pool and a ring, or a jump or two; None for any other."""
    length = len(turn) - (turn[-1][0] == _ENDS)
    if length == 2:
        first, second = turn[0], turn[1]
        if first[0] == _PLACES and second[0] == _REMOVES:
            return PLACE, first[1], first[2], second[1], RACK_POOL, 0, 0, 0, 0
        if first[0] == _REMOVES and second[0] == _PLACES:
            return PLACE, second[1], second[2], first[1], RACK_POOL, 0, 0, 0, 0
        if first[0] == second[0] == _JUMPS and first[2] == second[1] and first[1] != second[2]:
            return JUMP, first[1], -1, first[2], -1, second[2]
    elif length == 1:
        first = turn[0]
        if first[0] == _JUMPS:
            return JUMP, first[1], -1, first[2]
        if first[0] == _PLACES:
            return PLACE, first[1], first[2], -1, RACK_POOL, 0, 0, 0, 0
    return None


_DONE = {"Done", "done"}


class _Codes(dict[tuple[str, tuple[str, ...]], Sequence[int] | None]):
    """The numbers of other turns by the seat and the words of its deeds, None for what is no turn; they are few."""

    def __missing__(self, key: tuple[str, tuple[str, ...]]) -> Sequence[int] | None:
        seat, deeds = key
        code = _numbers(seat, deeds)
        if len(self) < _MOST_KEPT:
            self[key] = code
        return code


_MOST_KEPT = 20_000
_codes = _Codes()


def _numbers(seat: str, deeds: tuple[str, ...]) -> Sequence[int] | None:
    """The numbers of a turn, put together as the thorough way does it."""
    turn = Turn(seat, 0)
    try:
        for words in deeds:
            _, do, arguments = deed(words)
            if do is None or seat == "-1":
                return None
            do(turn, *arguments)
    except Unreadable:
        return None
    if turn.placed:
        rack, colour, ring = turn.placed
        stock = RACK_POOL if rack == POOL else RACK_OWN if rack == seat else RACK_OTHER
        removed = ring_number(turn.removed) if turn.removed else -1
        return PLACE, COLOURS.index(colour), ring_number(ring), removed, stock, 0, 0, 0, 0
    if turn.jumps:
        hops = (number for _, target in turn.jumps for number in (-1, ring_number(target)))
        return JUMP, ring_number(turn.jumps[0][0]), *hops
    return None
