"""Read games in the order in which they were played, with the ids of their players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb

from zertz_db.store.ratings.model import DatedGame
from zertz_db.store.sql_literals import literal

NO_TIME = "~"
"""Comes after all times."""
PLAYED_ORDER = (
    f"struct_pack(day := coalesce(date_from, DATE '9999-12-31'), clock := coalesce(time, '{NO_TIME}'), game := id)"
)
"""The place of a game, a row of `_game`, in the order in which games were played, as SQL.

An incomplete date counts as the earliest day that it allows; games without a date come last, those without a time last in their day.
"""
_AT_ONCE = 10_000
"""Number of games per fetch."""
_BATCH = 50_000
"""Number of games per batch of columns."""


Place = tuple[str, str, int]
"""The place of a dated game in the order in which games were played: its day, its time (`~` for none), and its id."""


def read_dated_games(connection: duckdb.DuckDBPyConnection, where: str = "true") -> Iterator[DatedGame]:
    """Yield the games that satisfy a condition (SQL) on rows of `_game` and have a date known to the day, in the order of date and time.

    Games without a time come last in their day.
    """
    games = connection.execute(f"{_GAMES.format(where)} {_PLAYED_ORDER}")
    while rows := games.fetchmany(_AT_ONCE):
        for game, date, one, other, winner, _ in rows:
            yield DatedGame(game, date, (one, other), winner)


def find_last_place(connection: duckdb.DuckDBPyConnection, where: str = "true") -> Place | None:
    """Return the place of the last game that satisfies a condition (SQL) and has a date known to the day; None without such a game."""
    order = f"date_from DESC, {_TIME} DESC, id DESC"
    query = f"SELECT {_PLACE} FROM _game WHERE ({where}) AND date_from = date_to ORDER BY {order} LIMIT 1"
    rows = connection.execute(query).fetchall()
    return rows[0] if rows else None


def is_after(place: Place) -> str:
    """Return the condition (SQL) on rows of `_game` that a game was played after a place."""
    day, time, game = place
    is_later = f"(date_from, {_TIME}, id) > ({literal(day)}::DATE, {literal(time)}, {literal(game)})"
    return f"(date_from >= {literal(day)}::DATE AND {is_later})"  # the first part excludes most rows by their minimum and maximum


def hash_games(connection: duckdb.DuckDBPyConnection, where: str) -> tuple[int, int]:
    """Return the number and a hash of the dated games that satisfy a condition (SQL) on rows of `_game`.

    The hash covers whatever moves ratings, and is a sum: the hashes of two sets of games add up to the hash of their union.
    """
    rows = connection.execute(f"SELECT count(*), coalesce(sum(hash(t)), 0) FROM ({_GAMES.format(where)}) t").fetchall()
    return int(rows[0][0]), int(rows[0][1])


def read_dated_columns(
    connection: duckdb.DuckDBPyConnection, where: str = "true"
) -> Iterator[tuple[list[Any], list[Any], list[Any], list[Any]]]:
    """Yield the ids, players 1, players 2 and winners of many games at once, of all that `read_dated_games` yields: four times as fast."""
    for batch in connection.execute(f"{_GAMES.format(where)} {_PLAYED_ORDER}").to_arrow_reader(_BATCH):
        game, _, one, other, winner, _ = batch.columns
        yield game.to_pylist(), one.to_pylist(), other.to_pylist(), winner.to_pylist()


_TIME = f"coalesce(time, '{NO_TIME}')"
_PLACE = f"date_from::VARCHAR, {_TIME}, id"
_GAMES = """
    WITH rated AS (SELECT a.name, p.id FROM _alias a JOIN _player p ON p.id = a.player WHERE kind <> 'guest')
    SELECT g.id, date_from, one.id AS player1, other.id AS player2, winner, time
    FROM (SELECT id, date_from, time, player1, player2, winner FROM _game WHERE ({}) AND date_from = date_to) g
    LEFT JOIN rated one ON one.name = player1 LEFT JOIN rated other ON other.name = player2
"""
_PLAYED_ORDER = f"ORDER BY date_from, {_TIME}, g.id"
