"""Counts over the moves of analysed games, for the statistic and for the profile of a player.

The SQL is over rows of moves with `game`, `ply`, `free` (a free move), `forced` (plies of the forced win before the move, 0 if none was
found), `kept`, `missed`, `only_move` and `blunder` as in `_tactic`, and `accuracy` of the player in the whole game.
"""

from __future__ import annotations

from typing import NamedTuple

from zertz_db.queries.wilson import ENOUGH

SHORTEST_CHANCE = 3
"""Plies of the shortest forced win that counts as a chance: players rarely miss a win in one ply."""


class TacticMeasure(NamedTuple):
    """A count: its name, its meaning, and the SQL that gives it."""

    name: str
    meaning: str
    sql: str


_CHANCE = f"forced >= {SHORTEST_CHANCE}"
_FREE = "count(*) FILTER (free)"
_BLUNDERS = "count(blunder)"
_ACCURACIES = "count(accuracy) FILTER (ply < 2)"
MEASURES = (
    TacticMeasure("games", "analysed games", "count(DISTINCT game)"),
    TacticMeasure(
        "chances", f"moves with a forced win in {SHORTEST_CHANCE} or more plies", f"count(*) FILTER ({_CHANCE})"
    ),
    TacticMeasure("kept", "chances after which a forced win remained", f"count(*) FILTER ({_CHANCE} AND kept)"),
    TacticMeasure("missed", "chances after which none was found within the limits", "count(*) FILTER (missed)"),
    TacticMeasure(
        "of",
        "kept and missed together; in the other chances the limits did not suffice to decide",
        f"count(*) FILTER ({_CHANCE} AND (kept OR missed))",
    ),
    TacticMeasure("only", "chances that only one class of moves kept", f"count(*) FILTER ({_CHANCE} AND only_move)"),
    TacticMeasure(
        "only_found",
        "of these, the chances in which the player found that class",
        f"count(*) FILTER ({_CHANCE} AND only_move AND kept)",
    ),
    TacticMeasure("free", "free moves: placements with another legal move", _FREE),
    TacticMeasure("blunders", "proven blunders", _BLUNDERS),
    TacticMeasure(
        "per_100",
        f"proven blunders per 100 free moves; empty for fewer than {ENOUGH} free moves",
        f"CASE WHEN {_FREE} >= {ENOUGH} THEN round(100 * {_BLUNDERS} / {_FREE}, 2) END",
    ),
    TacticMeasure("accuracies", "accuracies: one for a player and a game with ten or more free moves", _ACCURACIES),
    TacticMeasure(
        "accuracy",
        f"their mean in per cent, by win chances; empty for fewer than {ENOUGH}",
        f"CASE WHEN {_ACCURACIES} >= {ENOUGH} THEN round(avg(accuracy) FILTER (ply < 2), 1) END",
    ),
)
"""A player's first ply of a game is ply 0 or 1: the accuracy of the game counts there, once."""
