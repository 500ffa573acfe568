"""Statistics of wins by isolation: captures in a row that the loser had to make before."""

from __future__ import annotations

from collections.abc import Sequence

from zertz_db.parser.vocabulary.terms import MoveKind
from zertz_db.queries.result import Result
from zertz_db.queries.statistics.grouping import Group, Measure, grouped, with_shares
from zertz_db.store.folder.database import Database
from zertz_db.store.sql_literals import literal


def count_isolations(database: Database, filters: str = "", by: Sequence[str] = ()) -> Result:
    """Count the captures in a row that the loser had to make before a claim completed the winning set: a row for each number."""
    found = grouped(database, filters, by, _COUNTS, source="isolated", tables=_ISOLATED, divided=[_CAPTURES])
    return with_shares(found, "games", "of", "share of games with so many")


_WON = "won_by = 'claim' AND winner IN (1, 2)"
_ISOLATED = f"""
    replies AS (
        SELECT game, ply, kind = {literal(MoveKind.CAPTURE)} AS is_capture
        FROM (SELECT game, winner FROM chosen WHERE {_WON}) JOIN _ply USING (game) WHERE mover <> winner
    ),
    others AS (SELECT game, max(ply) AS last FROM replies WHERE NOT is_capture GROUP BY game),
    runs AS (
        SELECT game, count(*) AS captures FROM replies LEFT JOIN others USING (game) WHERE ply > coalesce(last, -1) GROUP BY game
    ),
    isolated AS (
        SELECT chosen.*, coalesce(captures, 0) AS captures FROM chosen LEFT JOIN runs USING (game) WHERE {_WON}
    )
"""
_CAPTURES = Group("captures", "captures in a row that the loser had to make right before the winning move", "captures")
_COUNTS = (
    Measure("games", "games won so", "count(*)"),
    Measure("of", "games of the group that a claim won", "(sum(count(*)) OVER ({group}))::BIGINT"),
)
