"""Lists of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.filters.errors import suggestion
from zertz_db.queries.games.one_game import find_number
from zertz_db.queries.memory.kept_games import KeptGames, keep_games
from zertz_db.queries.result import Result, build_result, run_query
from zertz_db.queries.sql_params import Value, execute, require_row_count
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text, to_text
from zertz_db.store.sql_literals import literal

SUMMARY = (
    "id", "date", "player1", "player2", "result", "ending", "winning_sets", "board", "rule_set", "plies", "event", "verdict",
)  # fmt: skip
"""Columns of a list of games."""

RATINGS = ("rating1", "rating2")
"""Further columns: the ratings of both players before the game, NULL where there is none."""
BY_RATING = "rating"
"""Further sort key: the lower rating of both players."""

NEWEST = "-date"
_MAX_KEPT_ROWS = 200
"""Maximum number of rows that are faster read one by one from kept games than by a query."""


def list_games(
    database: Database,
    filters: str = "",
    *,
    sort: str = NEWEST,
    limit: int | None = None,
    offset: int = 0,
    after: str | None = None,
    columns: Sequence[str] = SUMMARY,
) -> Result:
    """List the games that pass the filters.

    sort: a column of SUMMARY, or `rating` for the lower rating of both players before the game, with `-` before it for the greatest
    first; games without a value come last. limit: maximum number of games, after the first `offset` ones. after: only games that come
    after the one with this id, so that a list read in parts misses none when others are imported meanwhile. columns: columns of the
    view `games`, and RATINGS. QueryError for an invalid filter or sort key, and for an unknown id.
    """
    connection = database.connection()
    last = None if after is None else find_number(database, after)[0]
    ids = [name for name in ("id", "record") if name in columns]
    kept = keep_games(database) if limit is not None and limit <= _MAX_KEPT_ROWS else None
    if kept and kept.has_columns(columns):
        sql, values = _select_some(
            "id", filters, sort, limit, offset, None if last is None else _behind(sort, last, kept)
        )
        numbers = [number for (number,) in execute(connection, sql, values).fetchall()]
        return build_result(connection, columns, kept.rows(numbers, columns), "games", ids)
    shown = ", ".join(_expression(column) for column in columns)
    sql, values = selection(shown, filters, sort, limit, offset, last)
    return run_query(connection, sql, values, about="games", ids=ids)


def count_games(database: Database, filters: str = "") -> int:
    """Count the games that pass the filters."""
    where, values = condition(filters)
    if where == "true" and (kept := keep_games(database)):
        return len(kept)
    rows = execute(database.connection(), f"SELECT count(*) FROM _game WHERE {where}", values).fetchall()
    return int(rows[0][0])


def game_ids(database: Database, filters: str = "", sort: str = NEWEST) -> list[int]:
    """Return the ids, as numbers, of the games that pass the filters."""
    sql, values = selection("_game.id", filters, sort)
    return [number for (number,) in execute(database.connection(), sql, values).fetchall()]


class Neighbours(NamedTuple):
    """Place of a game in a list: its number from 1, the number of games, and the ids of the games before and after it (None: no game)."""

    number: int
    total: int
    previous: str | None
    next: str | None


def find_neighbours(database: Database, game: str, filters: str = "", sort: str = NEWEST) -> Neighbours | None:
    """Return the place of a game (its id in letters) in a list, as `list_games` orders it; None if the list does not have the game."""
    where, values = condition(filters)
    listed = f"""
        SELECT
            id, row_number() OVER listed AS number, count(*) OVER () AS total,
            lag(id) OVER listed AS previous, lead(id) OVER listed AS next
        FROM _game WHERE {where} WINDOW listed AS (ORDER BY {_order(sort)})
    """
    query = f"SELECT number, total, previous, next FROM ({listed}) WHERE id = ?"
    rows = execute(database.connection(), query, [*values, from_text(game)]).fetchall()
    if not rows:
        return None
    [(number, total, previous, following)] = rows
    return Neighbours(number, total, *(None if one is None else to_text(one) for one in (previous, following)))


def selection(
    expressions: str,
    filters: str,
    sort: str,
    limit: int | None = None,
    offset: int = 0,
    after: int | None = None,
) -> tuple[str, list[Value]]:
    """Return an ordered query over the table `_game`, and its parameters. after: start after the game with this id (a number)."""
    behind = None if after is None else _behind(sort, after)
    if limit is None and not offset:
        return _select_some(expressions, filters, sort, None, 0, behind)
    # Select rows before expressions: DuckDB would evaluate the expressions for all games that pass.
    chosen, values = _select_some("rowid", filters, sort, limit, offset, behind)
    return f"SELECT {expressions} FROM _game WHERE rowid IN ({chosen}) ORDER BY {_order(sort)}", values


def _select_some(
    expressions: str, filters: str, sort: str, limit: int | None, offset: int, behind: str | None
) -> tuple[str, list[Value]]:
    """Return an ordered query over the table `_game`, and its parameters. behind: a further condition (None: none)."""
    where, values = condition(filters)
    if behind is not None:
        where = f"({where}) AND ({behind})"
    query = f"SELECT {expressions} FROM _game WHERE {where} ORDER BY {_order(sort)}"
    for name, count in (("LIMIT", limit), ("OFFSET", offset or None)):
        if count is not None:
            require_row_count(count, "games")
            query, values = f"{query} {name} ?", [*values, count]
    return query, values


def _order(sort: str) -> str:
    return f"{_key(sort)} {'DESC' if sort.startswith('-') else 'ASC'} NULLS LAST, _game.id"


def _behind(sort: str, game: int, kept: KeptGames | None = None) -> str:
    """Return the condition that `_order` puts a game after this one. kept: with it the condition is found faster."""
    key, sign = _key(sort), "<" if sort.startswith("-") else ">"
    if kept and kept.has_columns([key]):
        [(value,)] = kept.rows([game], [key])
        if value is None:
            return f"{key} IS NULL AND _game.id > {game:d}"
        return f"({key} = {literal(value)} AND _game.id > {game:d}) OR {key} IS NULL OR {key} {sign} {literal(value)}"
    there = f"(SELECT {key} FROM _game WHERE id = {game:d})"
    equal = f"{key} IS NOT DISTINCT FROM {there} AND _game.id > {game:d}"
    return f"({equal}) OR ({there} IS NOT NULL AND ({key} IS NULL OR {key} {sign} {there}))"


def _key(sort: str) -> str:
    name = sort.removeprefix("-")
    if name not in SORTS:
        raise QueryError(f"games can't be sorted by {name!r}; valid: {', '.join(SORTS)}{suggestion(name, SORTS)}")
    return _KEYS.get(name, name)


SORTS = (*SUMMARY, BY_RATING)
"""Sort keys of a list of games."""
_KEYS = {
    "date": "date_from",
    "player1": "lower(player1)",
    "player2": "lower(player2)",
    "id": "id_text(_game.id)",
    BY_RATING: "(SELECT CASE WHEN rating1 > rating2 THEN rating2 WHEN rating2 IS NOT NULL THEN rating1 END FROM _rating"
    " WHERE game = _game.id)",
}


def _expression(column: str) -> str:
    if column in RATINGS:
        return f"(SELECT {column} FROM _rating WHERE game = _game.id) AS {column}"
    return f'_game."{column}"'
