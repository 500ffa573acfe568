"""Read games in the order in which they were played, with the ids of their players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb

from zertz_db.store.ratings.model import DatedGame

PLAYED_ORDER = "struct_pack(day := coalesce(date_from, DATE '9999-12-31'), clock := coalesce(time, '~'), game := id)"
"""The place of a game, a row of `_game`, in the order in which games were played, as SQL.

An incomplete date counts as the earliest day that it allows; games without a date come last, those without a time last in their day.
"""
_AT_ONCE = 10_000
"""Number of games per fetch."""
_BATCH = 50_000
"""Number of games per batch of columns."""


def read_dated_games(connection: duckdb.DuckDBPyConnection, where: str = "true") -> Iterator[DatedGame]:
    """Yield the games that satisfy a condition (SQL) on rows of `_game` and have a date known to the day, in the order of date and time.

    Games without a time come last in their day.
    """
    games = connection.execute(_GAMES.format(where))
    while rows := games.fetchmany(_AT_ONCE):
        for game, date, one, other, winner in rows:
            yield DatedGame(game, date, (one, other), winner)


def read_dated_columns(
    connection: duckdb.DuckDBPyConnection,
) -> Iterator[tuple[list[Any], list[Any], list[Any], list[Any]]]:
    """Yield the ids, players 1, players 2 and winners of many games at once, of all that `read_dated_games` yields: four times as fast."""
    for batch in connection.execute(_GAMES.format("true")).to_arrow_reader(_BATCH):
        game, _, one, other, winner = batch.columns
        yield game.to_pylist(), one.to_pylist(), other.to_pylist(), winner.to_pylist()


_GAMES = """
    WITH rated AS (SELECT a.name, p.id FROM _alias a JOIN _player p ON p.id = a.player WHERE kind <> 'guest')
    SELECT g.id, date_from, one.id, other.id, winner
    FROM (SELECT id, date_from, time, player1, player2, winner FROM _game WHERE ({}) AND date_from = date_to) g
    LEFT JOIN rated one ON one.name = player1 LEFT JOIN rated other ON other.name = player2
    ORDER BY date_from, time NULLS LAST, g.id
"""
