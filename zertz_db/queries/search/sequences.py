"""Find sequences: a position or a pattern, and later in the same game another one."""

from __future__ import annotations

import duckdb

from zertz_db.queries.errors import QueryError
from zertz_db.queries.result import Column, Result
from zertz_db.queries.search.matches import LIMIT, Found, collect, require_limit
from zertz_db.queries.search.pattern import Pattern
from zertz_db.queries.search.targets import list_columns, match_target, parse_target
from zertz_db.rules.position import Position
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text

THEN = Column("then", "plies played before the later position")


def find_sequence(
    database: Database,
    first: Position | Pattern | str,
    then: Position | Pattern | str,
    within: int | None = None,
    filters: str = "",
    *,
    mode: str = "symmetry",
    every: bool = False,
    limit: int | None = LIMIT,
) -> Found:
    """Find the games with a position or a pattern, and at most `within` plies later another one (None: at any later time).

    A text is a position string or a pattern. mode: how positions match, as for `find_position`, or `reachable`; each of the two may lie
    in an orientation of its own. every, limit: as for `find_pattern`. The result is that of the first search without the matches that
    nothing follows; hits have the column `then` too, the ply of the earliest later match. QueryError for what can't be read or asked.
    """
    require_limit(limit)
    if within is not None and within < 1:
        raise QueryError(f"the second position comes at least one ply later, not {within}")
    connection = database.connection()
    match_target(database, connection, parse_target(then), mode, filters)
    connection.execute("CREATE TEMP TABLE later AS SELECT DISTINCT game, ply FROM found")
    target = parse_target(first)
    orientation = match_target(database, connection, target, mode, filters)
    connection.execute(_FOLLOWED.format(last="" if within is None else f"AND later.ply <= found.ply + {within:d}"))
    found = collect(connection, orientation, list_columns(target, mode), every, limit)
    return Found(
        found.games, found.plies, _with_later(connection, found.hits), found.continuations, found.years, found.first
    )


def _with_later(connection: duckdb.DuckDBPyConnection, hits: Result) -> Result:
    """Return the hits with the ply of the earliest later match."""
    at = hits.names.index("ply")
    rows = []
    for row in hits.rows:
        later = connection.execute(
            _EARLIEST.format(game=from_text(row[hits.names.index("id")]), ply=row[at])
        ).fetchall()
        rows.append((*row[: at + 1], later[0][0], *row[at + 1 :]))
    return Result((*hits.columns[: at + 1], THEN, *hits.columns[at + 1 :]), rows)


_FOLLOWED = """
    CREATE TEMP TABLE followed AS FROM found WHERE EXISTS (
        SELECT 1 FROM later WHERE later.game = found.game AND later.ply > found.ply {last}
    );
    CREATE OR REPLACE TEMP VIEW found AS FROM followed
"""
_EARLIEST = "SELECT min(ply) FROM later WHERE game = {game:d} AND ply > {ply:d}"
