"""Statistics of leads: lead changes, and games won from behind.

A player leads whose nearest winning set lacks fewer marbles. A lead is seen in the positions between turns, from the start to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import Group, Measure, grouped, with_shares
from zertz_db.rules.rule_sets import RULE_SETS, RuleSet
from zertz_db.store.folder.database import Database

MAX_PLIES = 125
"""Plies of the longest game whose leads are looked at: a game's positions are the bits of one number."""


def leads(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """How often the lead changed, and how often the later winner was behind, in games that one of the two won.

    The lead changes when it passes from one player to the other, whether or not they were level in between. Games of more than LONGEST
    plies are not looked at.
    """
    found = grouped(database, filters, by, _LEADS, source="leaders", tables=_tables())
    return with_shares(found, "behind", "games", "share of games whose winner was behind at some time")


def count_lead_changes(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """In how many games the lead changed how often; which games, and what a change is, as for `leads`."""
    found = grouped(database, filters, by, _COUNTS, source="leaders", tables=_tables(), divided=[_CHANGES])
    return with_shares(found, "games", "of", "share of games with so many changes")


def lacking(rules: RuleSet, captured: Sequence[int]) -> int:
    """How many marbles the nearest winning set still lacks with these captures (white, grey, black); 0 where it is held."""
    of_one_colour = (max(0, goal - count) for goal, count in zip(rules.goal, captured, strict=True))
    return min(*of_one_colour, sum(max(0, rules.each - count) for count in captured))


def _lacks(player: int) -> str:
    """What a player lacks in a position; captures that are no row of `lacks` have won under every rule set."""
    cases = " ".join(f"WHEN '{rules}' THEN lacks{player}.{rules}" for rules in RULE_SETS)
    return f"coalesce(CASE rule_set {cases} END, 0)"


def _tables() -> str:
    rows = []
    for captured in product(
        *(range(max(goals)) for goals in zip(*(rules.goal for rules in RULE_SETS.values()), strict=True))
    ):
        held = (f"{count}::UTINYINT" for count in captured)
        rows.append(", ".join([*held, *(str(lacking(rules, captured)) for rules in RULE_SETS.values())]))
    return f"lacks(white, grey, black, {', '.join(RULE_SETS)}) AS (VALUES ({'), ('.join(rows)})), {_LEADERS}"


_LOOKED_AT = f"winner IN (1, 2) AND plies <= {MAX_PLIES}"
_WITH = """LEFT JOIN lacks AS lacks{player} ON lacks{player}.white = captured{player}_white
        AND lacks{player}.grey = captured{player}_grey AND lacks{player}.black = captured{player}_black"""
_LEADERS = f"""
    seen AS (
        SELECT game, CASE WHEN ply < 62 THEN (1::BIGINT << ply)::HUGEINT ELSE 1::HUGEINT << ply::HUGEINT END AS bit,
            {_lacks(1)} AS lacks1, {_lacks(2)} AS lacks2
        FROM (SELECT game, rule_set FROM chosen WHERE {_LOOKED_AT}) JOIN _position USING (game)
        {_WITH.format(player=1)}
        {_WITH.format(player=2)}
    ),
    led AS (
        SELECT game, bit_or(CASE WHEN lacks1 < lacks2 THEN bit ELSE 0 END) AS first,
            bit_or(CASE WHEN lacks2 < lacks1 THEN bit ELSE 0 END) AS second
        FROM seen WHERE lacks1 <> lacks2 GROUP BY game
    ),
    followed AS (
        SELECT chosen.*, coalesce(first, 0) AS first, coalesce(second, 0) AS second
        FROM chosen LEFT JOIN led USING (game) WHERE {_LOOKED_AT}
    ),
    leveled AS (SELECT *, ((1::HUGEINT << (plies + 1)::HUGEINT) - 1) - (first | second) AS level FROM followed),
    leaders AS (
        SELECT *, CASE winner WHEN 1 THEN first ELSE second END AS winner_led,
            CASE winner WHEN 1 THEN second ELSE first END AS loser_led, (plies // 2)::HUGEINT AS half,
            bit_count((first + first + level) & second) + bit_count((second + second + level) & first) AS changes
        FROM leveled
    )
"""
"""Bit n of `first` says whether the first mover led after n plies. Doubled, each of these bits moves on by one; with `level` added, it is
carried across the level stretch that may follow it, and falls on the next bit of either player: a change if that is the other."""

_LEADS = (
    Measure("games", f"games that one of the two won, of at most {MAX_PLIES} plies", "count(*)"),
    Measure("changes", "lead changes a game, mean", "round(avg(changes), 3)"),
    Measure("most", "lead changes in the game with most of them", "max(changes)"),
    Measure("steady", "games in which the lead never changed", "count(*) FILTER (changes = 0)"),
    Measure(
        "half_ahead",
        "games whose later winner led after half of the plies",
        "count(*) FILTER ((winner_led >> half) & 1 = 1)",
    ),
    Measure("half_level", "games in which nobody led then", "count(*) FILTER ((level >> half) & 1 = 1)"),
    Measure("half_behind", "games whose later winner was behind then", "count(*) FILTER ((loser_led >> half) & 1 = 1)"),
    Measure(
        "time_behind",
        "share of a game's positions in which the later winner was behind, from 0 to 1, mean",
        "round(avg(bit_count(loser_led) / (plies + 1)), 4)",
    ),
    Measure("behind", "games whose later winner was behind at some time", "count(*) FILTER (loser_led <> 0)"),
)
_CHANGES = Group("changes", "lead changes", "changes")
_COUNTS = (
    Measure("games", "games with so many lead changes", "count(*)"),
    Measure("of", "games of the group that were looked at", "(sum(count(*)) OVER ({group}))::BIGINT"),
)
