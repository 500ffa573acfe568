"""List games that reached a position: the latest, or those of the players with the highest points share."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import SUMMARY
from zertz_db.queries.memory.kept_games import keep_games
from zertz_db.queries.openings import tree_sql
from zertz_db.queries.openings.few_games import Reached
from zertz_db.queries.openings.tree_sql import SoughtPosition
from zertz_db.queries.players.points_share import find_points_shares
from zertz_db.queries.result import Result, build_result, run_query
from zertz_db.queries.sql_params import execute
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text


def opening_games(
    database: Database,
    position: Position,
    filters: str = "",
    *,
    order: str = "date",
    limit: int,
    board_only: bool = False,
    few: Sequence[Reached] | None = None,
) -> Result:
    """List games that reached a position, as counted by `find_openings`; columns as in a list of games.

    order: the latest first (`date`); or first those whose less successful player has the most success (`players`): the share of
    points that is surely reached in all games, 97.5 % confidence (Wilson). limit: maximum number of games. few: `few` of `find_openings`,
    if it was asked before. QueryError for another order.
    """
    if order not in _ORDERS:
        raise QueryError(f"games can't be ordered by {order!r}; valid: {', '.join(_ORDERS)}")
    connection = database.connection()
    if few is None:
        first = _select(database, connection, SoughtPosition(position, filters, board_only), order, limit)
    else:
        first = _choose(database, few, order)[:limit]
    if kept := keep_games(database):
        return build_result(connection, SUMMARY, kept.rows(first, SUMMARY), "games", ("id",))
    wanted = ", ".join(f"{number:d}" for number in first) or "NULL"  # literals, so that DuckDB uses the index
    found = run_query(connection, f"SELECT {_SHOWN} FROM _game WHERE id IN ({wanted})", about="games", ids=("id",))
    places = {to_text(number): place for place, number in enumerate(first)}
    return Result(found.columns, sorted(found.rows, key=lambda row: places[row[0]]))


def _select(
    database: Database, connection: duckdb.DuckDBPyConnection, wanted: SoughtPosition, order: str, limit: int
) -> list[int]:
    """Return the numbers of the first games in an order."""
    which, values = tree_sql.which(wanted)
    if order == _BY_PLAYERS:
        connection.register("called", find_points_shares(database).table)
    rows = execute(connection, f"{_ORDERS[order].format(which=which)} LIMIT {limit:d}", values).fetchall()
    return [number for (number,) in rows]


def _choose(database: Database, few: Sequence[Reached], order: str) -> list[int]:
    """Return the numbers of these games in an order."""
    shares = find_points_shares(database).by_name if order == _BY_PLAYERS else {}

    def rank(game: Reached) -> tuple[float, int, int]:
        known = [shares[name] for name in game.players if name in shares]
        success = min(known) if len(known) == len(game.players) else _NO_SHARE
        return -success, -(game.date.toordinal() if game.date else 0), game.game

    return [game.game for game in sorted(few, key=rank)]


_NO_SHARE = -1
"""Below all points shares."""
_SHOWN = ", ".join(f"_game.{name}" for name in SUMMARY)
_LATEST = "SELECT id FROM _game WHERE {which} ORDER BY date_from DESC NULLS LAST, id"
_MOST_SUCCESSFUL = """
    SELECT id FROM (SELECT id, date_from, player1, player2 FROM _game WHERE {which})
    LEFT JOIN called one ON one.name = player1 LEFT JOIN called other ON other.name = player2
    ORDER BY CASE WHEN one.success IS NOT NULL AND other.success IS NOT NULL THEN least(one.success, other.success) END
        DESC NULLS LAST, date_from DESC NULLS LAST, id
"""
_BY_PLAYERS = "players"
_ORDERS = {"date": _LATEST, _BY_PLAYERS: _MOST_SUCCESSFUL}
