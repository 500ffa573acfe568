"""Store the ratings of both players before each game, whenever a generation is built.

A game that is added, corrected or removed can move the ratings of all later games, so all are computed again: a few microseconds a
game. Only rows that differ are written: a lake has a file for each change.
"""

from __future__ import annotations

import duckdb
import pyarrow as pa

from zertz_db.store.ratings.dated_games import read_dated_games
from zertz_db.store.ratings.model import Belief, rate_in_order
from zertz_db.store.schema.ddl import arrow_schema

TABLE = "rating"
_AT_ONCE = 50_000
"""Number of games per batch of rows: Python's numbers take ten times the space of Arrow's."""

Row = tuple[int, int | None, int | None, int | None, int | None]
"""A game, the rating and the deviation of player 1, those of player 2."""


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
    batches: list[pa.RecordBatch] = []
    rows: list[Row] = []
    for step in rate_in_order(read_dated_games(connection)):
        one, other = step.before
        if one or other:
            rows.append((step.game.id, *_round(one), *_round(other)))
        if len(rows) == _AT_ONCE:
            batches.append(_to_arrow(rows, schema))
            rows = []
    if rows:
        batches.append(_to_arrow(rows, schema))
    return pa.Table.from_batches(batches, schema)


def _round(belief: Belief | None) -> tuple[int | None, int | None]:
    return (round(belief.strength), round(belief.deviation)) if belief else (None, None)


def _to_arrow(rows: list[Row], schema: pa.Schema) -> pa.RecordBatch:
    columns = zip(*rows, strict=True)
    return pa.record_batch(
        [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)], schema
    )
