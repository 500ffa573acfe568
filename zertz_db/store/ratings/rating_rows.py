"""Write ratings to the table `_rating`: only rows, and only columns, that differ."""

from __future__ import annotations

from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.store.loading.bulk_load import execute_with, load
from zertz_db.store.schema.table_columns import arrow_schema

_COLUMNS = ("rating1", "deviation1", "rating2", "deviation2")
NONE = -(1 << 31)
"""A rating that is NULL in the table."""


class Rows(NamedTuple):
    """Rows of the table. games: their ids, ascending, int64 (n). ratings: int32 (n, 4), NONE for none."""

    games: Any
    ratings: Any


def write_changed_rows(
    connection: duckdb.DuckDBPyConnection,
    games: Any,
    ratings: Any,
    old: Rows | None = None,
    *,
    is_all: bool,
    by_column: bool,
) -> None:
    """Write the rows of games. games: ids, int64 (n). ratings: int32 (n, 4), NONE for none. old: the table's rows, if they are known.

    is_all: the table has no other rows afterwards; if not, the games have no rows yet. by_column: update single columns, which makes a
    short log; if not, replace rows, which makes few files in a lake.
    """
    order = np.argsort(games)
    games, ratings = games[order], ratings[order]
    old_games, old_ratings = (old or read_rows(connection)) if is_all else (games[:0], ratings[:0])
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


def read_rows(connection: duckdb.DuckDBPyConnection) -> Rows:
    """Return all rows of the table in order of their games."""
    columns = ", ".join(f"coalesce({name}, {NONE}) AS {name}" for name in _COLUMNS)
    rows = connection.execute(f"SELECT game, {columns} FROM _rating").to_arrow_table()
    games = rows["game"].to_numpy()
    ratings = np.stack([rows[name].to_numpy() for name in _COLUMNS], axis=1)
    if (games[1:] < games[:-1]).any():  # later rows are at the end
        order = np.argsort(games)
        games, ratings = games[order], ratings[order]
    return Rows(games, ratings)


def _delete(connection: duckdb.DuckDBPyConnection, games: Any) -> None:
    if len(games):
        statement = "DELETE FROM _rating WHERE game IN (SELECT game FROM changed)"
        execute_with(connection, statement, "changed", pa.table({"game": pa.array(games)}))


def _insert(connection: duckdb.DuckDBPyConnection, games: Any, ratings: Any) -> None:
    if len(games):
        schema = arrow_schema("rating")
        columns = {
            name: pa.array(ratings[:, number], schema.field(name).type, mask=ratings[:, number] == NONE)
            for number, name in enumerate(_COLUMNS)
        }
        load(connection, "rating", pa.table({"game": pa.array(games), **columns}))


def _update(connection: duckdb.DuckDBPyConnection, column: str, games: Any, values: Any) -> None:
    if len(games):
        statement = f"UPDATE _rating SET {column} = value FROM changed WHERE _rating.game = changed.game"
        execute_with(connection, statement, "changed", pa.table({"game": pa.array(games), "value": pa.array(values)}))
