"""Statistics of captures and sacrifices along a game."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import Group, Measure, grouped
from zertz_db.store.folder.database import Database


def count_captures(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Marbles captured so far, along the game: a row for every tenth of its plies, and one for its end. Of games of any result."""
    return grouped(database, filters, by, _OF_POSITIONS, source=_POSITIONS, divided=[_PART], where="chosen.plies > 0")


def captures_by_ply(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Marbles captured after each number of plies, in the games that lasted so long."""
    return grouped(database, filters, by, _OF_GAMES, source=_POSITIONS, divided=[_PLY])


def sacrifices(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """How many sacrifices games have: plies after which the opponent had to capture."""
    return grouped(database, filters, by, _SACRIFICES, source="sacrificed", tables=_SACRIFICED)


_POSITIONS = "chosen JOIN _position USING (game)"
_PART = Group(
    "part",
    "the part of the game that is over, in per cent: from this on, to the next; 100 is the end",
    "10 * (10 * ply // chosen.plies)",
)
_PLY = Group("ply", "plies played", "ply")
_HELD = {side: f"(captured{side}_white::INTEGER + captured{side}_grey + captured{side}_black)" for side in (1, 2)}
_BY_SIDE = "CASE winner WHEN {one} THEN {held[1]} WHEN {other} THEN {held[2]} END"
_MEANS = (
    Measure("first", "marbles that the first mover has captured, mean", f"round(avg({_HELD[1]}), 3)"),
    Measure("second", "marbles that the second mover has captured, mean", f"round(avg({_HELD[2]}), 3)"),
    Measure(
        "winner",
        "the same of the later winner, in games that one of the two won",
        f"round(avg({_BY_SIDE.format(one=1, other=2, held=_HELD)}), 3)",
    ),
    Measure("loser", "the same of the later loser", f"round(avg({_BY_SIDE.format(one=2, other=1, held=_HELD)}), 3)"),
)
_OF_POSITIONS = (Measure("positions", "positions", "count(*)"), *_MEANS)
_OF_GAMES = (Measure("games", "games of so many plies or more", "count(*)"), *_MEANS)
_SACRIFICED = """
    sacrificed AS (
        SELECT *, coalesce(one, 0) AS first, coalesce(two, 0) AS second
        FROM chosen LEFT JOIN (
            SELECT game, count(*) FILTER (mover = 1) AS one, count(*) FILTER (mover = 2) AS two FROM _ply WHERE sacrifice GROUP BY game
        ) USING (game)
    )
"""
_SACRIFICES = (
    Measure("games", "games", "count(*)"),
    Measure("mean", "sacrifices a game, mean", "round(avg(first + second), 3)"),
    Measure("most", "sacrifices in the game with most of them", "max(first + second)"),
    Measure("without", "games without any", "count(*) FILTER (first + second = 0)"),
    Measure("first", "sacrifices of the first mover, mean", "round(avg(first), 3)"),
    Measure("second", "sacrifices of the second mover, mean", "round(avg(second), 3)"),
    Measure(
        "winner",
        "sacrifices of the winner, mean over games that one of the two won",
        "round(avg(CASE winner WHEN 1 THEN first WHEN 2 THEN second END), 3)",
    ),
    Measure("loser", "the same of the loser", "round(avg(CASE winner WHEN 2 THEN first WHEN 1 THEN second END), 3)"),
)
