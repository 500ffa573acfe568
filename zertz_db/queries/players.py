"""Who played."""

from __future__ import annotations

from zertz_db.queries.result import Result, ask
from zertz_db.store.opening import Database


def players(database: Database) -> Result:
    """Every player: name, kind (human, bot or guest), and the number of games on either side; who played most comes first."""
    return ask(database.connection(), _PLAYERS, about="players")


_PLAYERS = """
    SELECT p.name, p.kind, count(DISTINCT played.id) AS games
    FROM _player p
    LEFT JOIN _alias a ON a.player = p.id AND a.status = 'accepted'
    LEFT JOIN (SELECT id, player1 AS name FROM _game UNION ALL SELECT id, player2 FROM _game) played ON played.name = a.name
    GROUP BY p.id, p.name, p.kind ORDER BY games DESC, lower(p.name)
"""
