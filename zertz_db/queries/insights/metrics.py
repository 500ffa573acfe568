"""Metrics of insights: each is a value of a side of a game, or of a move, whose mean is asked for.

The SQL is over the columns of the tables that `tables` makes: `sides` (a row for each side of a game), `turns` (a row for each turn),
`searched` (analysed games), `tactics` (forced wins) and `timed` (thinking time).
"""

from __future__ import annotations

from typing import NamedTuple

from zertz_db.queries.tactics.measures import SHORTEST_CHANCE

CAPTURED = "captured{}_white::INTEGER + captured{}_grey + captured{}_black"


class Metric(NamedTuple):
    """A metric: its name, title and meaning, and the SQL of a value and its source.

    unit: of a mean; empty for a share, whose values are 0, 1/2 or 1. of_moves: whether a value is one of a move. of_games: whether one
    side of a game tells the value of both, so that only the first mover's side counts if no player and no side is named. needs: what
    games must have, `analysis`, `clocks` or nothing.
    """

    name: str
    title: str
    meaning: str
    value: str
    source: str = "sides"
    unit: str = ""
    of_moves: bool = False
    of_games: bool = False
    needs: str = ""

    @property
    def is_share(self) -> bool:
        """Return whether the values are shares between 0 and 1."""
        return not self.unit


_TACTICS = "sides JOIN searched USING (game) JOIN turns USING (game, mover) LEFT JOIN tactics USING (game, ply)"
_CHANCE = f"forced_win >= {SHORTEST_CHANCE} AND (kept OR missed)"

METRICS = {
    metric.name: metric
    for metric in (
        Metric(
            "points",
            "points share",
            "wins and half the ties, per game with a result",
            "points",
            of_games=True,
        ),
        Metric(
            "missed",
            "missed wins",
            f"share of forced wins in {SHORTEST_CHANCE} or more plies that the player to move let go",
            f"CASE WHEN {_CHANCE} THEN coalesce(missed, false)::INTEGER END",
            source=_TACTICS,
            of_moves=True,
            needs="analysis",
        ),
        Metric(
            "blunders",
            "blunders",
            "share of free moves that are proven blunders; a free move is a placement with another legal move",
            "CASE WHEN free THEN (blunder IS NOT NULL)::INTEGER END",
            source=_TACTICS,
            of_moves=True,
            needs="analysis",
        ),
        Metric(
            "accuracy",
            "accuracy",
            "accuracy of a player in a game in per cent, by win chances",
            "CASE mover WHEN 1 THEN accuracy1 ELSE accuracy2 END",
            source="sides JOIN searched USING (game)",
            unit="%",
            needs="analysis",
        ),
        Metric(
            "sacrifices",
            "sacrifices",
            "share of free moves after which the opponent must capture",
            "CASE WHEN free THEN sacrifice::INTEGER END",
            source="sides JOIN turns USING (game, mover)",
            of_moves=True,
        ),
        Metric(
            "captures",
            "marbles captured",
            "marbles that a player holds at the end of a game",
            f"CASE mover WHEN 1 THEN {CAPTURED.format(1, 1, 1)} ELSE {CAPTURED.format(2, 2, 2)} END",
            unit="marbles",
        ),
        Metric(
            "length",
            "length",
            "plies of a game that has an end",
            "CASE WHEN ending IS NOT NULL THEN plies END",
            unit="plies",
            of_games=True,
        ),
        Metric(
            "time",
            "thinking time",
            "seconds for a turn, where records have clocks of known direction",
            "seconds",
            source="sides JOIN (SELECT game, ply, mover, seconds FROM timed WHERE seconds >= 0) USING (game, mover)",
            unit="seconds",
            of_moves=True,
            needs="clocks",
        ),
    )
}
"""All metrics by name, most used first."""
