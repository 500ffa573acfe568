"""Collect the games of a site: columns of facts, and the canonical movetext, a line for each game."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import duckdb

from zertz_db.queries.games.game_list import selection
from zertz_db.queries.players.player_list import name_players
from zertz_db.queries.sql_params import execute
from zertz_db.rules.board import STANDARD_BOARDS, Board, standard_board
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text


class GameRow(NamedTuple):
    """Facts of a game, as its table has them."""

    id: int
    board: str
    rule_set: str
    tournament: bool
    claims: str
    start: str | None
    player1: str | None
    player2: str | None
    event: str | None
    site: str | None
    round: str | None
    date: str | None
    date_from: dt.date | None
    date_to: dt.date | None
    time: str | None
    plies: int
    movetext: str
    result: str | None
    ending: str | None
    winning_sets: str | None
    won_by: str | None
    verdict: str

    @property
    def rules(self) -> str:
        """Return the rule set with its options."""
        return self.rule_set + "+tournament" * self.tournament + "+written" * (self.claims == "written")

    def describe(self) -> dict[str, Any]:
        """Return a row of a list, as `describeGame` of `frontend/archive/questions.js` does."""
        return {"id": to_text(self.id)} | {name: getattr(self, name) for name in _LISTED}


class SiteGames(NamedTuple):
    """Games of a site. columns, players: plain values for JSON. boards: those of the games, and all standard boards."""

    rows: list[GameRow]
    boards: list[Board]
    columns: dict[str, Any]
    players: dict[str, Any]
    movetext: str


def collect_games(database: Database, filters: str = "") -> SiteGames:
    """Return the games that pass the filters, board by board, each board's in the order of their dates.

    Facts that many games share are written once: such a column has its distinct `values`, and their numbers in `at`, a number for
    each game. A date is its text with the first and the last day that it can be, in days since 1970.
    """
    connection = database.connection()
    query, values = selection(", ".join(_FACTS), filters, "date")
    rows = [GameRow(*row) for row in execute(connection, query, values).fetchall()]
    boards = [standard_board(name) for name in STANDARD_BOARDS]
    numbers = [_number_board(boards, row) for row in rows]
    order = sorted(range(len(rows)), key=numbers.__getitem__)
    rows = [rows[at] for at in order]
    names = sorted({name for row in rows for name in (row.player1, row.player2) if name is not None})
    place = {name: number for number, name in enumerate(names)}
    columns: dict[str, Any] = {
        "id": [to_text(row.id) for row in rows],
        "board": sorted(numbers),
        "plies": [row.plies for row in rows],
        "player1": [place.get(row.player1 or "", -1) for row in rows],
        "player2": [place.get(row.player2 or "", -1) for row in rows],
        "rules": _share(row.rules for row in rows),
        "date": _share((row.date, _count_days(row.date_from), _count_days(row.date_to)) for row in rows),
    }
    columns |= {name: _share(getattr(row, name) for row in rows) for name in _SHARED}
    players = {"names": names, **_find_players(connection, names)}
    return SiteGames(rows, boards, columns, players, "".join(f"{row.movetext}\n" for row in rows))


_FACTS = tuple(f"_game.{name}" for name in GameRow._fields)
_SHARED = ("start", "event", "site", "round", "time", "result", "ending", "winning_sets", "won_by", "verdict")
_LISTED = ("date", "player1", "player2", "board", "plies", *_SHARED, "rules")
"""Facts of a game in a list, besides its id."""
_EPOCH = dt.date(1970, 1, 1)


def _number_board(boards: list[Board], row: GameRow) -> int:
    """Return the number of a game's board in a list, which gets a board that it lacks."""
    board = Position.parse(row.start).board if row.start else standard_board(row.board)
    if board not in boards:
        boards.append(board)
    return boards.index(board)


def _count_days(day: dt.date | None) -> int | None:
    return None if day is None else (day - _EPOCH).days


def _share(facts: Iterable[Any]) -> dict[str, Any]:
    """Return the distinct facts in the order of their first games, and for each game the number of its fact."""
    numbers: dict[Any, int] = {}
    at = [numbers.setdefault(fact, len(numbers)) for fact in facts]
    return {"values": [*numbers], "at": at}


def _find_players(connection: duckdb.DuckDBPyConnection, names: Sequence[str]) -> dict[str, Any]:
    """Return the players with these names as [name, kind], and for each name the number of its player (-1: unknown)."""
    known = name_players(connection)
    of_name = dict(connection.execute("SELECT name, player FROM _alias").fetchall())
    found = sorted({of_name[name] for name in names if name in of_name}, key=lambda player: known[player])
    place = {player: number for number, player in enumerate(found)}
    return {
        "players": [known[player] for player in found],
        "of": [place.get(of_name.get(name, 0), -1) for name in names],
    }
