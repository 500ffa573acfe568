"""Choose the games of a data set, and the ids under which it publishes them.

A game keeps its id in a database if a player is redacted, so that links still work. That id is a hash of the redacted name too: with it,
a guess at the name could be verified. So a data set gives such games ids of what it publishes.
"""

from __future__ import annotations

import duckdb

from zertz_db.queries.filters.compile import condition
from zertz_db.queries.sql_params import execute
from zertz_db.store.annotations import people_file
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import id_of, to_text

CHOSEN = "dataset_game"
"""Temporary table of the games: id, public (the id as text), number (the place in the data set, from 0)."""
_NAMES = ("player1", "player2", "event", "site", "round")
"""Columns that may have the pseudonym of a redacted player."""
_VALUES = ("start", "board", "rule_set", "tournament", "claims", "movetext", *_NAMES, "date", "time")


def choose_games(database: Database, connection: duckdb.DuckDBPyConnection, filters: str) -> int:
    """Create the table CHOSEN with the games that pass the filters, in the order of their public ids; return how many are redacted."""
    where, values = condition(filters)
    execute(
        connection,
        f"CREATE OR REPLACE TEMP TABLE dataset_id AS SELECT id, id_text(id) AS public FROM _game WHERE {where}",
        values,
    )
    redacted = _list_redacted(database, connection)
    taken = (
        {public for (public,) in connection.execute("SELECT public FROM dataset_id").fetchall()} if redacted else set()
    )
    for game, content in redacted:
        public = _find_free_id(content, taken)
        taken.add(public)
        connection.execute("UPDATE dataset_id SET public = ? WHERE id = ?", [public, game])
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {CHOSEN} AS SELECT id, public, row_number() OVER (ORDER BY public) - 1 AS number FROM dataset_id"
    )
    return len(redacted)


def _list_redacted(database: Database, connection: duckdb.DuckDBPyConnection) -> list[tuple[int, str]]:
    """Return the chosen games with a pseudonym, in an order that does not depend on their ids, and what is published of each."""
    pseudonyms = sorted({one.shown for one in people_file.read_redacted(database.annotations_dir)})
    if not pseudonyms:
        return []
    texts = " || chr(10) || ".join(f"coalesce({name}::VARCHAR, '')" for name in _VALUES)
    names = " || chr(10) || ".join(f"coalesce({name}, '')" for name in _NAMES)
    found = connection.execute(
        f"SELECT id, {texts} AS content FROM _game SEMI JOIN dataset_id USING (id) "
        f"WHERE list_any_value(list_filter(?::VARCHAR[], one -> contains({names}, one))) IS NOT NULL ORDER BY content, id",
        [pseudonyms],
    )
    return found.fetchall()


def _find_free_id(content: str, taken: set[str]) -> str:
    """Return the first id of a published content that no other game has."""
    number = 0
    while (public := to_text(id_of(f"published {number}\n{content}".encode()))) in taken:
        number += 1
    return public
