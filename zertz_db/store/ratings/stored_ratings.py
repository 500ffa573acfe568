"""Store the ratings of both players before each game, whenever a generation is built.

A game that is added, corrected or removed can move the ratings of all later games. So a fact of the generation has the estimates after
the last game: games that are later than all others go on from there, and after any other change all games are rated again, in a few
microseconds each. Only rows that differ are written: a lake has a file for each change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from zertz_db.store.ratings import model
from zertz_db.store.ratings.dated_games import find_last_place, hash_games, is_after, read_dated_columns
from zertz_db.store.ratings.model import NEWCOMER, move_ratings
from zertz_db.store.schema import meta
from zertz_db.store.schema.table_columns import arrow_schema

TABLE = "rating"
_FACT = "beliefs"
"""The fact with the estimates after the last game, in JSON: see `_note`."""
Row = tuple[int, int | None, int | None, int | None, int | None]
"""A game, the rating and the deviation of player 1, those of player 2."""
_Known = tuple[float, float]
"""Rating and deviation of a player."""


def refresh(connection: duckdb.DuckDBPyConnection) -> None:
    """Bring the table of ratings up to date with games and players in a database under construction."""
    beliefs, later, counted = _resume(connection)
    rated = _rate_games(connection, beliefs, later)
    connection.register("rated", rated)
    try:
        if later == _ALL:
            connection.execute("DELETE FROM _rating WHERE game IN (SELECT game FROM (FROM _rating EXCEPT FROM rated))")
            connection.execute("INSERT INTO _rating FROM (FROM rated EXCEPT FROM _rating) ORDER BY game")
        elif rated.num_rows:
            connection.execute("INSERT INTO _rating FROM rated ORDER BY game")
    finally:
        connection.unregister("rated")
    _note(connection, beliefs, later, counted)


_ALL = "true"
"""The condition of all games."""
_Counted = tuple[int, int]
"""The number and the hash of games: see `hash_games`."""


def _resume(connection: duckdb.DuckDBPyConnection) -> tuple[dict[int, _Known], str, _Counted]:
    """Return the estimates to go on from, the condition (SQL) of the games to rate, and the count of all others."""
    fact = meta.read(connection).get(_FACT)
    if fact:
        noted = json.loads(fact)
        if [noted["model"], noted["rows"]] == [_hash_model(), _count_rows(connection)]:
            later = is_after(noted["until"])
            counted = hash_games(connection, f"NOT {later}")
            if noted["games"] == _write(counted):
                beliefs = {int(player): (belief[0], belief[1]) for player, belief in noted["beliefs"].items()}
                return beliefs, later, counted
    return {}, _ALL, (0, 0)


def _note(connection: duckdb.DuckDBPyConnection, beliefs: dict[int, _Known], later: str, counted: _Counted) -> None:
    """Note the estimates, the place of the last game, and what shows that the games up to it and their rows are still the same.

    counted: the count of the games before those that satisfy `later`.
    """
    until = find_last_place(connection)
    if until:
        added = hash_games(connection, later)
        fact = {
            "model": _hash_model(),
            "until": until,
            "games": _write((counted[0] + added[0], counted[1] + added[1])),
            "rows": _count_rows(connection),
            "beliefs": beliefs,
        }
        meta.write(connection, {_FACT: json.dumps(fact, separators=(",", ":"))})


def _write(counted: _Counted) -> str:
    return "{} {}".format(*counted)


@cache
def _hash_model() -> str:
    return hashlib.sha256(Path(model.__file__).read_bytes()).hexdigest()[:16]


def _count_rows(connection: duckdb.DuckDBPyConnection) -> int:
    return int(connection.execute("SELECT count(*) FROM _rating").fetchall()[0][0])


def _rate_games(connection: duckdb.DuckDBPyConnection, known: dict[int, _Known], where: str) -> pa.Table:
    """Return the rows of the table for games that satisfy a condition, have a full date, and at least one rated player."""
    schema = arrow_schema(TABLE)
    batches = [_to_arrow([*_rate_batch(known, columns)], schema) for columns in read_dated_columns(connection, where)]
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
