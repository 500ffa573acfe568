"""List players; find a player by name."""

from __future__ import annotations

from typing import NamedTuple

import duckdb

from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.close_texts import close_to
from zertz_db.queries.players.player_games import TALLY, player_games_sql, tally
from zertz_db.queries.result import Column, Result
from zertz_db.queries.sql_params import execute
from zertz_db.store.annotations import people_file
from zertz_db.store.folder.database import Database
from zertz_db.store.names import fold_name

_MAX_SUGGESTIONS = 3


class Player(NamedTuple):
    """Player: id as a number, main name, kind (human, bot, or guest: a name that many people share), all names in games."""

    id: int
    name: str
    kind: str
    names: tuple[str, ...]


def list_players(database: Database, filters: str = "") -> Result:
    """List the players of the games that pass the filters, most games first.

    Columns: name, kind, games, wins, ties, losses, first_date, last_date, names (how many spellings and names of his the games
    have), share, low, high (of points). Games of a player against himself count as games only.
    """
    rows, values = player_games_sql(filters)
    query = f"""
        WITH played AS ({rows}), totals AS (
            SELECT player, {TALLY}, min(date_from) AS first_date, max(date_from) AS last_date FROM played GROUP BY player
        ), called AS (SELECT player, count(*) AS names FROM _alias GROUP BY player)
        SELECT name, kind, games, wins, ties, losses, first_date, last_date, names
        FROM totals JOIN _player ON id = player JOIN called USING (player) ORDER BY games DESC, lower(name)
    """
    return tally(
        database.connection(), query, values, {"names": "how many spellings and names of the player's the games have"}
    )


def find_player(connection: duckdb.DuckDBPyConnection, name: str) -> Player:
    """Return the player with a name, in any spelling with the same normal form. QueryError for an unknown name, with similar names."""
    found = execute(connection, _PLAYER, [fold_name(name)]).fetchall()
    if not found:
        raise QueryError(f"no player is called {name!r}; {_suggestion(connection, name)}")
    number, shown, kind, names = found[0]
    return Player(number, shown, kind, tuple(names))


_PLAYER = """
    SELECT id, p.name, kind, list(a.name ORDER BY a.name) FROM _player p JOIN _alias a ON a.player = id
    WHERE id IN (SELECT player FROM _alias WHERE folded = ?) GROUP BY ALL ORDER BY p.name
"""


def _suggestion(connection: duckdb.DuckDBPyConnection, name: str) -> str:
    names = [one for (one,) in connection.execute("SELECT name FROM _player ORDER BY name").fetchall()]
    close = close_to(name, names, _MAX_SUGGESTIONS)
    return f"did you mean {' or '.join(close)}?" if close else "zertz players lists all"


def name_players(connection: duckdb.DuckDBPyConnection) -> dict[int, tuple[str, str]]:
    """Return the name and the kind of each player, by id."""
    rows = connection.execute("SELECT id, name, kind FROM _player").fetchall()
    return {number: (name, kind) for number, name, kind in rows}


def list_aliases(database: Database) -> Result:
    """List aliases and stated kinds: name, player (the main name if accepted), verdict (as stated), evidence, since, kind."""
    meanings = (
        "a name",
        "the name that stands for both; empty for a stated kind",
        "accepted, rejected or later; empty for a stated kind",
        "why",
        "the day of the statement",
        "human, bot or guest, as a user stated; empty for an alias",
    )
    names = ("name", "player", "verdict", "evidence", "since", "kind")
    columns = tuple(Column(name, meaning) for name, meaning in zip(names, meanings, strict=True))
    rows: list[tuple[object, ...]] = [(*claim, None) for claim in people_file.read_aliases(database.annotations_dir)]
    rows += [
        (one.name, None, None, one.evidence, one.since, one.kind)
        for one in people_file.read_kinds(database.annotations_dir)
    ]
    return Result(columns, rows)
