"""Profile of one player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import duckdb

from zertz_db.queries.players.player_games import MEANINGS, TALLY, select_player_games, tally
from zertz_db.queries.players.player_list import Player, find_player
from zertz_db.queries.result import Column, Result, run_query
from zertz_db.queries.tactics.tally import tally_tactics
from zertz_db.rules.canonical import decoder
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database


@dataclass(frozen=True, slots=True)
class Profile:
    """Profile of a player.

    The columns of every table end with games, wins, ties, losses, and mostly share, low, high (of points; see `seats.MEANINGS`).
    total: one row for all games, with first_date and last_date. results: by board, rule_set, side. conditions: how games ended, by outcome
    (won, lost or tied), ending, winning_sets, won_by; only games. first_moves: the first ply of games in which the player moved first, by
    board and rule_set; moves that the board's symmetries turn into each other are one. opponents: opponent and kind, the most frequent
    first. years: by year, the latest first. tactics: forced wins kept and missed, blunders and accuracy in analysed games, in a row with
    the columns of `tally_tactics`; no row without such a game.
    """

    player: Player
    total: Result
    results: Result
    conditions: Result
    first_moves: Result
    opponents: Result
    years: Result
    tactics: Result

    @property
    def games(self) -> int:
        """Return the number of games; a game of a player against themselves counts once."""
        return int(self.total.dicts()[0]["games"])

    def as_json(self) -> dict[str, Any]:
        """Return an object for JSON, with tables as lists of objects."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "player"}
        tables = {name: value.dicts() for name, value in values.items()}
        _, name, kind, names = self.player
        return {"name": name, "kind": kind, "names": names, "games": self.games, **tables}


def find_profile(database: Database, name: str, filters: str = "") -> Profile:
    """Return a player's profile from the games that pass the filters. QueryError for an unknown name."""
    connection = database.connection()
    player = find_player(connection, name)
    taken = select_player_games(connection, player.id, filters)
    return Profile(
        player,
        tally(connection, TOTAL.format(taken)),
        tally(connection, RESULTS.format(taken)),
        _conditions(connection, taken),
        _first_moves(connection, taken),
        tally(connection, _OPPONENTS.format(taken)),
        tally(connection, YEARS.format(taken)),
        tally_tactics(connection, taken),
    )


TOTAL = f"SELECT {TALLY}, min(date_from) AS first_date, max(date_from) AS last_date FROM {{}}"
RESULTS = f"SELECT board, rule_set, side, {TALLY} FROM {{}} GROUP BY ALL ORDER BY board, rule_set, side"
YEARS = f"SELECT year(date_from) AS year, {TALLY} FROM {{}} GROUP BY ALL ORDER BY year DESC NULLS LAST"
_OPPONENTS = f"""
    SELECT name AS opponent, kind, {TALLY} FROM {{}} JOIN _player ON id = opponent
    WHERE player <> opponent GROUP BY name, kind ORDER BY games DESC, lower(name), name
"""
_CONDITIONS = """
    SELECT CASE score WHEN 1 THEN 'won' WHEN -1 THEN 'lost' ELSE 'tied' END AS outcome, ending, winning_sets, won_by,
        count(*) AS games
    FROM {} WHERE score IS NOT NULL GROUP BY ALL
    ORDER BY outcome DESC, games DESC, ending, winning_sets NULLS LAST, won_by NULLS LAST
"""
_CONDITION_MEANINGS = {
    "outcome": "won, lost or tied, by the player",
    "ending": "what ended the game",
    "winning_sets": "the sets that the winner held",
    "won_by": "what brought the set: jump or claim",
}


def _conditions(connection: duckdb.DuckDBPyConnection, taken: str) -> Result:
    found = run_query(connection, _CONDITIONS.format(taken))
    meanings = {**MEANINGS, **_CONDITION_MEANINGS}
    return Result(tuple(Column(name, meanings[name]) for name in found.names), found.rows)


_FIRST_MOVES = f"""
    SELECT taken.board, rule_set, next_move AS move, {TALLY}
    FROM {{}} taken JOIN (SELECT game, next_move FROM _position WHERE ply = 0 AND next_move IS NOT NULL) USING (game)
    WHERE side = 1 AND start IS NULL GROUP BY ALL ORDER BY games DESC, taken.board, rule_set, move
"""


def _first_moves(connection: duckdb.DuckDBPyConnection, taken: str) -> Result:
    meaning = "the move, or one that the board's symmetries turn it into"
    found = tally(connection, _FIRST_MOVES.format(taken), meanings={"move": meaning})
    rows = []
    starts: dict[tuple[str, str], tuple[Position, Callable[[int], Move]]] = {}
    for board, rules, code, *rest in found.rows:
        if (board, rules) not in starts:
            start = Position.start(board, rules)
            starts[board, rules] = start, decoder(start)
        position, move = starts[board, rules]
        rows.append((board, rules, position.notation(move(code)), *rest))
    return Result(found.columns, rows)
