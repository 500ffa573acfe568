"""Statistics of captures and sacrifices along a game."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import Group, Measure, group, grouped
from zertz_db.store.folder.database import Database
from zertz_db.store.loading.game_courses import HELD, TENTHS
from zertz_db.store.schema.position_columns import captured_sql


def count_captures(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Marbles captured so far, along the game: a row for every tenth of its plies, and one for its end. Of games of any result."""
    return grouped(
        database,
        filters,
        by,
        _OF_POSITIONS,
        source="parted",
        columns=_HELD_COLUMNS,
        tables=_parted([f"by_{group(name).name}" for name in by]),
        divided=[_PART],
        where="positions > 0",
    )


def captures_by_ply(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Marbles captured after each number of plies, in the games that lasted so long."""
    return grouped(database, filters, by, _OF_GAMES, source="summed", tables=_SUMMED, divided=[_PLY])


def sacrifices(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """How many sacrifices games have: plies after which the opponent had to capture."""
    return grouped(database, filters, by, _SACRIFICES, columns=("sacrifices1", "sacrifices2"))


_HELD = {side: captured_sql(side) for side in (1, 2)}
_SUMMED = f"""
    summed AS (
        SELECT chosen.* EXCLUDE (game, rule_set, ending, winning_sets, won_by, verdict), ply, count(*) AS positions,
            sum({_HELD[1]}) AS held1, sum({_HELD[2]}) AS held2
        FROM chosen JOIN _position USING (game) GROUP BY ALL
    )
"""
"""Sums over positions at the same time of games of equal length: far fewer rows than positions, and the means follow from them."""
_AT_END = {side: f"captured{side}_white::INTEGER + captured{side}_grey + captured{side}_black" for side in HELD}
_HELD_COLUMNS = (
    *HELD[1],
    *HELD[2],
    *(f"{held} AS held{side}_{TENTHS}" for side, held in _AT_END.items()),
)


def _parted(keys: Sequence[str]) -> str:
    """Return SQL of the table `parted`: positions and captures by tenth and at the end, of games with equal length, winner and `keys`."""
    same = ", ".join([*keys, "winner", "plies"])
    names = {side: [f"held{side}_{tenth}" for tenth in range(TENTHS + 1)] for side in HELD}
    sums = ", ".join(f"sum({name}) AS {name}" for side in names.values() for name in side)
    first = f"(({{}}) * plies + {TENTHS - 1}) // {TENTHS}"
    return f"""
        lengths AS (SELECT {same}, count(*) AS games, {sums} FROM chosen WHERE plies > 0 GROUP BY {same}),
        divided AS (
            SELECT {same}, games, unnest(range({TENTHS + 1})) AS tenth,
                {", ".join(f"unnest([{', '.join(side)}]) AS held{number}" for number, side in names.items())}
            FROM lengths
        ),
        parted AS (
            SELECT *, games * CASE tenth WHEN {TENTHS} THEN 1 ELSE {first.format("tenth + 1")} - {first.format("tenth")} END AS positions
            FROM divided
        )
    """


_PART = Group(
    "part",
    "the part of the game that is over, in per cent: from this on, to the next; 100 is the end",
    "10 * tenth",
)
_PLY = Group("ply", "plies played", "ply")
_MEAN = "round(sum({held}) / sum(positions), 3)"
_BY_SIDE = "round(sum(CASE winner WHEN {one} THEN held1 WHEN {other} THEN held2 END) / sum(positions) FILTER (winner IN (1, 2)), 3)"
_MEANS = (
    Measure("first", "marbles that the first mover has captured, mean", _MEAN.format(held="held1")),
    Measure("second", "marbles that the second mover has captured, mean", _MEAN.format(held="held2")),
    Measure(
        "winner",
        "the same of the later winner, in games that one of the two won",
        _BY_SIDE.format(one=1, other=2),
    ),
    Measure("loser", "the same of the later loser", _BY_SIDE.format(one=2, other=1)),
)
_OF_POSITIONS = (Measure("positions", "positions", "sum(positions)::BIGINT"), *_MEANS)
_OF_GAMES = (Measure("games", "games with at least this number of plies", "sum(positions)::BIGINT"), *_MEANS)
_SACRIFICES = (
    Measure("games", "games", "count(*)"),
    Measure("mean", "sacrifices a game, mean", "round(avg(sacrifices1 + sacrifices2), 3)"),
    Measure("most", "sacrifices in the game with most of them", "max(sacrifices1 + sacrifices2)"),
    Measure("without", "games without any", "count(*) FILTER (sacrifices1 + sacrifices2 = 0)"),
    Measure("first", "sacrifices of the first mover, mean", "round(avg(sacrifices1), 3)"),
    Measure("second", "sacrifices of the second mover, mean", "round(avg(sacrifices2), 3)"),
    Measure(
        "winner",
        "sacrifices of the winner, mean over games that one of the two won",
        "round(avg(CASE winner WHEN 1 THEN sacrifices1 WHEN 2 THEN sacrifices2 END), 3)",
    ),
    Measure(
        "loser",
        "the same of the loser",
        "round(avg(CASE winner WHEN 2 THEN sacrifices1 WHEN 1 THEN sacrifices2 END), 3)",
    ),
)
