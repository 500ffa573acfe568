"""What to know about an opponent: replies, losses, known lines and missed wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import duckdb

from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.tactic_conditions import SEARCHED
from zertz_db.queries.openings.names import opening_name
from zertz_db.queries.players.player_games import MEANINGS, TALLY, select_player_games, tally
from zertz_db.queries.players.player_list import Player, find_player
from zertz_db.queries.preparation.known_lines import find_departures, sum_departures
from zertz_db.queries.result import Column, Result, run_query
from zertz_db.queries.sql_params import Value, require_row_count
from zertz_db.queries.statistics.win_conditions import SET_OR_ENDING
from zertz_db.queries.wilson import ENOUGH, share
from zertz_db.rules.canonical import decoder
from zertz_db.rules.move import Move
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database

MAX_REPLIES, MAX_ANSWERS = 150, 3
"""Maximum number of rows of replies, and of replies to one first move."""
KNOWN = 3
"""Default number of other games that make a position known."""
LONGEST = 7
"""Forced wins of this number of plies or more are one kind."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """What to know about a player before a game. See the meanings of the columns of each table.

    replies: the player's replies to first moves, as second player from an empty board; the first moves that were met most often come
    first. losses: lost games by winning set or other ending. leaving: by whom and when games left known lines. departures: the positions
    where that happened, most games first. missed: forced wins in analysed games by length, and how many the player let go.
    """

    player: Player
    replies: Result
    losses: Result
    leaving: Result
    departures: Result
    missed: Result

    def as_json(self) -> dict[str, Any]:
        """Return an object for JSON, with tables as lists of objects."""
        tables = {field.name: getattr(self, field.name).dicts() for field in fields(self) if field.name != "player"}
        return {"player": self.player.name, **tables}


def prepare_against(database: Database, name: str, filters: str = "", known: int = KNOWN) -> Preparation:
    """Return what to know about a player, from the games that pass the filters.

    known: a line is known up to the last position that this number of other games of the database reached. QueryError for an unknown name,
    an invalid filter and an invalid number.
    """
    require_row_count(known, "games")
    connection = database.connection()
    player = find_player(connection, name)
    taken = select_player_games(connection, player.id, filters)
    where, values = condition(filters)
    return Preparation(
        player,
        _find_replies(connection, taken),
        _count_losses(connection, taken, where, values),
        sum_departures(connection, taken, known),
        find_departures(connection, taken, known),
        _count_missed(connection, taken, where, values),
    )


_REPLIES = f"""
    SELECT board, rule_set, move, reply, (sum(games) OVER first_moves)::BIGINT AS faced,
        (count(*) OVER first_moves)::BIGINT AS replies, games, wins, ties, losses
    FROM (
        SELECT taken.board, rule_set, opened AS move, reply, {TALLY} FROM {{taken}} AS taken
        JOIN (SELECT game, next_move AS opened FROM _position WHERE ply = 0) USING (game)
        JOIN (SELECT game, next_move AS reply FROM _position WHERE ply = 1 AND next_move IS NOT NULL) USING (game)
        WHERE side = 2 AND start IS NULL AND taken.board <> 'custom' GROUP BY ALL
    )
    WINDOW first_moves AS (PARTITION BY board, rule_set, move)
    QUALIFY row_number() OVER (PARTITION BY board, rule_set, move ORDER BY games DESC, reply) <= {MAX_ANSWERS}
    ORDER BY faced DESC, board, rule_set, move, games DESC, reply LIMIT {MAX_REPLIES}
"""


def _find_replies(connection: duckdb.DuckDBPyConnection, taken: str) -> Result:
    meanings = {
        "move": "the first move, or one that the board's symmetries turn it into",
        "reply": "the player's reply; replies that a symmetry turns into each other are one",
        "faced": "games that began with this first move",
        "replies": f"number of different replies to it; the {MAX_ANSWERS} most frequent are listed",
    }
    found = tally(connection, _REPLIES.format(taken=taken), meanings=meanings)
    starts: dict[tuple[str, str], tuple[Position, Callable[[int], Move]]] = {}
    opened: dict[tuple[str, str, int], tuple[str, str, Position, Callable[[int], Move]]] = {}
    rows = []
    for board, rules, code, reply, *rest in found.rows:
        if (board, rules) not in starts:
            start = Position.start(board, rules)
            starts[board, rules] = start, decoder(start)
        if (board, rules, code) not in opened:
            start, move_of = starts[board, rules]
            move = move_of(code)
            after = start.play(move)
            opened[board, rules, code] = start.notation(move), opening_name(start, move), after, decoder(after)
        text, called, after, reply_of = opened[board, rules, code]
        rows.append((board, rules, text, called, after.notation(reply_of(reply)), *rest))
    before, after_move = found.columns[:3], found.columns[3:]
    return Result((*before, Column("name", "the first move in words"), *after_move), rows)


_LOSSES = f"""
    SELECT way, games, plies, (sum(games) OVER ())::BIGINT AS of, usual
    FROM (SELECT {SET_OR_ENDING} AS way, count(*) AS games, round(avg(plies), 1) AS plies FROM {{taken}} WHERE score = -1 GROUP BY way)
    LEFT JOIN (
        SELECT {SET_OR_ENDING} AS way, round(count(*) / sum(count(*)) OVER (), 4) AS usual FROM _game
        WHERE ({{where}}) AND winner IN (1, 2) GROUP BY way
    ) USING (way)
    ORDER BY games DESC, way
"""


def _count_losses(connection: duckdb.DuckDBPyConnection, taken: str, where: str, values: list[Value]) -> Result:
    found = run_query(connection, _LOSSES.format(taken=taken, where=where), values)
    columns = (
        Column("ending", "the winning set of the opponent, or another ending"),
        Column("games", "lost games with this ending"),
        Column("plies", "their mean length in plies"),
        Column("of", "all lost games"),
        Column("share", f"share of this ending; empty for fewer than {ENOUGH} lost games"),
        Column("low", MEANINGS["low"]),
        Column("high", MEANINGS["high"]),
        Column("usual", "the same share in all decided games that pass the filter"),
    )
    rows = [
        (way, games, plies, of, *(share(games, of) or (None, None, None)), usual)
        for way, games, plies, of, usual in found.rows
    ]
    return Result(columns, rows)


_DECIDED = "CASE WHEN forced = 1 THEN kept IS NOT NULL ELSE coalesce(kept, false) OR coalesce(missed, false) END"
_LENGTH = f"""
    SELECT least(forced, {LONGEST}) AS length, count(*) AS chances, count(*) FILTER (NOT coalesce(kept, false)) AS missed
    FROM (SELECT game, ply, mover FROM _ply) JOIN (SELECT * FROM _tactic WHERE forced IS NOT NULL AND {_DECIDED}) USING (game, ply)
    JOIN ({{sides}}) USING (game, mover) WHERE game IN (SELECT game FROM _analysis WHERE {SEARCHED}) GROUP BY length
"""
_MISSED = f"""
    SELECT length, own.chances, own.missed, CASE WHEN usual.chances >= {ENOUGH} THEN round(usual.missed / usual.chances, 4) END AS usual
    FROM ({_LENGTH.format(sides="SELECT game, side AS mover FROM {taken}")}) AS own
    JOIN ({_LENGTH.format(sides="SELECT id AS game, unnest([1, 2]) AS mover FROM _game WHERE {where}")}) AS usual USING (length)
    ORDER BY length
"""


def _count_missed(connection: duckdb.DuckDBPyConnection, taken: str, where: str, values: list[Value]) -> Result:
    found = run_query(connection, _MISSED.format(taken=taken, where=where), values)
    columns = (
        Column("win", f"plies of the forced win; {LONGEST}+ is {LONGEST} or more"),
        Column("chances", "moves with such a win that was kept or let go for certain"),
        Column("missed", "moves that let it go"),
        Column("share", f"share of these; empty for fewer than {ENOUGH} chances"),
        Column("low", MEANINGS["low"]),
        Column("high", MEANINGS["high"]),
        Column("usual", "the same share of all players in the games that pass the filter"),
    )
    rows = [
        (
            f"{length}+" if length == LONGEST else str(length),
            chances,
            missed,
            *(share(missed, chances) or (None,) * 3),
            usual,
        )
        for length, chances, missed, usual in found.rows
    ]
    return Result(columns, rows)
