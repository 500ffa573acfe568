"""The course of games in a few numbers, from which statistics are summed: columns of `_game`.

An import computes them from the arrays of its replays (`ingest.records.course_columns`). The SQL of this module computes them from stored
plies and positions: for the doctor, and for databases of a schema without these columns.

A player leads whose nearest winning set lacks fewer marbles. The lead changes when it passes from one player to the other, whether or not
they were level in between. A sacrifice is a turn after which the opponent must capture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise, product

import duckdb

from zertz_db.rules.rule_sets import RULE_SETS, RuleSet
from zertz_db.store.schema.position_columns import COLOURS, captured_sql, count_sql

MAX_PLIES = 125
"""Plies of the longest game whose leads are looked at: a game's positions are the bits of one number."""
TENTHS = 10
"""Number of parts of a game. The final position is in none."""
HELD = {player: tuple(f"held{player}_{tenth}" for tenth in range(TENTHS)) for player in (1, 2)}
"""The columns with a player's captures, summed over the positions of each tenth."""
COLUMNS = {
    "first_move": "BIGINT",
    **dict.fromkeys(("lead_changes", "led1", "led2", "led_half"), "UTINYINT"),
    **dict.fromkeys(("sacrifices1", "sacrifices2", "last_captures1", "last_captures2"), "INTEGER"),
    "clocked": "BOOLEAN",
    "clock_time": "BIGINT",
    **dict.fromkeys((*HELD[1], *HELD[2]), "INTEGER"),
}
"""The columns of `_game` and their types."""

_MISSING = "sacrifices1 IS NULL"
_AT_ONCE = 4_000_000
"""Positions whose courses are computed at once, so that memory does not grow with the database."""
_IDS = 1 << 64


def lacking(rules: RuleSet, captured: Sequence[int]) -> int:
    """Return the number of marbles that the nearest winning set lacks with these captures (white, grey, black); 0 if it is held."""
    of_one_colour = (max(0, goal - count) for goal, count in zip(rules.goal, captured, strict=True))
    return min(*of_one_colour, sum(max(0, rules.each - count) for count in captured))


def add_columns(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the columns to a database of a schema without them, and fill them."""
    there = {name for (name,) in connection.execute(_NAMES).fetchall()}
    for name, kind in COLUMNS.items():
        if name not in there:
            connection.execute(f"ALTER TABLE _game ADD COLUMN {name} {kind}")
    fill(connection)


_NAMES = """
    SELECT column_name FROM duckdb_columns() WHERE table_name = '_game' AND database_name = current_database()
"""


def fill(connection: duckdb.DuckDBPyConnection) -> None:
    """Compute the columns of games without them."""
    if not connection.execute(f"SELECT 1 FROM _game WHERE {_MISSING} LIMIT 1").fetchall():
        return
    values = ", ".join(f"{name} = course.{name}" for name in COLUMNS)
    for part in [*_split_games(connection)]:
        # In a statement with the update DuckDB plans the joins as if there were no games: a hundred times slower.
        connection.execute(f"CREATE OR REPLACE TEMP TABLE course AS {courses_sql(f'{_MISSING} AND {part}')}")
        connection.execute(f"UPDATE _game SET {values} FROM course WHERE course.game = _game.id")
        connection.execute("DROP TABLE course")


def find_wrong_sql() -> str:
    """Return SQL of the games, `g`, whose columns differ from what plies and positions give."""
    differ = " OR ".join(f"g.{name} IS DISTINCT FROM course.{name}" for name in COLUMNS)
    return f"FROM _game g JOIN ({courses_sql('true')}) AS course ON course.game = g.id WHERE {differ}"


def _split_games(connection: duckdb.DuckDBPyConnection) -> Iterator[str]:
    """Yield conditions that divide the games into parts with few positions; ids are spread evenly."""
    plies = connection.execute(f"SELECT coalesce(sum(plies), 0)::BIGINT FROM _game WHERE {_MISSING}").fetchall()[0][0]
    parts = 1 + int(plies) // _AT_ONCE
    edges = [part * _IDS // parts - _IDS // 2 for part in range(parts + 1)]
    for first, end in pairwise(edges):
        yield f"id BETWEEN {first} AND {end - 1}"


@cache
def courses_sql(where: str) -> str:
    """Return SQL that computes the columns, by `game`, for the games that satisfy a condition on `_game`."""
    held = ", ".join(
        f"coalesce(sum(held{player}) FILTER (tenth = {tenth}), 0)::INTEGER AS {name}"
        for player, names in HELD.items()
        for tenth, name in enumerate(names)
    )
    return f"""
        WITH games AS (SELECT id AS game, rule_set, plies FROM _game WHERE {where}),
        lacks(white, grey, black, {", ".join(RULE_SETS)}) AS (VALUES ({"), (".join(_list_lacks())})),
        seen AS (
            SELECT game, plies, {TENTHS} * ply // plies AS tenth, CASE ply WHEN 0 THEN next_move END AS first_move,
                {captured_sql(1)} AS held1, {captured_sql(2)} AS held2,
                CASE WHEN ply < 62 THEN (1::BIGINT << ply)::HUGEINT
                    WHEN plies <= {MAX_PLIES} THEN 1::HUGEINT << ply::HUGEINT END AS bit,
                {_lacks(1)} AS lacks1, {_lacks(2)} AS lacks2
            FROM games JOIN _position USING (game) {_join_lacks(1)} {_join_lacks(2)}
        ),
        summed AS (
            SELECT game, any_value(plies) AS plies, max(first_move) AS first_move, {held},
                coalesce(bit_or(bit) FILTER (lacks1 < lacks2), 0::HUGEINT) AS first,
                coalesce(bit_or(bit) FILTER (lacks2 < lacks1), 0::HUGEINT) AS second
            FROM seen GROUP BY game
        ),
        leveled AS (
            SELECT *, ((1::HUGEINT << (plies + 1)::HUGEINT) - 1) - (first | second) AS level, (plies // 2)::HUGEINT AS half
            FROM summed WHERE plies <= {MAX_PLIES}
        ),
        leads AS (
            SELECT game, bit_count((first + first + level) & second) + bit_count((second + second + level) & first) AS lead_changes,
                bit_count(first) AS led1, bit_count(second) AS led2,
                CASE WHEN (first >> half) & 1 = 1 THEN 1 WHEN (second >> half) & 1 = 1 THEN 2 ELSE 0 END AS led_half
            FROM leveled
        ),
        turns AS (
            SELECT game, mover, clock, sacrifice, ply > coalesce(max(ply) FILTER (kind <> 'capture') OVER player, -1) AS is_late,
                row_number() OVER (player ORDER BY ply DESC) = 1 AS is_last,
                clock >= coalesce(lag(clock) OVER (player ORDER BY ply), 0) AS is_rising
            FROM _ply SEMI JOIN games USING (game)
            WINDOW player AS (PARTITION BY game, mover)
        ),
        turned AS (
            SELECT game, count(*) FILTER (sacrifice AND mover = 1) AS sacrifices1, count(*) FILTER (sacrifice AND mover = 2) AS sacrifices2,
                count(*) FILTER (is_late AND mover = 1) AS last_captures1, count(*) FILTER (is_late AND mover = 2) AS last_captures2,
                count(clock) = count(*) AS clocked,
                CASE WHEN count(*) FILTER (is_rising) = count(*) THEN sum(clock) FILTER (is_last) END AS clock_time
            FROM turns GROUP BY game
        )
        SELECT game, first_move, lead_changes, led1, led2, led_half,
            coalesce(sacrifices1, 0) AS sacrifices1, coalesce(sacrifices2, 0) AS sacrifices2,
            coalesce(last_captures1, 0) AS last_captures1, coalesce(last_captures2, 0) AS last_captures2,
            coalesce(clocked, false) AS clocked, clock_time::BIGINT AS clock_time,
            {", ".join(f"coalesce({name}, 0) AS {name}" for names in HELD.values() for name in names)}
        FROM games LEFT JOIN summed USING (game) LEFT JOIN leads USING (game) LEFT JOIN turned USING (game)
    """


def _join_lacks(player: int) -> str:
    same = (f"lacks{player}.{colour} = {count_sql(f'captured{player}_{colour}')}" for colour in COLOURS)
    return f"LEFT JOIN lacks AS lacks{player} ON {' AND '.join(same)}"


def _lacks(player: int) -> str:
    """Return SQL for what a player lacks in a position; captures without a row in `lacks` have won under every rule set."""
    cases = " ".join(f"WHEN '{rules}' THEN lacks{player}.{rules}" for rules in RULE_SETS)
    return f"coalesce(CASE rule_set {cases} END, 0)"


def _list_lacks() -> Iterator[str]:
    """Yield rows of `lacks`: counts of captured marbles, and what they lack under each rule set.

    `first + first + level` carries each bit of a lead across the level stretch that may follow it, to the next bit of either player: a
    change if that is the other.
    """
    goals = zip(*(rules.goal for rules in RULE_SETS.values()), strict=True)
    for captured in product(*(range(max(some)) for some in goals)):
        held = (f"{count}::UTINYINT" for count in captured)
        yield ", ".join([*held, *(str(lacking(rules, captured)) for rules in RULE_SETS.values())])
