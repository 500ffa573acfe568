"""Games as rows of a list, each opening its game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dashboards.components.listing import Column, Row

COLUMNS = (
    Column("Date", "quiet", "date", help="when it was played, as far as it is known"),
    Column("First", "strong", "player1", help="who moved first; the winner is in bold"),
    Column("Second", "strong", "player2", help="who moved second"),
    Column(
        "Result", "code", "result", help="1-0: the first mover won; empty where record and moves contradict each other"
    ),
    Column("How", "sets", "ending", help="the winning set, or how it ended otherwise"),
    Column("Board", "number", "board", wide=True, help="the board's rings"),
    Column("Plies", "number", "plies", wide=True, help="how long it was"),
    Column("Event", "quiet", "event", wide=True, help="the event"),
    Column("Rules", "quiet", "rule_set", wide=True, help="the rule set"),
)
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
"""The columns of the view `games` that such a list needs."""


def build_rows(found: Iterable[Mapping[str, Any]]) -> list[Row]:
    """The games as rows of a list."""
    return [Row(row["id"], get_cells(row), "game", {"id": row["id"]}) for row in found]


def get_cells(row: Mapping[str, Any]) -> list[Any]:
    """What the columns show of a game."""
    return [
        row["date"],
        [row["player1"] or "?", row["winner"] == 1],
        [row["player2"] or "?", row["winner"] == 2],
        row["result"] or "*",
        [(row["ending"] or "unfinished"), row["winning_sets"]],
        row["board"],
        str(row["plies"]),
        row["event"],
        row["rule_set"],
    ]
