"""How long the ratings before each game take to fill, for a number of made-up games without moves.

    python -m tests.bench.players.bench_rating_fill --games 1000000

The tables of games, players and names are made in SQL, and the fill is the one of an import: once into an empty table, then after a hundred
games more at the end, and after one in the middle. Times are processor times of all threads.
"""

from __future__ import annotations

import argparse
import time

import duckdb

from zertz_db.store.ratings import stored_ratings
from zertz_db.store.schema import ddl

PLAYERS_PER_GAME = 1 / 20
GUESTS = 20
"""Number of players for each guest."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    games = parser.parse_args().games
    connection = make_games(games)
    print(f"{games:,} games")
    print(f"filled: {measure(connection):.1f} s")
    add_games(connection, games, 100, "DATE '2031-01-01'")
    print(f"after 100 later games: {measure(connection):.1f} s")
    add_games(connection, games + 100, 1, "DATE '2005-06-01'")
    print(f"after 1 game in the middle: {measure(connection):.1f} s")


def make_games(games: int) -> duckdb.DuckDBPyConnection:
    """Return a database in memory with players, names, and games of thirty years."""
    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    ddl.create(connection)
    players = max(2, round(games * PLAYERS_PER_GAME))
    fill(
        connection,
        "_player",
        f"SELECT range AS id, 'p' || range AS name, if(range % {GUESTS} = 0, 'guest', 'human') AS kind FROM range({players})",
    )
    fill(
        connection,
        "_alias",
        f"SELECT 'p' || range AS name, range AS player, 'p' || range AS folded FROM range({players})",
    )
    add_games(connection, 0, games, "DATE '2000-01-01' + (number * 7919 % 10950)::INTEGER")
    return connection


def add_games(connection: duckdb.DuckDBPyConnection, begin: int, count: int, day: str) -> None:
    """Add games on a day (SQL of `number`) between players of whom some play often."""
    [[players]] = connection.execute("SELECT count(*) FROM _player").fetchall()
    chosen = f"'p' || floor({players} * pow(hash(number, {{}}) / 18446744073709551616.0, 3))::INTEGER"
    fill(
        connection,
        "_game",
        f"""
        SELECT (hash(number) // 16)::BIGINT AS id, {day} AS date_from, {day} AS date_to,
            lpad((hash(number, 3) % 24)::VARCHAR, 2, '0') || ':00' AS time,
            {chosen.format(1)} AS player1, {chosen.format(2)} AS player2, (1 + hash(number, 4) % 2)::TINYINT AS winner
        FROM (SELECT {begin} + range AS number FROM range({count}))
        """,
    )


def fill(connection: duckdb.DuckDBPyConnection, table: str, rows: str) -> None:
    """Insert rows; columns that they lack and that can't be empty get a value of their type."""
    given = {column[0] for column in connection.execute(f"DESCRIBE {rows}").fetchall()}
    described = connection.execute(f"DESCRIBE {table}").fetchall()
    filled = [
        f"{EMPTY.get(kind, '0')}::{kind} AS {name}"
        for name, kind, null, *_ in described
        if null == "NO" and name not in given
    ]
    connection.execute(f"INSERT INTO {table} BY NAME SELECT {', '.join(['*', *filled])} FROM ({rows})")


EMPTY = {
    "VARCHAR": "''",
    "BOOLEAN": "false",
    "BLOB": "''",
    "TIMESTAMP": "TIMESTAMP '2000-01-01'",
    "DATE": "DATE '2000-01-01'",
}


def measure(connection: duckdb.DuckDBPyConnection) -> float:
    began = time.process_time()
    stored_ratings.refresh(connection)
    return time.process_time() - began


if __name__ == "__main__":
    main()
