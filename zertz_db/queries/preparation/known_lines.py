"""Where a player's games leave known lines: the last position that enough other games reached."""

from __future__ import annotations

import duckdb

from zertz_db.queries.players.player_games import TALLY, tally
from zertz_db.queries.result import Column, Result, run_query
from zertz_db.store.ids import to_text

MAX_ROWS = 50
"""Maximum number of positions."""
PLAYER, OPPONENT = "player", "opponent"

_SAME = "key, board, side, rule_set, counts"
"""What games have in common that reached the same position."""
_DEPARTURES = f"""
    WITH placed AS (
        SELECT game, ply, next_move, {_SAME}
        FROM (SELECT * FROM _position WHERE key IN (SELECT key FROM _position WHERE game IN (SELECT game FROM {{taken}})))
        JOIN (SELECT id AS game, rule_set FROM _game) USING (game)
    ),
    counted AS (SELECT {_SAME}, count(DISTINCT game) - 1 AS others FROM placed GROUP BY ALL HAVING others >= {{known}}),
    reached AS (
        SELECT placed.*, others FROM placed JOIN counted USING ({_SAME})
        WHERE game IN (SELECT game FROM {{taken}}) QUALIFY ply = max(ply) OVER (PARTITION BY game)
    ),
    departed AS (
        SELECT reached.* RENAME (side AS mover), taken.side, taken.player, taken.opponent, taken.score, taken.date_from,
            CASE WHEN reached.side = taken.side THEN '{PLAYER}' ELSE '{OPPONENT}' END AS left_by
        FROM reached JOIN (SELECT game, side, player, opponent, score, date_from FROM {{taken}}) AS taken USING (game)
        WHERE next_move IS NOT NULL
    )
"""
_SUMS = (
    _DEPARTURES
    + """
    SELECT left_by, count(*) AS games, quantile_disc(ply, 0.25) AS q25, quantile_disc(ply, 0.5) AS q50, quantile_disc(ply, 0.75) AS q75
    FROM departed GROUP BY left_by ORDER BY left_by DESC
"""
)
_POSITIONS = (
    _DEPARTURES
    + f"""
    SELECT left_by, min(ply) AS ply, any_value(board) AS board, any_value(rule_set) AS rule_set, max(others) AS others, {TALLY},
        max(date_from) AS last_date, arg_max((game, ply), (coalesce(date_from, '0001-01-01'), game)) AS latest
    FROM departed GROUP BY left_by, {_SAME.replace("side", "mover")}
    ORDER BY games DESC, last_date DESC NULLS LAST, latest LIMIT {MAX_ROWS}
"""
)


def sum_departures(connection: duckdb.DuckDBPyConnection, taken: str, known: int) -> Result:
    """Return by whom and after how many plies games left known lines.

    taken: table of the player's games (`select_player_games`). known: a position is known if this number of other games reached it.
    """
    found = run_query(connection, _SUMS.format(taken=taken, known=known))
    columns = (
        Column("left_by", "who made the first move out of known lines: the player or the opponent"),
        Column("games", "games"),
        *(
            Column(name, f"{part} of these games left them after at most this number of plies")
            for name, part in (("q25", "a quarter"), ("q50", "half"), ("q75", "three quarters"))
        ),
    )
    return Result(columns, found.rows)


def find_departures(connection: duckdb.DuckDBPyConnection, taken: str, known: int) -> Result:
    """List the last known positions of games, most games first; parameters as for `sum_departures`."""
    meanings = {
        "left_by": "who made the first move out of known lines there: the player or the opponent",
        "ply": "plies played before it",
        "others": "other games that reached the position",
        "last_date": "the date of the latest of these games",
        "game": "the latest of these games",
        "at": "plies played before it in that game",
    }
    found = tally(connection, _POSITIONS.format(taken=taken, known=known), meanings=meanings)
    at = found.names.index("latest")
    columns = (
        *found.columns[:at],
        Column("game", meanings["game"]),
        Column("at", meanings["at"]),
        *found.columns[at + 1 :],
    )
    rows = []
    for row in found.rows:
        game, ply = row[at].values() if isinstance(row[at], dict) else row[at]
        rows.append((*row[:at], to_text(game), ply, *row[at + 1 :]))
    return Result(columns, rows)
