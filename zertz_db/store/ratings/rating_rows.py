"""Write ratings to the table `_rating`: only rows, and only columns, that differ."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.store.schema.table_columns import arrow_schema

_COLUMNS = ("rating1", "deviation1", "rating2", "deviation2")
NONE = -(1 << 31)
"""A rating that is NULL in the table."""


def write_changed_rows(
    connection: duckdb.DuckDBPyConnection, games: Any, ratings: Any, *, is_all: bool, by_column: bool
) -> None:
    """Write the rows of games. games: ids, int64 (n). ratings: int32 (n, 4), NONE for none.

    is_all: the table has no other rows afterwards; if not, the games have no rows yet. by_column: update single columns, which makes a
    short log; if not, replace rows, which makes few files in a lake.
    """
    order = np.argsort(games)
    games, ratings = games[order], ratings[order]
    old_games, old_ratings = _read(connection) if is_all else (games[:0], ratings[:0])
    if not len(old_games):  # without arrays for a comparison, which would take memory
        _insert(connection, games, ratings)
        return
    places = np.searchsorted(old_games, games)
    is_old = np.zeros(len(games), bool)
    is_inside = places < len(old_games)
    is_old[is_inside] = old_games[places[is_inside]] == games[is_inside]
    before = np.full_like(ratings, NONE)
    before[is_old] = old_ratings[places[is_old]]
    differs = before != ratings
    is_kept = np.zeros(len(old_games), bool)
    is_kept[places[is_old]] = True
    moves_none = is_old & ((before == NONE) != (ratings == NONE)).any(axis=1)
    is_replaced = moves_none if by_column else is_old & differs.any(axis=1)
    _delete(connection, np.concatenate((old_games[~is_kept], games[is_replaced])))
    _insert(connection, games[is_replaced | ~is_old], ratings[is_replaced | ~is_old])
    for number, column in enumerate(_COLUMNS):
        is_changed = differs[:, number] & is_old & ~is_replaced
        _update(connection, column, games[is_changed], ratings[is_changed, number])


def _read(connection: duckdb.DuckDBPyConnection) -> tuple[Any, Any]:
    """Return the games of the table in order of their ids, and their ratings."""
    columns = ", ".join(f"coalesce({name}, {NONE}) AS {name}" for name in _COLUMNS)
    rows = connection.execute(f"SELECT game, {columns} FROM _rating").fetchnumpy()
    games = rows["game"]
    ratings = np.stack([rows[name] for name in _COLUMNS], axis=1) if len(games) else np.zeros((0, 4), np.int32)
    if (games[1:] < games[:-1]).any():  # later rows are at the end
        order = np.argsort(games)
        games, ratings = games[order], ratings[order]
    return games, ratings


def _delete(connection: duckdb.DuckDBPyConnection, games: Any) -> None:
    if len(games):
        _execute(connection, "DELETE FROM _rating WHERE game IN (SELECT game FROM changed)", {"game": pa.array(games)})


def _insert(connection: duckdb.DuckDBPyConnection, games: Any, ratings: Any) -> None:
    if len(games):
        schema = arrow_schema("rating")
        columns = {
            name: pa.array(ratings[:, number], schema.field(name).type, mask=ratings[:, number] == NONE)
            for number, name in enumerate(_COLUMNS)
        }
        _execute(connection, "INSERT INTO _rating BY NAME FROM changed", {"game": pa.array(games), **columns})


def _update(connection: duckdb.DuckDBPyConnection, column: str, games: Any, values: Any) -> None:
    if len(games):
        statement = f"UPDATE _rating SET {column} = value FROM changed WHERE _rating.game = changed.game"
        _execute(connection, statement, {"game": pa.array(games), "value": pa.array(values)})


def _execute(connection: duckdb.DuckDBPyConnection, statement: str, columns: dict[str, pa.Array]) -> None:
    """Execute a statement over these rows, which it calls `changed`."""
    connection.register("changed", pa.table(columns))
    try:
        connection.execute(statement)
    finally:
        connection.unregister("changed")
