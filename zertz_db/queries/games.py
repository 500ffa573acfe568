"""Lists of games."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.queries.binding import Value, run
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters import Filters, condition
from zertz_db.queries.result import Result, ask
from zertz_db.store.opening import Database

SUMMARY = (
    "id", "date", "player1", "player2", "result", "ending", "winning_sets", "board", "rule_set", "plies", "event", "verdict",
)  # fmt: skip
"""The columns that a list of games shows."""

NEWEST = "-date"
NO_FILTERS = Filters()


def games(
    database: Database,
    filters: Filters = NO_FILTERS,
    *,
    sort: str = NEWEST,
    limit: int | None = None,
    columns: Sequence[str] = SUMMARY,
) -> Result:
    """The games that pass the filters.

    sort: a column of SUMMARY, with `-` before it for the greatest first; games without a value come last. limit: at
    most so many games. columns: columns of the view `games`. QueryError for what no game can have or be sorted by.
    """
    sql, values = selection(", ".join(map(_shown, columns)), filters, sort)
    if limit is not None:
        if limit < 0:
            raise QueryError(f"{limit} games can't be listed")
        sql += " LIMIT ?"
        values.append(limit)
    return ask(database.connection(), sql, values, about="games")


def count_games(database: Database, filters: Filters = NO_FILTERS) -> int:
    """How many games pass the filters."""
    where, values = condition(filters)
    rows = run(database.connection(), f"SELECT count(*) FROM _game WHERE {where}", values).fetchall()
    return int(rows[0][0])


def game_ids(database: Database, filters: Filters = NO_FILTERS, sort: str = NEWEST) -> list[int]:
    """The ids, as numbers, of the games that pass the filters."""
    sql, values = selection("_game.id", filters, sort)
    return [number for (number,) in run(database.connection(), sql, values).fetchall()]


def selection(expressions: str, filters: Filters, sort: str) -> tuple[str, list[Value]]:
    """A query over the table `_game`, in order, and its parameters."""
    where, values = condition(filters)
    return f"SELECT {expressions} FROM _game WHERE {where} ORDER BY {_order(sort)}", values


def _shown(column: str) -> str:
    return f"id_text(_game.{column}) AS {column}" if column in ("id", "record") else f'"{column}"'


def _order(sort: str) -> str:
    name, direction = sort.removeprefix("-"), "DESC" if sort.startswith("-") else "ASC"
    if name not in SUMMARY:
        raise QueryError(f"games can't be sorted by {name!r}; they can by {', '.join(SUMMARY)}")
    key = {"date": "date_from", "player1": "lower(player1)", "player2": "lower(player2)", "id": "id_text(_game.id)"}
    return f"{key.get(name, name)} {direction} NULLS LAST, _game.id"
