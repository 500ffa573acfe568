"""Read a tournament from a file in FIDE's Tournament Report File format (TRF16; TRF26 has the same lines for players).

The format has no moves, so no games can be imported from it. The reader is our own: the package `trf` has a licence (GPL) that this
project can't use, and pairing programs that read the format (`py4swiss`) bring compiled code for it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from zertz_db.parser.text.encoding import decode
from zertz_db.queries.errors import QueryError
from zertz_db.queries.tournaments.standings import TournamentGame, rank_players
from zertz_db.queries.tournaments.tournament_games import Tournament

MAX_BYTES = 10_000_000
"""Maximum size of a file: ten times that of 9,999 players in 9 rounds."""

_FIRST_ROUND, _ROUND_WIDTH = 91, 10
"""Columns, from 0, of the opponent in the first round, and from one round to the next."""
_PLAYED = {"1": 1.0, "W": 1.0, "=": 0.5, "D": 0.5, "0": 0.0, "L": 0.0}
_UNPLAYED = {"+": 1.0, "-": 0.0, "F": 1.0, "U": 1.0, "H": 0.5, "Z": 0.0}
"""Points of rounds without a game: won and lost by default, byes."""
_NO_RESULT = ""


class _Cell(NamedTuple):
    """A player's round: number of the opponent (0: none), w, b or nothing, and the code of the result."""

    opponent: int
    side: str
    result: str


class _Player(NamedTuple):
    line: int
    number: int
    name: str
    rating: int | None
    points: float | None
    cells: list[_Cell]


def parse_trf(data: bytes) -> Tournament:
    """Return the tournament that the bytes of a file describe. Players have their names in the file.

    Games are in the order of rounds; `w` moved first; if no colour is stated, the player with the smaller number did. A game's day is that
    of its round. Players with equal names get their numbers after the names. Lines of other codes are ignored, teams too. QueryError with
    the line for a file that is too large, has no players, or contradicts itself.
    """
    if len(data) > MAX_BYTES:
        raise QueryError(f"the file is larger than {MAX_BYTES // 1_000_000} MB, the most that a TRF file may have")
    lines = re.split(r"\r\n?|\n", decode(data)[0].removeprefix("\ufeff"))
    players = _distinguish([_parse_player(number, line) for number, line in enumerate(lines, 1) if line[:3] == "001"])
    if not players:
        raise QueryError("no line begins with 001, as those of players do in a TRF file")
    facts = {line[:3]: line[4:].strip() for line in reversed(lines)}
    days = _parse_days(next((line for line in lines if line[:3] == "132"), ""))
    unplayed = dict.fromkeys((player.name for player in players.values()), 0.0)
    games = [*_list_games(players, days, facts.get("022") or None, unplayed)]
    return Tournament(
        facts.get("012", ""),
        games,
        unplayed,
        _parse_day(facts.get("042", "")),
        _parse_day(facts.get("052", "")),
        tuple(_compare_points(players, games, unplayed)),
    )


def _parse_player(line: int, text: str) -> _Player:
    rest = text[_FIRST_ROUND:]
    cells = [_parse_cell(line, rest[at : at + _ROUND_WIDTH]) for at in range(0, len(rest), _ROUND_WIDTH)]
    number, rating, points = text[4:8].strip(), text[48:52].strip(), text[80:84].strip()
    if not number.isdecimal() or int(number) == 0:
        raise QueryError(f"line {line}: a player needs a number in columns 5 to 8, from 1")
    if points and not re.fullmatch(r"\d+(?:\.\d)?", points):
        raise QueryError(f"line {line}: {points!r} in columns 81 to 84 are not points, such as 2.5")
    return _Player(
        line,
        int(number),
        " ".join(text[14:47].split()),
        int(rating) or None if rating.isdecimal() else None,
        float(points) if points else None,
        cells,
    )


def _parse_cell(line: int, text: str) -> _Cell:
    opponent, side, result = text[:4].strip(), text[5:6].strip().lower(), text[7:8].strip().upper()
    between = text[4:5] + text[6:7] + text[8:]
    if not (opponent.isdecimal() or not opponent) or side not in ("", "-", "w", "b") or between.strip():
        raise QueryError(f"line {line}: {text.strip()!r} is not an opponent, w or b, and a result")
    if result not in (*_PLAYED, *_UNPLAYED, _NO_RESULT):
        valid = " ".join((*_PLAYED, *_UNPLAYED))
        raise QueryError(f"line {line}: the result {result!r} is unknown; valid: {valid}")
    return _Cell(int(opponent or 0), side.strip("-"), result)


def _distinguish(players: list[_Player]) -> dict[int, _Player]:
    """Return the players by their numbers, with different names."""
    known: dict[int, _Player] = {}
    names: set[str] = set()
    for player in players:
        if player.number in known:
            raise QueryError(
                f"line {player.line}: number {player.number} is also that of line {known[player.number].line}"
            )
        name = player.name
        while not name or name in names:
            name = f"{name} ({player.number})".strip()
        names.add(name)
        known[player.number] = player._replace(name=name)
    return known


def _list_games(
    players: Mapping[int, _Player], days: list[dt.date | None], site: str | None, unplayed: dict[str, float]
) -> Iterator[TournamentGame]:
    """Yield the games by round; add points from rounds without a game to `unplayed`."""
    for at in range(max(len(player.cells) for player in players.values())):
        for player in players.values():
            cell = _get_cell(player, at)
            opponent = _find_opponent(players, player, at) if cell.opponent else None
            if cell.result in _UNPLAYED:
                unplayed[player.name] += _UNPLAYED[cell.result]
            elif opponent is None:
                if cell.result:
                    raise QueryError(f"line {player.line}: round {at + 1} has the result {cell.result} and no opponent")
            elif player.number < opponent.number and _get_cell(opponent, at).result not in _UNPLAYED:
                first, second = _order(player, opponent, at)
                points = _read_points(first, second, at)
                day = days[at] if at < len(days) else None
                yield TournamentGame(
                    (first.name, second.name), points, str(at + 1), (first.rating, second.rating), day, site
                )


def _get_cell(player: _Player, at: int) -> _Cell:
    return player.cells[at] if at < len(player.cells) else _Cell(0, "", _NO_RESULT)


def _find_opponent(players: Mapping[int, _Player], player: _Player, at: int) -> _Player:
    """Return a player's opponent in a round. QueryError if there is no such player, or if that one has another opponent."""
    number = _get_cell(player, at).opponent
    opponent = players.get(number)
    if opponent is None or opponent is player:
        raise QueryError(f"line {player.line}: no other player has the number {number}, the opponent in round {at + 1}")
    theirs = _get_cell(opponent, at).opponent
    if theirs != player.number:
        raise QueryError(
            f"line {player.line}: the opponent in round {at + 1} is {number}, whose own opponent is {theirs or 'nobody'}"
        )
    return opponent


def _order(player: _Player, opponent: _Player, at: int) -> tuple[_Player, _Player]:
    """Return both players, the one who moved first before the other."""
    sides = _get_cell(player, at).side, _get_cell(opponent, at).side
    if sides[0] and sides[0] == sides[1]:
        raise QueryError(f"line {player.line}: both players of the game in round {at + 1} have the side {sides[0]}")
    return (opponent, player) if sides[0] == "b" or sides[1] == "w" else (player, opponent)


def _read_points(first: _Player, second: _Player, at: int) -> tuple[float, float] | None:
    """Return the points of both players of a game, None without a result. QueryError for a contradiction."""
    one, other = _get_cell(first, at).result, _get_cell(second, at).result
    if one == other == _NO_RESULT:
        return None
    points = _PLAYED.get(one), _PLAYED.get(other)
    if points not in ((1, 0), (0, 1), (0.5, 0.5), (0, 0)):
        raise QueryError(
            f"line {first.line}: the results {one or 'nothing'} and {other or 'nothing'} of round {at + 1} (with line {second.line}) "
            "contradict each other"
        )
    return points  # type: ignore[return-value] # both are numbers


def _parse_day(text: str) -> dt.date | None:
    """Return a date such as 2010/05/01, None for any other text."""
    found = re.fullmatch(r"(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})", text)
    try:
        return dt.date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def _parse_days(text: str) -> list[dt.date | None]:
    """Return the days of rounds in a line of the code 132, such as 10/05/01: of the years 1970 to 2069."""
    texts = (text[at : at + 8].strip() for at in range(_FIRST_ROUND, len(text), _ROUND_WIDTH))
    return [_parse_day(("20" if one[:2] < "70" else "19") + one) if one else None for one in texts]


def _compare_points(
    players: Mapping[int, _Player], games: list[TournamentGame], unplayed: Mapping[str, float]
) -> Iterator[str]:
    """Yield a sentence for each player whose stated points are not those of the games."""
    found = {one.player: one.points for one in rank_players(games, unplayed)}
    for player in players.values():
        if player.points is not None and player.points != found[player.name]:
            yield (
                f"line {player.line}: {player.name} has {player.points:g} points as stated, "
                f"{found[player.name]:g} by the rounds"
            )
