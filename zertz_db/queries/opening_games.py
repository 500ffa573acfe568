"""Games that reached a position: the latest, or those of the most successful players."""

from __future__ import annotations

from statistics import NormalDist

from zertz_db.queries import opening_lookup
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters import Asked
from zertz_db.queries.games import SUMMARY
from zertz_db.queries.intervals import CONFIDENCE
from zertz_db.queries.opening_lookup import Wanted
from zertz_db.queries.result import Result, ask
from zertz_db.queries.seats import TALLY, seats
from zertz_db.rules.position import Position
from zertz_db.store.opening import Database


def opening_games(
    database: Database,
    position: Position,
    filters: Asked = "",
    *,
    order: str = "date",
    limit: int = 10,
    board_only: bool = False,
) -> Result:
    """Games that reached a position, as `openings.openings` counts them; columns as in a list of games.

    order: the latest first (`date`); or first those whose less successful player has the most success (`players`): the share of
    points that is surely reached in all games, 97.5 % confidence (Wilson). limit: at most so many. QueryError for another order.
    """
    if order not in _ORDERS:
        raise QueryError(f"games can't be ordered by {order!r}; they can by {', '.join(_ORDERS)}")
    which, values = opening_lookup.which(Wanted(position, filters, board_only))
    first = f"{_ORDERS[order].format(which=which)} LIMIT {limit:d}"
    query = f"SELECT {_SHOWN} FROM _game JOIN ({first}) AS found USING (id) ORDER BY place"
    return ask(database.connection(), query, values, about="games")


_Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
_SHOWN = ", ".join(f"id_text(_game.id) AS {name}" if name == "id" else f"_game.{name}" for name in SUMMARY)
_LATEST = """
    SELECT id, row_number() OVER (ORDER BY date_from DESC NULLS LAST, id) AS place FROM _game WHERE {which} ORDER BY place
"""
_SUCCESS = f"""
    WITH counted AS (
        SELECT player, wins + ties + losses AS n, (wins + ties / 2) / n AS p
        FROM (SELECT player, {TALLY} FROM ({seats()[0]}) GROUP BY player) WHERE n > 0
    ), called AS (
        SELECT name, (p + {_Z**2} / (2 * n) - {_Z} * sqrt(p * (1 - p) / n + {_Z**2} / (4 * n * n))) / (1 + {_Z**2} / n) AS success
        FROM counted JOIN _alias USING (player)
    )
    SELECT id, row_number() OVER (
        ORDER BY CASE WHEN one.success IS NOT NULL AND other.success IS NOT NULL THEN least(one.success, other.success) END
            DESC NULLS LAST, date_from DESC NULLS LAST, id
    ) AS place
    FROM (SELECT id, date_from, player1, player2 FROM _game WHERE {{which}})
    LEFT JOIN called one ON one.name = player1 LEFT JOIN called other ON other.name = player2 ORDER BY place
"""
_ORDERS = {"date": _LATEST, "players": _SUCCESS}
