"""The rating of one player: rank, best, and its course over the years."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from zertz_db.queries.errors import QueryError
from zertz_db.queries.players.player_list import find_player
from zertz_db.queries.players.ratings import RATINGS, rate_players, rating_history
from zertz_db.queries.result import Column, Result
from zertz_db.store.folder.database import Database
from zertz_db.store.ratings.model import KNOWN

_RANK = (
    Column("rank", "the rank among players of this kind, by `at_least`"),
    Column("of", "number of rated players of this kind"),
)
RANKED = (*_RANK, *RATINGS)
_BEST = (
    Column(
        "best", f"the highest rating after a game with a deviation of {KNOWN} or less; after any game if there is none"
    ),
    Column("best_date", "the date of that game"),
)
YEARS = (
    Column("year", "the year"),
    Column("games", "rated games of this year"),
    Column("rating", "the rating after the last of them"),
    Column("deviation", "its deviation"),
    Column("lowest", "the lowest rating after one of these games"),
    Column("highest", "the highest rating after one of these games"),
)


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """Rating of a player by all games.

    rating: one row with the rank, the columns of RATINGS, and the best rating. years: columns YEARS. curve: the rating after each rated
    game, in order.
    """

    rating: Result
    years: Result
    curve: list[int]

    def as_json(self) -> dict[str, Any]:
        """Return an object for JSON."""
        return {**self.rating.dicts()[0], "years": self.years.dicts()}


def rate_player(database: Database, name: str) -> PlayerRating:
    """Return the rating of one player by all games. QueryError for an unknown player, and for an unrated one."""
    player = find_player(database.connection(), name)
    found = rank_ratings(database, [player.name]).rows
    if not found:
        reason = "many people share the name of a guest" if player.kind == "guest" else "no rated games"
        raise QueryError(f"{player.name} has no rating: {reason}")
    history = rating_history(database, players=[player.name]).dicts()
    rating = Result((*RANKED, *_BEST), [(*found[0], *_best(history))])
    return PlayerRating(rating, Result(YEARS, list(_years(history))), [row["rating"] for row in history])


def rank_ratings(database: Database, names: Collection[str]) -> Result:
    """Return the ratings of some players by all games, with ranks, in the order of `rate_players`. Columns: RANKED.

    names: main names. Unrated players have no row.
    """
    by_kind: dict[str, list[tuple[Any, ...]]] = {}
    for row in rate_players(database).rows:
        by_kind.setdefault(row[1], []).append(row)
    rows = [
        (number, len(ranked), *row)
        for ranked in by_kind.values()
        for number, row in enumerate(ranked, 1)
        if row[0] in names
    ]
    return Result(RANKED, rows)


def _best(history: list[dict[str, Any]]) -> tuple[Any, Any]:
    """Return the highest rating and its date."""
    known = [row for row in history if row["deviation"] <= KNOWN]
    best = max(known or history, key=lambda row: row["rating"])
    return best["rating"], best["date"]


def _years(history: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    by_year: dict[int, list[dict[str, Any]]] = {}
    for row in history:
        by_year.setdefault(row["date"].year, []).append(row)
    found = []
    for year, rows in by_year.items():
        ratings = [row["rating"] for row in rows]
        found.append((year, len(rows), ratings[-1], rows[-1]["deviation"], min(ratings), max(ratings)))
    return found
