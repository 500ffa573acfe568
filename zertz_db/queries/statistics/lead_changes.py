"""Statistics of leads: lead changes, and games won from behind.

A player leads whose nearest winning set lacks fewer marbles. A lead is seen in the positions between turns, from the start to the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import Group, Measure, grouped, with_shares
from zertz_db.store.folder.database import Database
from zertz_db.store.loading.game_courses import MAX_PLIES


def leads(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """How often the lead changed, and how often the later winner was behind, in games that one of the two won.

    The lead changes when it passes from one player to the other, whether or not they were level in between. Games of more than MAX_PLIES
    plies are not looked at.
    """
    found = grouped(database, filters, by, _LEADS, columns=_COLUMNS, where=_LOOKED_AT)
    return with_shares(found, "behind", "games", "share of games whose winner was behind at some time")


def count_lead_changes(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """In how many games the lead changed how often; which games, and what a change is, as for `leads`."""
    found = grouped(database, filters, by, _COUNTS, columns=_COLUMNS, where=_LOOKED_AT, divided=[_CHANGES])
    return with_shares(found, "games", "of", "share of games with so many changes")


_COLUMNS = ("lead_changes", "led1", "led2", "led_half")
_LOOKED_AT = f"winner IN (1, 2) AND plies <= {MAX_PLIES}"
_LOSER_LED = "CASE winner WHEN 1 THEN led2 ELSE led1 END"

_LEADS = (
    Measure("games", f"games that one of the two won, of at most {MAX_PLIES} plies", "count(*)"),
    Measure("changes", "lead changes a game, mean", "round(avg(lead_changes), 3)"),
    Measure("most", "lead changes in the game with most of them", "max(lead_changes)"),
    Measure("steady", "games in which the lead never changed", "count(*) FILTER (lead_changes = 0)"),
    Measure(
        "half_ahead",
        "games whose later winner led after half of the plies",
        "count(*) FILTER (led_half = winner)",
    ),
    Measure(
        "half_level", "games in which neither player led after half of the plies", "count(*) FILTER (led_half = 0)"
    ),
    Measure("half_behind", "games whose later winner was behind then", "count(*) FILTER (led_half = 3 - winner)"),
    Measure(
        "time_behind",
        "share of a game's positions in which the later winner was behind, from 0 to 1, mean",
        f"round(avg({_LOSER_LED} / (plies + 1)), 4)",
    ),
    Measure("behind", "games whose later winner was behind at some time", f"count(*) FILTER ({_LOSER_LED} <> 0)"),
)
_CHANGES = Group("changes", "lead changes", "lead_changes")
_COUNTS = (
    Measure("games", "games with so many lead changes", "count(*)"),
    Measure("of", "games of the group that were looked at", "(sum(count(*)) OVER ({group}))::BIGINT"),
)
