"""Lists of games."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.queries.binding import Value, run
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters import Asked, condition
from zertz_db.queries.result import Result, ask
from zertz_db.store.opening import Database

SUMMARY = (
    "id", "date", "player1", "player2", "result", "ending", "winning_sets", "board", "rule_set", "plies", "event", "verdict",
)  # fmt: skip
"""The columns that a list of games shows."""

NEWEST = "-date"


def games(
    database: Database,
    filters: Asked = "",
    *,
    sort: str = NEWEST,
    limit: int | None = None,
    offset: int = 0,
    columns: Sequence[str] = SUMMARY,
) -> Result:
    """The games that pass the filters.

    sort: a column of SUMMARY, with `-` before it for the greatest first; games without a value come last. limit: at
    most so many games, after the first `offset` ones. columns: columns of the view `games`. QueryError for what no game
    can have or be sorted by.
    """
    sql, values = selection(", ".join(map(_shown, columns)), filters, sort, limit, offset)
    return ask(database.connection(), sql, values, about="games")


def count_games(database: Database, filters: Asked = "") -> int:
    """How many games pass the filters."""
    where, values = condition(filters)
    rows = run(database.connection(), f"SELECT count(*) FROM _game WHERE {where}", values).fetchall()
    return int(rows[0][0])


def game_ids(database: Database, filters: Asked = "", sort: str = NEWEST) -> list[int]:
    """The ids, as numbers, of the games that pass the filters."""
    sql, values = selection("_game.id", filters, sort)
    return [number for (number,) in run(database.connection(), sql, values).fetchall()]


def selection(
    expressions: str, filters: Asked, sort: str, limit: int | None = None, offset: int = 0
) -> tuple[str, list[Value]]:
    """A query over the table `_game`, in order, and its parameters."""
    where, values = condition(filters)
    order = _order(sort)
    if limit is None and not offset:
        return f"SELECT {expressions} FROM _game WHERE {where} ORDER BY {order}", values
    if (limit or 0) < 0 or offset < 0:
        raise QueryError(f"{limit} games after {offset} can't be listed")
    # The rows first, the expressions then: DuckDB would work these out for all games that pass.
    some, paging = ("LIMIT ? OFFSET ?", [limit, offset]) if limit is not None else ("OFFSET ?", [offset])
    chosen = f"SELECT rowid FROM _game WHERE {where} ORDER BY {order} {some}"
    return f"SELECT {expressions} FROM _game WHERE rowid IN ({chosen}) ORDER BY {order}", [*values, *paging]


def _shown(column: str) -> str:
    return f"id_text(_game.{column}) AS {column}" if column in ("id", "record") else f'"{column}"'


def _order(sort: str) -> str:
    name, direction = sort.removeprefix("-"), "DESC" if sort.startswith("-") else "ASC"
    if name not in SUMMARY:
        raise QueryError(f"games can't be sorted by {name!r}; they can by {', '.join(SUMMARY)}")
    key = {"date": "date_from", "player1": "lower(player1)", "player2": "lower(player2)", "id": "id_text(_game.id)"}
    return f"{key.get(name, name)} {direction} NULLS LAST, _game.id"
