"""SQL tables of insights: the sides of chosen games, and the tables that metrics and dimensions join to them."""

from __future__ import annotations

import re
from functools import lru_cache

from zertz_db.queries.filters.tactic_conditions import SEARCHED
from zertz_db.queries.openings.names import opening_name
from zertz_db.queries.sql_params import Value, execute
from zertz_db.queries.statistics.forced_wins import KNOWN_RATINGS
from zertz_db.queries.statistics.thinking_time import turn_times_sql
from zertz_db.rules.board import STANDARD_BOARDS
from zertz_db.rules.canonical import decoded
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.sql_literals import literal

FACTS = (
    "board", "rule_set", "date_from", "time", "plies", "ending", "winning_sets", "winner",
    *(f"captured{side}_{colour}" for side in (1, 2) for colour in ("white", "grey", "black")),
)  # fmt: skip
"""Columns of games that metrics and dimensions use."""


def sides_sql(where: str) -> str:
    """Return the tables `chosen` (games of a condition) and `sides`, with a row for each side of these games.

    Columns of `sides`: those of FACTS, game, mover (1 or 2), player (id; NULL if unnamed), own_kind and other_kind (of the players), and
    points (1 won, 0.5 a tie, 0 lost; NULL without a result, and for a player against themselves).
    """
    return f"""
        chosen AS (SELECT id AS game, player1, player2, {", ".join(FACTS)} FROM _game WHERE {where}),
        named AS (
            SELECT _alias.name, _player.id AS player, kind FROM _alias JOIN _player ON _player.id = player
            WHERE status = 'accepted'
        ),
        sides AS (
            SELECT either.*, own.player, own.kind AS own_kind, other.kind AS other_kind,
                CASE WHEN own.player = other.player THEN NULL WHEN winner = 0 THEN 0.5 WHEN winner = mover THEN 1
                    WHEN winner IS NOT NULL THEN 0 END AS points
            FROM (
                SELECT game, {", ".join(FACTS)}, unnest([1, 2]) AS mover, unnest([player1, player2]) AS own_name,
                    unnest([player2, player1]) AS other_name
                FROM chosen
            ) AS either
            LEFT JOIN named AS own ON own.name = own_name LEFT JOIN named AS other ON other.name = other_name
        )
    """


_OF_CHOSEN = "game IN (SELECT game FROM chosen)"
TABLES = {
    "rated": f"rated AS ({KNOWN_RATINGS})",
    "searched": f"searched AS (SELECT game, accuracy1, accuracy2 FROM _analysis WHERE {SEARCHED})",
    "turns": f"""turns AS (
        SELECT game, ply, mover, kind = 'placement' AND NOT forced AS free, sacrifice FROM _ply WHERE {_OF_CHOSEN}
    )""",
    "tactics": f"""tactics AS (
        SELECT game, ply, forced AS forced_win, kept, missed, blunder FROM _tactic WHERE {_OF_CHOSEN}
    )""",
}
"""Further tables by name."""


def write_tables(database: Database, where: str, values: list[Value], source: str) -> str:
    """Return the tables that a source (SQL) names, as SQL of a WITH.

    where, values: the condition of the chosen games, and its parameters.
    """
    parts = [sides_sql(where), *(sql for name, sql in TABLES.items() if re.search(rf"\b{name}\b", source))]
    if " timed " in source:
        parts.append(turn_times_sql(database))
    if " openings " in source:
        parts.append(_openings_sql(database, where, values))
    return ", ".join(parts)


def _openings_sql(database: Database, where: str, values: list[Value]) -> str:
    """Return the table `openings`: game and the name of its first move, of games from an empty standard board."""
    begun = f"SELECT id AS game, board AS begun FROM _game WHERE start IS NULL AND ({where})"
    moves = "SELECT game, next_move FROM _position WHERE ply = 0 AND next_move IS NOT NULL"
    found = execute(
        database.connection(), f"SELECT DISTINCT begun, next_move FROM ({begun}) JOIN ({moves}) USING (game)", values
    ).fetchall()
    rows = ["(NULL, NULL, NULL)"]
    rows += [
        f"({literal(board)}, {code:d}, {literal(_name(board, code))})"
        for board, code in found
        if board in STANDARD_BOARDS
    ]
    return f"""
        openings AS (
            SELECT game, opening FROM (SELECT game, board AS begun FROM chosen) JOIN ({moves}) USING (game)
            JOIN (SELECT id AS game FROM _game WHERE start IS NULL) USING (game)
            JOIN (VALUES {", ".join(rows)}) AS names(begun, next_move, opening) USING (begun, next_move)
        )
    """


@lru_cache(maxsize=4096)
def _name(board: str, code: int) -> str:
    start = Position.start(board)
    return opening_name(start, decoded(start, code))
