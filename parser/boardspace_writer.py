"""Writes records as the game server does: its SGF, for the boards and rules that it has. Source: formats, section 3."""

from __future__ import annotations

from collections.abc import Iterator

from parser.boardspace_header import verdict
from parser.record import CAPTURE, PASS, Ply, Record

VARIANTS = {"37": "Zertz", "48": "Zertz+11", "61": "Zertz+24"}
"""The server's name for each of its boards."""

_SAID_BY_MOVES = ("set", "board-filled", "resign", "time")
"""Endings that say who has won, without a name."""
_NOBODY = "guest"

_PREFIXES = {"37": "Z", "48": "Z11", "61": "Z24"}
_COLOURS = "WGB"
_POOL = 2


class NoServerForm(ValueError):
    """The server has no form for such a game; the message says what stands in the way."""


def game_name(record: Record, time: str = "0000") -> str:
    """The server's name for a game that began at `time`, and without `.sgf` its file's: `Z-ada-bo-2024-05-01-1200`.

    Raises NoServerForm for a board that the server doesn't have.
    """
    _require(record.board in VARIANTS, f"the server has no board {record.board}")
    date = (record.date or "????.??.??").replace(".", "-")
    players = f"{record.player1 or _NOBODY}-{record.player2 or _NOBODY}"
    return f"{_PREFIXES[record.board or '']}-{players}-{date}-{time}"


def write(record: Record, name: str | None = None) -> str:
    """The server's text for a completed record of a game from the usual start, its moves numbered, its clocks after every action.

    `name` is the game's name (`game_name`). Tags without a place there are left out, and so are claims and passes, which the server
    makes by itself. Raises NoServerForm.
    """
    name = game_name(record) if name is None else name
    _require(
        record.rule_set in (None, "standard") and not record.tournament, "the server plays by the standard rules only"
    )
    _require(record.claims != "written", "the server claims every full group, so written claims have no form")
    _require(record.position is None and not record.edits, "a start position of its own has no form")
    _require(record.result != "0-0", "the server knows no game that both players lose")
    return "\n".join([*_head(record, name), *_actions(record), *_foot(record), ""])


def _require(fine: bool, message: str) -> None:
    if not fine:
        raise NoServerForm(message)


def _head(record: Record, name: str) -> Iterator[str]:
    yield " (;"
    yield "GM[22]VV[2]"
    yield f"SU[{VARIANTS[record.board or '']}]"
    yield f"GN[{_escaped(name)}]"
    if said := _result(record):
        yield f"RE[{_escaped(said)}]"
    for seat, player in enumerate((record.player1, record.player2)):
        if player:
            yield f'P{seat}[id "{_escaped(player)}"]'


def _result(record: Record) -> str | None:
    """What the server says of the result: the winner's name, which must tell him; None where moves, Resign or WinOnTime say it all."""
    if record.result == "1/2-1/2":
        return "The game is a draw"
    seat = {"1-0": "0", "0-1": "1"}.get(record.result or "")
    if seat is None:
        return None
    names = {str(number): name for number, name in enumerate((record.player1, record.player2)) if name}
    said = f"Game won by {names.get(seat, '')}"
    if seat in names and verdict(said, names).winner == seat:
        return said
    _require(record.ending in _SAID_BY_MOVES, "the server says by name who has won, and the names don't tell")
    return None


def _actions(record: Record) -> Iterator[str]:
    number = 0
    yield "; P0[0 Start P0]"
    if record.comment:
        yield f"; C[{_escaped(record.comment)}]"
    for turn, ply in enumerate(record.plies):
        seat = turn % 2
        clock = "" if ply.clock is None else f"TM[{ply.clock}]"
        for action in _deeds(ply, seat):
            number += 1
            yield f"; P{seat}[{number} {action}]{clock}"
        if ply.comment:
            yield f"; C[{_escaped(ply.comment)}]"
    if record.ending == "resign" and record.ending_by:
        yield f"; P{record.ending_by - 1}[{number + 1} Resign]"
        yield f"; P{record.ending_by - 1}[{number + 2} Done ]"
    if record.ending == "time" and record.ending_by:
        yield f"; P{2 - record.ending_by}[{number + 1} WinOnTime ]"


def _deeds(ply: Ply, seat: int) -> Iterator[str]:
    if ply.kind == PASS:
        return
    if ply.kind == CAPTURE:
        ring = ply.ring
        for jump in ply.jumps:
            yield f"BtoB {_cell(ring)} {_cell(jump.ring)}"
            ring = jump.ring
    else:
        rack = {"own": seat, "other": 1 - seat}.get(ply.taken_from or "", _POOL)
        yield f"RtoB {rack} {_COLOURS.index(ply.colour or '')} {_cell(ply.ring)}"
        if ply.removed:
            yield f"R- {_cell(ply.removed)}"
    yield "Done "


def _foot(record: Record) -> Iterator[str]:
    yield ";"
    for seat in (0, 1):
        clocks = [ply.clock for ply in record.plies[seat::2] if ply.clock is not None]
        seconds = clocks[-1] // 1000 if clocks else 0
        yield f"P{seat}[time {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} ]"
    yield ")"


def _cell(ring: str) -> str:
    return f"{ring[0].upper()} {ring[1:]}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
