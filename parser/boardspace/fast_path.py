"""Fast path for a game of a server file whose turns have no corrections. Most games have none.

The fast path uses the grammar's own expressions. It gives the Record of the full parse, or gives up. Its plies are numbers
(`zertz_db.parser.packed_plies`); a look at one of them triggers the full parse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from zertz_db.parser.boardspace.game_builder import Game
from zertz_db.parser.boardspace.turns import COLOURS, POOL, Turn, Unreadable, read_action
from zertz_db.parser.packed_plies import JUMP, PLACE, RACK_OTHER, RACK_OWN, RACK_POOL, PackedPlies, pack, ring_number
from zertz_db.parser.record import Ply
from zertz_db.parser.text.size_limits import MAX_PLIES


class FastPath(NamedTuple):
    """Expressions of the grammar. `head` matches everything up to the first node of an action.

    `piece` finds consecutive pieces, each in its own groups: whole turns of one or two steps and Done (side, step, clock, second step, its
    clock, clock at Done); single nodes (side, action, clock); the closing times; anything else.
    """

    head: re.Pattern[str]
    piece: re.Pattern[str]
    action: re.Pattern[str]


_SIDE, _STEP, _CLOCK, _SECOND_STEP, _SECOND_CLOCK, _DONE_CLOCK, _NODE_SIDE, _NODE_STEP, _NODE_CLOCK, _TIMES = range(10)
"""The groups of a piece."""
Pieces = list[tuple[str, ...]]


def take_turns(
    patterns: FastPath, game: Game, text: str, within: tuple[int, int], read: Callable[[], tuple[Ply, ...]]
) -> bool:
    """Hand the turns of `text` in the range `within`, after the root, to `game`; return False if the full parse must read them."""
    pieces = patterns.piece.findall(text, *within)
    if len(pieces) < 2 or not pieces[-1][_TIMES]:
        return False
    begin = 1 if pieces[0][_NODE_STEP][:5].lower() == "start" else 0
    is_resigned = _ends_with_resignation(pieces)
    read_turns = _plies(pieces[begin : -3 if is_resigned else -1], read)
    if read_turns is None:
        return False
    game.take(*read_turns)
    if is_resigned:
        start, end = within
        resigned = text.rindex("P", start, text.rindex("Resign", start, end))
        game.act(patterns.action.finditer(text, resigned, end))
    return True


def _ends_with_resignation(pieces: Pieces) -> bool:
    """Return whether a player resigns and confirms it after the opponent's turn."""
    if pieces[-2][_NODE_STEP] != "Done" or len(pieces) < 4 or pieces[-3][_NODE_STEP] != "Resign":
        return False
    return pieces[-4][_SIDE] not in ("", pieces[-3][_NODE_SIDE]) and pieces[-3][_NODE_SIDE] == pieces[-2][_NODE_SIDE]


def _plies(pieces: Pieces, read: Callable[[], tuple[Ply, ...]]) -> tuple[PackedPlies, str] | None:
    """Return the plies and the side of the first, or None unless there are only turns and the sides alternate."""
    codes: list[bytes] = []
    times: list[str] = []
    first = other = ""
    next_turn = 0
    for at, piece in enumerate(pieces):
        if at < next_turn:
            continue
        side = piece[_SIDE]
        if side:
            code = _codes[side, piece[_STEP], piece[_SECOND_STEP]]
            times.append(piece[_DONE_CLOCK] or piece[_SECOND_CLOCK] or piece[_CLOCK])
        elif piece[_NODE_STEP] == "Reset":  # the server's replay skips it
            continue
        else:
            side = piece[_NODE_SIDE]
            actions, clock, next_turn = _nodes(pieces, at)
            code = _codes[side, *actions]
            times.append(clock)
        if code is None or side == other:
            return None
        codes.append(code)
        first, other = first or side, side
    return (PackedPlies(codes, times, read), first) if 0 < len(codes) <= MAX_PLIES else None


def _nodes(pieces: Pieces, at: int) -> tuple[list[str], str, int]:
    """Return the actions of a turn that begins with a single node, its last clock, and the index of the next turn.

    The turn ends at Done or when the side changes.
    """
    actions: list[str] = []
    clock, side = "", pieces[at][_NODE_SIDE]
    for here in range(at, len(pieces)):
        piece = pieces[here]
        if piece[_NODE_SIDE] == side:
            actions.append(piece[_NODE_STEP])
            clock = piece[_NODE_CLOCK] or clock
            if piece[_NODE_STEP] in _DONE:
                return actions, clock, here + 1
        elif piece[_SIDE] == side:
            actions += [piece[_STEP], piece[_SECOND_STEP]]
            return actions, piece[_DONE_CLOCK] or piece[_SECOND_CLOCK] or piece[_CLOCK] or clock, here + 1
        else:
            return actions, clock, here
    return actions, clock, len(pieces)


_DONE = {"Done", "done"}


class _Codes(dict[tuple[str, ...], bytes | None]):
    """Cache of turn numbers by the side and its actions, None for an invalid turn. There are only some thousand."""

    def __missing__(self, key: tuple[str, ...]) -> bytes | None:
        side, *actions = key
        code = _numbers(side, filter(None, actions))
        if len(self) < _MAX_CACHED:
            self[key] = code
        return code


_MAX_CACHED = 50_000
_codes = _Codes()


def _numbers(side: str, actions: Iterable[str]) -> bytes | None:
    """Return the numbers of a turn, built as the full parse builds it."""
    turn = Turn(side, 0)
    try:
        for action_text in actions:
            _, do, arguments = read_action(action_text)
            if do is None or side == "-1":
                return None
            do(turn, *arguments)
    except Unreadable:
        return None
    if turn.placed:
        rack, colour, ring = turn.placed
        stock = RACK_POOL if rack == POOL else RACK_OWN if rack == side else RACK_OTHER
        removed = ring_number(turn.removed) if turn.removed else -1
        return pack(PLACE, COLOURS.index(colour), ring_number(ring), removed, stock, 0, 0, 0, 0)
    if turn.jumps:
        numbers = (number for _, target in turn.jumps for number in (-1, ring_number(target)))
        return pack(JUMP, ring_number(turn.jumps[0][0]), *numbers)
    return None
