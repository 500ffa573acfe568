"""Statistics of wins by isolation: captures in a row that the loser had to make before."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import Group, Measure, grouped, with_shares
from zertz_db.store.folder.database import Database


def count_isolations(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Count the captures in a row that the loser had to make before a claim completed the winning set: a row for each number."""
    found = grouped(database, filters, by, _COUNTS, columns=_COLUMNS, where=_WON, divided=[_CAPTURES])
    return with_shares(found, "games", "of", "share of games with so many")


_COLUMNS = ("last_captures1", "last_captures2")
_WON = "won_by = 'claim' AND winner IN (1, 2)"
_CAPTURES = Group(
    "captures",
    "captures in a row that the loser had to make right before the winning move",
    "CASE winner WHEN 1 THEN last_captures2 ELSE last_captures1 END",
)
_COUNTS = (
    Measure("games", "games won so", "count(*)"),
    Measure("of", "games of the group that a claim won", "(sum(count(*)) OVER ({group}))::BIGINT"),
)
