"""Statistics of winning sets, endings and winners."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.parser.vocabulary.terms import Ending
from zertz_db.queries.errors import QueryError
from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import Group, Measure, grouped, with_shares
from zertz_db.store.folder.database import Database
from zertz_db.store.sql_literals import literal


def winning_sets(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Which sets won: a row for each, its share among the games of the group that a set won.

    Sets are called as under their rule set, `4W` or in blitz `3W`; `several` were complete at once.
    """
    found = grouped(
        database, filters, by, _SETS, where=f"ending = {literal(Ending.SET)}", divided=[_SET], order='games DESC, "set"'
    )
    return with_shares(found, "games", "of", "share of this set")


def endings(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """The endings: a row for each, its share among the games of the group that have an end; games without one count apart."""
    found = grouped(database, filters, by, _ENDINGS, divided=[_ENDING], order="ending IS NULL, games DESC, ending")
    return with_shares(found, "games", "of", "share of this ending")


def first_mover(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """How often the first mover wins: his share of the games that one of the two won; other games count apart.

    QueryError for the group `side`, which would leave nothing to count.
    """
    if "side" in by:
        raise QueryError("how often the first mover wins can't be divided by who won; leave out side")
    found = grouped(database, filters, by, _ADVANTAGE)
    return with_shares(found, "first", "decided", "share that the first mover won")


SET_OR_ENDING = "CASE WHEN contains(winning_sets, '+') THEN 'several' ELSE coalesce(winning_sets, ending) END"
"""SQL of how a game ended: its winning set, `several` for more than one, or another ending."""
_SET = Group(
    "set",
    "white, grey or black marbles, or some of each colour; or several sets at once",
    "CASE WHEN contains(winning_sets, '+') THEN 'several' ELSE winning_sets END",
)
_SETS = (
    Measure("games", "games won with this set", "count(*)"),
    Measure("jump", "those in which a jump completed it", "count(*) FILTER (won_by = 'jump')"),
    Measure("claim", "those in which a claim completed it", "count(*) FILTER (won_by = 'claim')"),
    Measure("plies", "their mean length in plies", "round(avg(plies), 2)"),
    Measure("of", "games of the group that a set won", "(sum(count(*)) OVER ({group}))::BIGINT"),
)
_ENDING = Group("ending", "how the game ended; empty where it has no end", "ending")
_ENDINGS = (
    Measure("games", "games that ended so", "count(*)"),
    Measure("first", "those won by the first mover", "count(*) FILTER (winner = 1)"),
    Measure("second", "those won by the second mover", "count(*) FILTER (winner = 2)"),
    Measure("plies", "their mean length in plies", "round(avg(plies), 2)"),
    Measure(
        "of",
        "games of the group that have an end",
        "CASE WHEN ending IS NOT NULL THEN (sum(count(ending)) OVER ({group}))::BIGINT END",
    ),
)
_ADVANTAGE = (
    Measure("games", "games", "count(*)"),
    Measure("first", "won by the first mover", "count(*) FILTER (winner = 1)"),
    Measure("second", "won by the second mover", "count(*) FILTER (winner = 2)"),
    Measure("ties", "tied games, and games that both lost", "count(*) FILTER (winner = 0)"),
    Measure("unknown", "without a result: unfinished, or contradictory", "count(*) FILTER (winner IS NULL)"),
    Measure("decided", "won by the first or the second mover", "count(*) FILTER (winner IN (1, 2))"),
)
