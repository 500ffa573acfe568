"""Lists of single moves and combinations: the longest missed wins, the deepest combinations played, the quickest forced wins."""

from __future__ import annotations

from typing import NamedTuple

from zertz_db.parser.vocabulary.terms import WINS_BY_MOVES
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.result import Column, Result, run_query
from zertz_db.queries.sql_params import require_row_count
from zertz_db.queries.tactics.measures import SHORTEST_CHANCE
from zertz_db.store.folder.database import Database
from zertz_db.store.schema.ply_columns import plies_of
from zertz_db.store.sql_literals import literal

TOP = 20
"""Default number of rows."""


class Kind(NamedTuple):
    """A list: its meaning, and the SQL of its moves, a table with `game`, `ply` and `length`, with their order."""

    meaning: str
    moves: str
    order: str


_PLAYED = f"""
    SELECT game, arg_max(ply, (length, -ply)) AS ply, max(length) AS length FROM (
        SELECT game, ply, length, bool_and(coalesce(kept, false)) OVER to_the_end AS lasted
        FROM (SELECT id AS game, winner AS mover FROM chosen WHERE ending IN ({", ".join(map(literal, WINS_BY_MOVES))}))
        JOIN (SELECT game, ply, mover FROM _ply) USING (game, mover)
        LEFT JOIN (SELECT game, ply, forced AS length, kept FROM _tactic WHERE forced IS NOT NULL) USING (game, ply)
        WINDOW to_the_end AS (PARTITION BY game ORDER BY ply ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
    ) WHERE lasted AND length >= {SHORTEST_CHANCE} GROUP BY game
"""
"""The winner's turns from which on each kept a forced win, to the last one, which won; of a game the longest of these wins."""
KINDS = {
    "missed": Kind(
        "missed forced wins, the longest first",
        "SELECT game, ply, forced AS length FROM _tactic WHERE missed",
        "length DESC, date_from DESC NULLS LAST, game, ply",
    ),
    "played": Kind(
        "forced wins that were kept to the end, the longest first",
        _PLAYED,
        "length DESC, date_from DESC NULLS LAST, game, ply",
    ),
    "quickest": Kind(
        "the first forced win of a game, the earliest first",
        "SELECT game, min(ply) AS ply, arg_min(forced, ply) AS length FROM _tactic WHERE forced IS NOT NULL GROUP BY game",
        "ply, length, date_from DESC NULLS LAST, game",
    ),
}
"""Lists by name."""

COLUMNS = (
    Column("id", "the game's id"),
    Column("ply", "plies before the position with the forced win: the ply of zertz show and zertz solve"),
    Column("length", "plies of the forced win"),
    Column("player", "the player to move"),
    Column("opponent", "the other player"),
    Column("date", "the game's date"),
    Column("board", "the board"),
    Column("rule_set", "the rule set"),
    Column("move", "the move that was played"),
    Column("result", "the result of the game"),
)


def find_tactics(database: Database, kind: str = "missed", filters: str = "", limit: int | None = TOP) -> Result:
    """List moves of the analysed games that pass the filters, for one of KINDS. limit: maximum number of rows; None for all.

    Columns: COLUMNS. QueryError for an unknown kind and an invalid filter.
    """
    if kind not in KINDS:
        raise QueryError(f"no list of forced wins is called {kind!r}; valid: {', '.join(KINDS)}")
    require_row_count(limit or 0, "forced wins")
    where, values = condition(filters)
    most = "" if limit is None else f"LIMIT {limit:d}"
    asked = KINDS[kind]
    sql = _LISTED.format(where=where, moves=asked.moves, order=asked.order, most=most, plies=_PLIES)
    return Result(COLUMNS, run_query(database.connection(), sql, values, ids=("id",)).rows)


_PLIES = plies_of("(SELECT game FROM listed)")
_LISTED = """
    WITH chosen AS (SELECT * FROM _game WHERE {where}), moves AS ({moves}),
    listed AS (
        SELECT moves.*, date_from FROM moves JOIN (SELECT id AS game, date_from FROM chosen) USING (game) ORDER BY {order} {most}
    )
    SELECT game AS id, ply, length, CASE mover WHEN 1 THEN player1 ELSE player2 END AS player,
        CASE mover WHEN 1 THEN player2 ELSE player1 END AS opponent, date, board, rule_set, notation AS move, result
    FROM listed JOIN {plies} USING (game, ply)
    JOIN (SELECT id AS game, player1, player2, date, board, rule_set, result FROM _game) USING (game)
    ORDER BY {order}
"""
