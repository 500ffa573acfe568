"""Player games: a row for each side of a game, and tallies over such rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb

from zertz_db.queries.filters.compile import condition
from zertz_db.queries.result import Column, Result, run_query
from zertz_db.queries.sql_params import Value, execute
from zertz_db.queries.wilson import share

TALLY = """
    count(DISTINCT game) AS games,
    count(*) FILTER (score = 1) AS wins,
    count(*) FILTER (score = 0) AS ties,
    count(*) FILTER (score = -1) AS losses
"""

MEANINGS = {
    "games": "how many games",
    "wins": "games that the player won",
    "ties": "ties, and games that both lost",
    "losses": "games that the player lost; in the other games nobody is known to have won, or the player had both seats",
    "share": "the player's share of the points in games with a result, a tie counting half; empty for fewer than 10 games",
    "low": "the true share is above this with 97.5 % confidence (Wilson's interval)",
    "high": "the true share is below this with 97.5 % confidence (Wilson's interval)",
    "board": "the board",
    "rule_set": "the rule set",
    "side": "1 moved first, 2 second",
    "first_date": "the earliest game's date, or the earliest day that it can be",
    "last_date": "the latest game's date, or the earliest day that it can be",
    "name": "the player",
    "opponent": "the other player",
    "kind": "human, bot, or guest: a seat that many persons take",
    "year": "the year; empty where no record says it",
}


def player_games_sql(filters: str = "", player: int | None = None) -> tuple[str, list[Value]]:
    """Return a query with a row for each side of the games that pass the filters (or for one player's sides), and its parameters.

    Columns: those of the table `_game` that tell about the game, `game` (its id), side (1 or 2), player and opponent (their ids), and
    score: 1 won, 0 a tie, -1 lost, NULL not known or a player against himself.
    """
    where, values = condition(filters)
    if player is None:
        own, taken = "", ""
    else:
        names = f"(SELECT name FROM _alias WHERE player = {player})"
        own, taken = f" AND (player1 IN {names} OR player2 IN {names})", f" WHERE one.player = {player}"
    return (
        f"""
        SELECT game, side, one.player, other.player AS opponent,
            CASE WHEN one.player = other.player THEN NULL WHEN winner = 0 THEN 0 WHEN winner = side THEN 1
                WHEN winner IS NOT NULL THEN -1 END AS score,
            {", ".join(_FACTS)}
        FROM (
            SELECT id AS game, unnest([1, 2]) AS side, unnest([player1, player2]) AS name,
                unnest([player2, player1]) AS name2, winner, {", ".join(_FACTS)}
            FROM _game WHERE ({where}){own}
        ) seat
        JOIN _alias one ON one.name = seat.name
        LEFT JOIN _alias other ON other.name = seat.name2{taken}
    """,
        values,
    )


_FACTS = ("board", "rule_set", "date_from", "date_to", "plies", "ending", "winning_sets", "won_by", "start")


def select_player_games(connection: duckdb.DuckDBPyConnection, player: int, filters: str = "") -> str:
    """Create a temporary table of one player's games (by its id) that pass the filters; return its name. Rows: as `player_games_sql`."""
    rows, values = player_games_sql(filters, player)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE taken AS FROM ({player_games_sql()[0]}) LIMIT 0")
    execute(connection, f"INSERT INTO taken {rows}", values)
    return "taken"


def tally(
    connection: duckdb.DuckDBPyConnection,
    query: str,
    values: Sequence[Value] = (),
    meanings: Mapping[str, str] | None = None,
) -> Result:
    """Run a query with the columns of TALLY; add the points share and its interval."""
    found = run_query(connection, query, values)
    explained = {**MEANINGS, **(meanings or {})}
    names = [*found.names, "share", "low", "high"]
    rows = []
    for row, counts in zip(found.rows, found.dicts(), strict=True):
        wins, ties, losses = counts["wins"], counts["ties"], counts["losses"]
        interval = share(wins + ties / 2, wins + ties + losses)
        rows.append((*row, *(interval or (None, None, None))))
    return Result(tuple(Column(name, explained.get(name, "")) for name in names), rows)
