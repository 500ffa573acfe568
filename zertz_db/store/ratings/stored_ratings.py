"""Store the ratings of both players before each game, whenever a generation is built.

A game that is added, corrected or removed can move the ratings of all later games, so all are computed again: a few microseconds a
game. Only rows that differ are written: a lake has a file for each change.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pyarrow as pa

from zertz_db.store.ratings.dated_games import read_dated_columns
from zertz_db.store.ratings.model import NEWCOMER, move_ratings
from zertz_db.store.schema.ddl import arrow_schema

TABLE = "rating"
Row = tuple[int, int | None, int | None, int | None, int | None]
"""A game, the rating and the deviation of player 1, those of player 2."""
_Known = tuple[float, float]
"""Rating and deviation of a player."""


def refresh(connection: duckdb.DuckDBPyConnection) -> None:
    """Bring the table of ratings up to date with games and players in a database under construction."""
    connection.register("rated", _rate_games(connection))
    try:
        connection.execute("DELETE FROM _rating WHERE game IN (SELECT game FROM (FROM _rating EXCEPT FROM rated))")
        connection.execute("INSERT INTO _rating FROM (FROM rated EXCEPT FROM _rating) ORDER BY game")
    finally:
        connection.unregister("rated")


def _rate_games(connection: duckdb.DuckDBPyConnection) -> pa.Table:
    """Return the rows of the table: games with a full date in which at least one player has a rating."""
    schema = arrow_schema(TABLE)
    known: dict[int, _Known] = {}
    batches = [_to_arrow([*_rate_batch(known, columns)], schema) for columns in read_dated_columns(connection)]
    return pa.Table.from_batches([batch for batch in batches if batch.num_rows], schema)


def _rate_batch(known: dict[int, _Known], columns: tuple[list[Any], ...]) -> Iterator[Row]:
    """Yield the rows of some games, and bring the ratings of their players up to date. columns: as `read_dated_columns`."""
    for game, one, other, winner in zip(*columns, strict=True):
        first, second = known.get(one), known.get(other)
        if first or second:
            yield (game, *_round(first), *_round(second))
        if winner is not None and one is not None and other is not None and one != other:
            values = move_ratings(*(first or NEWCOMER), *(second or NEWCOMER), winner)
            known[one], known[other] = values[:2], values[2:]


def _round(belief: _Known | None) -> tuple[int | None, int | None]:
    return (round(belief[0]), round(belief[1])) if belief else (None, None)


def _to_arrow(rows: list[Row], schema: pa.Schema) -> pa.RecordBatch:
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    return pa.record_batch(
        [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)], schema
    )
