"""Compare two players by their games against each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.game_list import SUMMARY
from zertz_db.queries.players.player_games import select_player_games, tally
from zertz_db.queries.players.player_list import Player, find_player
from zertz_db.queries.players.profile import RESULTS, TOTAL, YEARS
from zertz_db.queries.result import Result, run_query
from zertz_db.store.folder.database import Database


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Games of two players against each other.

    Wins, ties, losses and the share of points are those of `one`. total: one row for all games. results: by board, rule_set and the side
    of `one`. years: by year, the latest first. games: as a list of games has them, the latest first.
    """

    one: Player
    other: Player
    total: Result
    results: Result
    years: Result
    games: Result

    def as_json(self) -> dict[str, Any]:
        """Return an object for JSON, with tables as lists of objects."""
        tables = {"total": self.total, "results": self.results, "years": self.years, "games": self.games}
        names = {"player": self.one.name, "opponent": self.other.name}
        return {**names, **{name: table.dicts() for name, table in tables.items()}}


def compare_players(database: Database, name: str, opponent: str, filters: str = "") -> HeadToHead:
    """Compare two players in the games that pass the filters. QueryError for an unknown player, and for two names of one player."""
    connection = database.connection()
    one, other = find_player(connection, name), find_player(connection, opponent)
    if one.id == other.id:
        raise QueryError(f"{name} and {opponent} are names of one player, {one.name}")
    taken = f"(FROM {select_player_games(connection, one.id, filters)} WHERE opponent = {other.id})"
    shown = ", ".join(f"id_text(id) AS {column}" if column == "id" else column for column in SUMMARY)
    games = f"""
        SELECT {shown} FROM _game WHERE id IN (SELECT game FROM {taken}) ORDER BY date_from DESC NULLS LAST, _game.id
    """
    return HeadToHead(
        one,
        other,
        tally(connection, TOTAL.format(taken)),
        tally(connection, RESULTS.format(taken)),
        tally(connection, YEARS.format(taken)),
        run_query(connection, games, about="games"),
    )
