"""The names in games as players: one for each name, upper and lower case aside."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pyarrow as pa

from zertz_db.store.ids import id_of
from zertz_db.store.loading import load
from zertz_db.store.schema import arrow_schema

_NEW_NAMES = """
WITH used AS (
    SELECT name, count(*) AS times
    FROM (SELECT player1 AS name FROM _game UNION ALL SELECT player2 FROM _game)
    WHERE name IS NOT NULL GROUP BY name
)
SELECT lower(name) AS folded, arg_max(name, (times, name)) AS shown, min(player) AS player,
    list(name ORDER BY name) FILTER (player IS NULL) AS unknown
FROM used LEFT JOIN _alias USING (name)
GROUP BY folded HAVING len(unknown) > 0 ORDER BY folded
"""
"""Names that no alias has, those of one player together, with how he is shown (as most games have it) and his id if he has one."""


def refresh_players(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the players and the names that games have and the tables of players and aliases lack."""
    players: list[tuple[int, str, str]] = []
    aliases: list[tuple[str, int, str, str | None, str]] = []
    for folded, shown, known, names in connection.execute(_NEW_NAMES).fetchall():
        player = id_of(folded.encode()) if known is None else known
        players.append((player, shown, kind_of(folded)))
        for name in names:
            evidence = None if name == shown else f"the same letters as {shown}"
            aliases.append((name, player, "case", evidence, "accepted"))
    there = {player for (player,) in connection.execute("SELECT id FROM _player").fetchall()}
    _append(connection, "player", [player for player in players if player[0] not in there])
    _append(connection, "alias", aliases)


def _append(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    schema = arrow_schema(table)
    load(connection, table, pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema))


def kind_of(folded_name: str) -> str:
    """What kind of player a name tells of: `guest` is nobody's own name, programs are called something with bot."""
    if folded_name.startswith(("guest", "anonymous")):
        return "guest"
    return "bot" if folded_name.endswith("bot") else "human"
