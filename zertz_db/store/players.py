"""The names in games as players: one for each name, upper and lower case aside."""

from __future__ import annotations

import duckdb

from zertz_db.store.ids import id_of

_NAMES = """
SELECT lower(name) AS folded, mode(name) AS shown, list(DISTINCT name) AS names
FROM (SELECT player1 AS name FROM _game UNION ALL SELECT player2 FROM _game)
WHERE name IS NOT NULL
GROUP BY folded
ORDER BY folded
"""


def refresh_players(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the players and the names that games have and the tables of players and aliases lack."""
    known = dict(connection.execute("SELECT name, player FROM _alias").fetchall())
    players = {known_id for (known_id,) in connection.execute("SELECT id FROM _player").fetchall()}
    for folded, shown, names in connection.execute(_NAMES).fetchall():
        missing = [name for name in names if name not in known]
        if not missing:
            continue
        player = next((known[name] for name in names if name in known), id_of(folded.encode()))
        if player not in players:
            players.add(player)
            connection.execute("INSERT INTO _player VALUES (?, ?, ?)", [player, shown, kind_of(folded)])
        for name in missing:
            evidence = None if name == shown else f"the same letters as {shown}"
            connection.execute("INSERT INTO _alias VALUES (?, ?, 'case', ?, 'accepted')", [name, player, evidence])


def kind_of(folded_name: str) -> str:
    """What kind of player a name tells of: `guest` is nobody's own name, programs are called something with bot."""
    if folded_name.startswith(("guest", "anonymous")):
        return "guest"
    return "bot" if folded_name.endswith("bot") else "human"
