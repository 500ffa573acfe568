"""Build rows of a list of games; each opens its game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from zertz_db.dashboards.components.listing import Column, Row
from zertz_db.parser.vocabulary.terms import GameResult, Verdict
from zertz_db.queries.games.game_list import NEWEST

COLUMNS = (
    Column("Date", "quiet", "date", help="when it was played, as far as known"),
    Column("First", "strong", "player1", help="the first mover; the winner is in bold"),
    Column("Second", "strong", "player2", help="the second mover"),
    Column(
        "Result", "code", "result", help="1-0: the first mover won; empty if record and moves contradict each other"
    ),
    Column("How", "sets", "ending", help="the winning set, or another ending"),
    Column("Board", "number", "board", wide=True, help="the board's rings"),
    Column("Plies", "number", "plies", wide=True, help="number of plies"),
    Column("Event", "quiet", "event", wide=True, help="the event"),
    Column("Rules", "quiet", "rule_set", wide=True, help="the rule set"),
)
POSITION_COLUMNS = (
    Column("Date", "quiet"),
    Column("First"),
    Column("Second"),
    Column("Result", "code"),
    Column("Ply", "number", wide=True),
    Column("Then", "code", help="the continuation, turned as this position"),
)
"""Columns of a list of games in which a position was found."""
VIEW_COLUMNS = (
    "id",
    "date",
    "player1",
    "player2",
    "result",
    "winner",
    "ending",
    "winning_sets",
    "board",
    "rule_set",
    "plies",
    "event",
)
"""Columns of the view `games` that this list needs."""


class GameList(NamedTuple):
    """A list of games: its filter and order. The URL of a game that was opened from it has both."""

    filters: str = ""
    sort: str = NEWEST

    def build_query(self) -> dict[str, str]:
        """Return the part of a game's URL query that names the list.

        >>> GameList("board:37").build_query()
        {'from': 'games', 'filter': 'board:37'}
        """
        sort = {} if self.sort == NEWEST else {"sort": self.sort}
        return {"from": "games", **({"filter": self.filters} if self.filters else {}), **sort}


def build_rows(games: Iterable[Mapping[str, Any]], listed: GameList | None = None) -> list[Row]:
    """Return the games as rows of a list. listed: the list, for steps to the next and the previous game on the page of a game."""
    query = listed.build_query() if listed else {}
    return [Row(row["id"], get_cells(row), "game", {"id": row["id"], **query}) for row in games]


def get_cells(row: Mapping[str, Any]) -> list[Any]:
    """Return the values of a game for the columns."""
    return [
        row["date"],
        [row["player1"] or "?", row["winner"] == 1],
        [row["player2"] or "?", row["winner"] == 2],
        row["result"] or GameResult.UNKNOWN,
        [(row["ending"] or Verdict.UNFINISHED), row["winning_sets"]],
        row["board"],
        str(row["plies"]),
        row["event"],
        row["rule_set"],
    ]


def build_position_rows(hits: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Return the hits of a position search as rows of `POSITION_COLUMNS`; each opens its game at the position."""
    return [
        Row(
            hit["id"],
            (
                hit["date"],
                hit["player1"] or "?",
                hit["player2"] or "?",
                hit["result"] or GameResult.UNKNOWN,
                str(hit["ply"]),
                hit["next"],
            ),
            "game",
            {"id": hit["id"], "ply": str(hit["ply"])},
        )
        for hit in hits
    ]
