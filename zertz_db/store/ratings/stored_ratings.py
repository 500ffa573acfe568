"""Store the ratings of both players before each game, whenever a generation is built.

A game that is added, corrected or removed can move the ratings of all later games. So facts of the generation have the estimates after
the last game: games that are later than all others go on from there, and after any other change all games are rated again, in a few
microseconds each. Only rows that differ are written: a lake has a file for each change.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from math import nan
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from zertz_db.store.ratings import model
from zertz_db.store.ratings.dated_games import Place, find_last_place, hash_games, is_after, read_dated_columns
from zertz_db.store.ratings.model import NEWCOMER, move_ratings
from zertz_db.store.schema import meta
from zertz_db.store.schema.table_columns import arrow_schema

TABLE = "rating"
_FACT = "beliefs"
"""The fact with the place of the last game, and the estimates after it that differ from `_EARLIER`, in JSON: see `_note`."""
_EARLIER = "earlier_beliefs"
"""The fact with the estimates after an earlier game, in JSON."""
_Known = tuple[float, float]
"""Rating and deviation of a player."""


def refresh(connection: duckdb.DuckDBPyConnection) -> None:
    """Bring the table of ratings up to date with games and players in a database under construction."""
    beliefs, later, counted, until = _resume(connection)
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
    until = find_last_place(connection, later) or until
    if until:
        _note(connection, beliefs, until, _add(counted, hash_games(connection, later)))


_ALL = "true"
"""The condition of all games."""
_Counted = tuple[int, int]
"""The number and the hash of games: see `hash_games`."""


def _resume(connection: duckdb.DuckDBPyConnection) -> tuple[dict[int, _Known], str, _Counted, Place | None]:
    """Return the estimates to go on from, the condition (SQL) of the games to rate, the count of all others and the place of their last."""
    facts = meta.read(connection)
    if _FACT in facts:
        noted = json.loads(facts[_FACT])
        if [noted["model"], noted["rows"]] == [_hash_model(), _count_rows(connection)]:
            later = is_after(noted["until"])
            counted = hash_games(connection, f"NOT {later}")
            if noted["games"] == _write(counted):
                beliefs = _read_beliefs(facts.get(_EARLIER)) | _read_beliefs(noted["beliefs"])
                return beliefs, later, counted, noted["until"]
    return {}, _ALL, (0, 0), None


def _note(connection: duckdb.DuckDBPyConnection, beliefs: dict[int, _Known], until: Place, counted: _Counted) -> None:
    """Note the estimates, the place of the last game, and what shows that the games up to it and their rows are still the same.

    Estimates that equal those of an earlier note are not written again, unless many have changed: a small import of a large database
    changes few. counted: the count of these games.
    """
    earlier = _read_beliefs(meta.read(connection).get(_EARLIER))
    changed = {player: belief for player, belief in beliefs.items() if earlier.get(player) != belief}
    if len(changed) > _MAX_CHANGED * len(beliefs) or not earlier.keys() <= beliefs.keys():
        meta.write(connection, {_EARLIER: _to_json(beliefs)})
        changed = {}
    fact = {
        "model": _hash_model(),
        "until": until,
        "games": _write(counted),
        "rows": _count_rows(connection),
        "beliefs": changed,
    }
    meta.write(connection, {_FACT: _to_json(fact)})


_MAX_CHANGED = 1 / 16
"""Maximum share of players whose estimates differ from the earlier note."""


def _read_beliefs(noted: str | dict[str, list[float]] | None) -> dict[int, _Known]:
    by_player = json.loads(noted) if isinstance(noted, str) else noted or {}
    return {int(player): (belief[0], belief[1]) for player, belief in by_player.items()}


def _to_json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _add(one: _Counted, other: _Counted) -> _Counted:
    return one[0] + other[0], one[1] + other[1]


def _write(counted: _Counted) -> str:
    return "{} {}".format(*counted)


@cache
def _hash_model() -> str:
    return hashlib.sha256(Path(model.__file__).read_bytes()).hexdigest()[:16]


def _count_rows(connection: duckdb.DuckDBPyConnection) -> int:
    return int(connection.execute("SELECT count(*) FROM _rating").fetchall()[0][0])


def _rate_games(connection: duckdb.DuckDBPyConnection, known: dict[int, _Known], where: str) -> pa.Table:
    """Return the rows of the table for games that satisfy a condition, have a full date, and at least one rated player."""
    batches = [_rate_batch(known, columns) for columns in read_dated_columns(connection, where)]
    return pa.Table.from_batches(batches, arrow_schema(TABLE))


def _rate_batch(known: dict[int, _Known], columns: tuple[list[Any], ...]) -> pa.RecordBatch:
    """Return the rows of some games, and bring the ratings of their players up to date. columns: as `read_dated_columns`."""
    games: list[int] = []
    beliefs: list[_Known] = []
    for game, one, other, winner in zip(*columns, strict=True):
        first, second = known.get(one), known.get(other)
        if first or second:
            games.append(game)
            beliefs.append(first or _UNRATED)
            beliefs.append(second or _UNRATED)
        if winner is not None and one is not None and other is not None and one != other:
            values = move_ratings(*(first or NEWCOMER), *(second or NEWCOMER), winner)
            known[one], known[other] = values[:2], values[2:]
    return _to_arrow(games, np.array(beliefs, float).reshape(-1, 4))


_UNRATED = (nan, nan)


def _to_arrow(games: list[int], beliefs: Any) -> pa.RecordBatch:
    """Return rows with rounded beliefs: float64 (games, 4), NaN for none."""
    schema = arrow_schema(TABLE)
    is_missing = np.isnan(beliefs)
    rounded = np.rint(np.where(is_missing, 0, beliefs)).astype(np.int64)
    columns = [
        pa.array(rounded[:, number], schema.field(number + 1).type, mask=is_missing[:, number]) for number in range(4)
    ]
    return pa.record_batch([pa.array(games, schema.field(0).type), *columns], schema)
