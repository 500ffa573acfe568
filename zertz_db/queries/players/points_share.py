"""Points shares of players as sort keys, computed once for each generation of a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from zertz_db.queries.wilson import Z
from zertz_db.store.annotations import overlay
from zertz_db.store.folder.database import Database

if TYPE_CHECKING:
    import pyarrow as pa


class PointsShares(NamedTuple):
    """Lower bounds of players' points shares, by name: as a table with the columns name, success, and as a dict."""

    table: pa.Table
    by_name: dict[str, float]


def find_points_shares(database: Database) -> PointsShares:
    """Return the lower bound of the points share in all games with a result (97.5 % confidence, Wilson), for each name of a player.

    A tie counts half. Games of a player against themselves don't count.
    """
    state = database.folder, database.generation, overlay.fingerprint(database.annotations_dir)
    found = _last.get(state)
    if found is None:
        table = database.connection().execute(_POINTS_SHARE).to_arrow_table()
        found = PointsShares(table, dict(zip(*(table[name].to_pylist() for name in ("name", "success")), strict=True)))
        _last.clear()
        _last[state] = found
    return found


_last: dict[object, PointsShares] = {}
"""Points shares of the last queried generation."""
_POINTS_SHARE = f"""
    WITH met AS (
        SELECT player1, player2, count(*) FILTER (winner = 1) AS won1, count(*) FILTER (winner = 2) AS won2,
            count(*) FILTER (winner = 0) AS ties
        FROM _game GROUP BY player1, player2
    ), seat AS (
        SELECT player1 AS name, player2 AS opponent, won1 AS wins, ties, won2 AS losses FROM met
        UNION ALL SELECT player2, player1, won2, ties, won1 FROM met
    ), counted AS (
        SELECT one.player, sum(wins + ties + losses) AS n, sum(wins + ties / 2) / n AS p
        FROM seat JOIN _alias one USING (name) LEFT JOIN _alias other ON other.name = opponent
        WHERE one.player IS DISTINCT FROM other.player GROUP BY one.player HAVING n > 0
    )
    SELECT name, (p + {Z**2} / (2 * n) - {Z} * sqrt(p * (1 - p) / n + {Z**2} / (4 * n * n))) / (1 + {Z**2} / n) AS success
    FROM counted JOIN _alias USING (player)
"""
