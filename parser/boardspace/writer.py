"""Write records as the game server does: its SGF, for the boards and rules that it has. Source: formats, section 3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from zertz_db.parser.boardspace.header import Date, Header, Property, moment_stated, read_winner
from zertz_db.parser.boardspace.start_position import NoServerForm, require, set_up
from zertz_db.parser.record import CAPTURE, PASS, Ply, Record
from zertz_db.parser.text.time_control import time_used
from zertz_db.parser.vocabulary.terms import LOSSES, WINNERS, WINS_BY_MOVES, Ending, GameResult

__all__ = ["VARIANTS", "NoServerForm", "game_name", "write"]

VARIANTS = {"37": "Zertz", "48": "Zertz+11", "61": "Zertz+24"}
"""The server's name for each of its boards."""
_CUSTOM, _HANDICAP = "Zertz+xx", "Zertz+H"

_WINNER_KNOWN = (*WINS_BY_MOVES, *LOSSES)
"""Endings that name the winner without a name in RE."""
_NOBODY = "guest"

_PREFIXES = {"37": "Z", "48": "Z11", "61": "Z24"}
_SET_UP = "ZXX"
_COLOURS = "WGB"
_POOL = 2
_WRITTEN_TAGS = ("CM", "TC", "GS")
"""Properties of the root that are copied from a record's tags."""
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def game_name(record: Record, time: str | None = None) -> str:
    """Return the server's name for a game that began at `time` (`1200`; None: the record's time). With `.sgf` it is the file's name.

    Examples: `Z-ada-bo-2024-05-01-1200`; without a time of day `Z-ada-bo-2024-05-01`. Raises NoServerForm for a board that the server does
    not have.
    """
    require(record.board in (*VARIANTS, "custom"), f"the server has no board {record.board}")
    date = (record.date or "????.??.??").replace(".", "-")
    if time is None and record.time and len(record.time) == len("12:00"):
        time = record.time.replace(":", "")
    players = f"{record.player1 or _NOBODY}-{record.player2 or _NOBODY}"
    prefix = _SET_UP if record.position else _PREFIXES[record.board or ""]
    return "-".join([prefix, players, date, *([time] if time else [])])


def write(record: Record, name: str | None = None) -> str:
    """Return the server's text of a completed record, with numbered moves and a clock after every action.

    `name` is the game's name (`game_name`). A start position is set up by hand. Clocks show the time used if that can be computed. Tags,
    marks, variations and an unfinished turn have no form and are left out. So are claims and passes, which the server makes itself. Raises
    NoServerForm.
    """
    require(record.has_plain_rules, "the server plays by the standard rules only")
    require(record.claims != "written", "the server claims every full group, so written claims have no form")
    require(not record.edits, "edits are not applied to a position: replay completes a record")
    require(
        not record.plies or record.plies[0].kind != PASS,
        "on the server the player of the first move begins, not the one who passes",
    )
    require(record.result != GameResult.BOTH_LOSE, "the server has no game that both players lose")
    return "\n".join([*_head(record, name), *_actions(record), *_foot(record), ""])


def _head(record: Record, name: str | None) -> Iterator[str]:
    board = game_name(record) and (record.board or "")
    named, dated = _named_and_dated(record, name)
    tags = dict(reversed(record.tags))
    yield " (;"
    yield "GM[22]VV[2]"
    for tag in _WRITTEN_TAGS:
        if tag in tags:
            yield f"{tag}[{_escaped(tags[tag])}]"
    yield f"SU[{(_CUSTOM if board == 'custom' else _HANDICAP) if record.position else VARIANTS[board]}]"
    if dated:
        yield f"DT[{_escaped(dated)}]"
    yield f"GN[{_escaped(named)}]"
    if result := _result(record):
        yield f"RE[{_escaped(result)}]"
    for side, player in enumerate((record.player1, record.player2)):
        if player:
            yield f'P{side}[id "{_escaped(player)}"]'


def _named_and_dated(record: Record, name: str | None) -> tuple[str, str | None]:
    """Return the game's name and the text of DT such that the record's date is read from them, if possible its time too; else no DT."""
    tags = dict(reversed(record.tags))
    stated = tags.get("DT")
    names = (
        [name]
        if name
        else [*([tags["GN"]] if "GN" in tags else []), *_names_with_years(record, stated), game_name(record)]
    )
    pairs = [(one, dated) for dated in (stated, _date_in_words(record)) for one in names]
    read = [_date_of(*pair) for pair in pairs]
    for expected in (record.date, record.time), (record.date,):
        for pair, date in zip(pairs, read, strict=True):
            if (date.text, date.time)[: len(expected)] == expected:
                return pair
    return names[-1], None


def _names_with_years(record: Record, stated: str | None) -> Iterator[str]:
    """Yield names of a game without a year, with the year of DT and its neighbours. No game of the server was played in such a year.

    DT is the writer's own time, so its day may be another one.
    """
    moment = moment_stated(stated or "")
    if moment and record.date and record.date.startswith("????"):
        for year in (moment.year, moment.year + 1, moment.year - 1):
            yield game_name(replace(record, date=f"{year}{record.date[4:]}"))


def _date_of(named: str, dated: str | None) -> Date:
    header = Header("")
    header.properties = [Property("GN", named, 0, 0), *([Property("DT", dated, 0, 0)] if dated else [])]
    return header.date()


def _date_in_words(record: Record) -> str | None:
    """Return a whole date, with the time if there is one, in the form of DT: `1 May 2024 12:00`."""
    if not record.date or "?" in record.date:
        return None
    year, month, day = record.date.split(".")
    written_date = f"{int(day)} {_MONTHS[int(month) - 1]} {year}"
    return f"{written_date} {record.time}" if record.time else written_date


def _result(record: Record) -> str | None:
    """Return the server's result text with the winner's name, or None if moves, Resign or WinOnTime state the result.

    Raises NoServerForm if the names can't identify the winner.
    """
    if record.result == GameResult.TIE:
        return "The game is a draw"
    winner = WINNERS.get(record.result or "")
    if winner is None or (record.ending == Ending.TIME and record.ending_by == 3 - winner):
        return None
    names = {str(number): name for number, name in enumerate((record.player1, record.player2)) if name}
    colour = str(winner - 1)
    statement = f"Game won by {names.get(colour, '')}"
    if colour in names and read_winner(statement, names).winner == colour:
        return statement
    require(record.ending in _WINNER_KNOWN, "the server names the winner, but these names are ambiguous")
    return None


def _actions(record: Record) -> Iterator[str]:
    number = 0
    if record.position:
        yield "; P0[Edit]"
        if record.board in VARIANTS:
            yield f"; P0[SetBoard {VARIANTS[record.board]}]"
        for action in set_up(record.position):
            yield f"; P0[{action}]"
    yield "; P0[0 Start P0]"
    if record.comment:
        yield f"; C[{_escaped(record.comment)}]"
    used = time_used(record) or [None] * len(record.plies)
    for turn, (ply, milliseconds) in enumerate(zip(record.plies, used, strict=True)):
        side = turn % 2
        clock = "" if milliseconds is None else f"TM[{milliseconds}]"
        for action in _turn_actions(ply, side):
            number += 1
            yield f"; P{side}[{number} {action}]{clock}"
        if ply.comment:
            yield f"; C[{_escaped(ply.comment)}]"
    if record.ending == Ending.RESIGN and record.ending_by:
        yield f"; P{record.ending_by - 1}[{number + 1} Resign]"
        yield f"; P{record.ending_by - 1}[{number + 2} Done ]"
    if record.ending == Ending.TIME and record.ending_by:
        yield f"; P{2 - record.ending_by}[{number + 1} WinOnTime ]"
    if record.ending == Ending.ABANDONED and record.plies:
        yield f"; P0[{number + 1} Edit]"


def _turn_actions(ply: Ply, side: int) -> Iterator[str]:
    if ply.kind == PASS:
        return
    if ply.kind == CAPTURE:
        ring = ply.ring
        for jump in ply.jumps:
            yield f"BtoB {_cell(ring)} {_cell(jump.ring)}"
            ring = jump.ring
    else:
        rack = {"own": side, "other": 1 - side}.get(ply.taken_from or "", _POOL)
        yield f"RtoB {rack} {_COLOURS.index(ply.colour or '')} {_cell(ply.ring)}"
        if ply.removed:
            yield f"R- {_cell(ply.removed)}"
    yield "Done "


def _foot(record: Record) -> Iterator[str]:
    yield ";"
    used = time_used(record) or []
    for side in (0, 1):
        clocks = [clock for clock in used[side::2] if clock is not None]
        seconds = clocks[-1] // 1000 if clocks else 0
        yield f"P{side}[time {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02} ]"
    yield ")"


def _cell(ring: str) -> str:
    return f"{ring[0].upper()} {ring[1:]}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
