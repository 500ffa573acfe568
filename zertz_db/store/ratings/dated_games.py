"""Read games in the order in which they were played, with the ids of their players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

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
_BATCH = 100_000
"""Number of games per batch of columns."""


Place = tuple[str, str, int]
"""The place of a dated game in the order in which games were played: its day, its time (`~` for none), and its id."""


def read_dated_games(connection: duckdb.DuckDBPyConnection, where: str = "true") -> Iterator[DatedGame]:
    """Yield the games that satisfy a condition (SQL) on rows of `_game` and have a date known to the day, in the order of date and time.

    Games without a time come last in their day.
    """
    columns = "id, date_from, player1, player2, winner"
    games = connection.execute(f"SELECT {columns} FROM ({_GAMES.format(where)}) {_PLAYED_ORDER}")
    while rows := games.fetchmany(_AT_ONCE):
        for game, date, one, other, winner in rows:
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


def count_games(connection: duckdb.DuckDBPyConnection, where: str) -> int:
    """Return the number of dated games that satisfy a condition (SQL) on rows of `_game`."""
    rows = connection.execute(f"SELECT count(*) FROM _game WHERE ({where}) AND date_from = date_to").fetchall()
    return int(rows[0][0])


def hash_games(connection: duckdb.DuckDBPyConnection, where: str) -> tuple[int, int]:
    """Return the number and a hash of the dated games that satisfy a condition (SQL) on rows of `_game`.

    The hash covers whatever moves ratings, and is a sum: the hashes of two sets of games add up to the hash of their union.
    """
    query = f"SELECT count(*), coalesce(sum({_HASH}), 0) FROM ({_GAMES.format(where)})"
    rows = connection.execute(query).fetchall()
    return int(rows[0][0]), int(rows[0][1])


class Columns(NamedTuple):
    """Many games in the order in which they were played, as arrays of int64.

    players1, players2: places of the players in `list_rated_players`, -1 for guests and unknown names. winners: -1 if unknown. last: the
    place of the last game. hashed: the number and the hash of the games, see `hash_games`.
    """

    games: Any
    players1: Any
    players2: Any
    winners: Any
    last: Place
    hashed: tuple[int, int]


def list_rated_players(connection: duckdb.DuckDBPyConnection) -> list[int]:
    """Return the ids of all players except guests, in order."""
    return [player for (player,) in connection.execute(f"SELECT id FROM {_PLAYERS} ORDER BY id").fetchall()]


def number_names(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return the place in `list_rated_players` of each name that is not a guest's."""
    query = f"SELECT a.name, p.number FROM _alias a JOIN {_PLAYERS} p ON p.id = a.player"
    return dict(connection.execute(query).fetchall())


def read_dated_columns(connection: duckdb.DuckDBPyConnection, where: str = "true") -> Iterator[Columns]:
    """Yield many games at once, of all that `read_dated_games` yields: many times as fast."""
    query = f"""
        SELECT id, coalesce(number1, -1) AS number1, coalesce(number2, -1) AS number2, coalesce(winner, -1)::BIGINT AS winner,
            {_HASH} AS hash, date_from, time
        FROM ({_GAMES.format(where)}) {_PLAYED_ORDER}
    """
    for batch in connection.execute(query).to_arrow_reader(_BATCH):
        if batch.num_rows:
            last = batch.slice(batch.num_rows - 1).to_pylist()[0]
            place = str(last["date_from"]), last["time"] or NO_TIME, last["id"]
            games, ones, others, winners, hashes = (batch.column(number).to_numpy() for number in range(5))
            yield Columns(games, ones, others, winners, place, (batch.num_rows, _sum(hashes)))


def _sum(hashes: Any) -> int:
    """Return the sum of unsigned numbers of 64 bits, which may exceed them."""
    return (int((hashes >> 32).sum()) << 32) + int((hashes & 0xFFFFFFFF).sum())


_TIME = f"coalesce(time, '{NO_TIME}')"
_PLACE = f"date_from::VARCHAR, {_TIME}, id"
_PLAYERS = "(SELECT id, row_number() OVER (ORDER BY id) - 1 AS number FROM _player WHERE kind <> 'guest')"
_GAMES = f"""
    WITH rated AS (SELECT a.name, p.id, p.number FROM _alias a JOIN {_PLAYERS} p ON p.id = a.player)
    SELECT g.id, date_from, one.id AS player1, other.id AS player2, winner, time, one.number AS number1, other.number AS number2
    FROM (SELECT id, date_from, time, player1, player2, winner FROM _game WHERE ({{}}) AND date_from = date_to) g
    LEFT JOIN rated one ON one.name = player1 LEFT JOIN rated other ON other.name = player2
"""
_HASH = "hash(id, date_from, player1, player2, winner, time)"
_PLAYED_ORDER = f"ORDER BY date_from, {_TIME}, id"
