"""Integrity checks: queries for violations of what must hold in every database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import duckdb

from zertz_db.ingest.stored.delete_records import COUNTED_RECORDS
from zertz_db.store.annotations import game_merges
from zertz_db.store.annotations.corrections import COLUMNS
from zertz_db.store.loading import game_courses
from zertz_db.store.loading.opening_nodes import FLOOR
from zertz_db.store.schema import ply_columns

MAX_EXAMPLES = 5
"""Maximum number of examples for each kind of problem."""


class IntegrityProblem(NamedTuple):
    """A violation of integrity: its kind, in words, its number of occurrences, and examples."""

    kind: str
    times: int
    examples: tuple[str, ...]


def find_problems(connection: duckdb.DuckDBPyConnection) -> Iterator[IntegrityProblem]:
    """Yield the violations of integrity."""
    for kind, query in CHECKS.items():
        count, examples = connection.execute(
            f"SELECT count(*), list(what)[:{MAX_EXAMPLES}] FROM ({query}) found(what)"
        ).fetchall()[0]
        if count:
            yield IntegrityProblem(kind, int(count), tuple(map(str, examples)))


_IMPORT = "'import ' || run"
_GAME = "'game ' || id_text(g.id)"
_RECORD = "'record ' || id_text(r.id)"
_POSITION = "'position ' || key"

_MERGED = f"""
    SELECT CAST(split_part(pair, '>', 2) AS BIGINT) FROM (
        SELECT unnest(string_split(value, ' ')) AS pair FROM _meta WHERE name = '{game_merges.FACT}' AND value <> ''
    )
"""
"""The games that others were merged into: the longest record represents such a game, and only a reading of all its records shows which."""

_TALLIES = f"""
    SELECT i.run, CASE s.status WHEN 'stored' THEN stored WHEN 'duplicate' THEN duplicate ELSE rejected END AS counted,
        coalesce(held, 0) AS held
    FROM _import i CROSS JOIN (SELECT unnest(['stored', 'duplicate', 'rejected']) AS status) s
    LEFT JOIN (SELECT run, status, count(*) AS held FROM ({COUNTED_RECORDS}) GROUP BY ALL) h ON h.run = i.run AND h.status = s.status
    WHERE NOT undone
"""
"""For each import and status: the number of records that it counted, and the number that exist."""

_WRONG_COURSE = "a game's sums for statistics are not those of its plies and positions"
CHECKS: dict[str, str] = {
    "an import's tally is not stored + duplicate + rejected": f"""
        SELECT {_IMPORT} FROM _import WHERE records <> stored + duplicate + rejected ORDER BY run
    """,
    "an import has more records than it counted": f"SELECT DISTINCT {_IMPORT} FROM ({_TALLIES}) WHERE counted < held",
    "an import counted more records than it has": f"SELECT DISTINCT {_IMPORT} FROM ({_TALLIES}) WHERE counted > held",
    "an import that was undone still has records": f"""
        SELECT DISTINCT {_IMPORT} FROM _import WHERE undone AND run IN (SELECT run FROM _record)
    """,
    "a place in a file has two records": f"""
        SELECT any_value({_RECORD}) FROM _record r GROUP BY source, member, index HAVING count(*) > 1
    """,
    "a game is stored twice": f"SELECT {_GAME} FROM _game g GROUP BY id HAVING count(*) > 1",
    "a record has no import": f"SELECT {_RECORD} FROM _record r WHERE run NOT IN (SELECT run FROM _import)",
    "a file that an import found unchanged is missing": """
        SELECT 'import ' || run FROM _revisit WHERE source NOT IN (SELECT id FROM _source) OR run NOT IN (SELECT run FROM _import)
    """,
    "a record has no source": f"SELECT {_RECORD} FROM _record r WHERE source NOT IN (SELECT id FROM _source)",
    "a record has no bytes": f"SELECT {_RECORD} FROM _record r GROUP BY id HAVING count(bytes) = 0",
    "a record has its bytes twice": f"SELECT {_RECORD} FROM _record r GROUP BY id HAVING count(bytes) > 1",
    "a record's game does not exist": f"""
        SELECT {_RECORD} FROM _record r WHERE game IS NOT NULL AND game NOT IN (SELECT id FROM _game)
    """,
    "a rejected record has a game, or another has none": f"""
        SELECT {_RECORD} FROM _record r WHERE (status = 'rejected') <> (game IS NULL)
    """,
    "a rejected record has no reason": f"""
        SELECT {_RECORD} FROM _record r WHERE status = 'rejected' AND reason IS NULL
    """,
    "a game was added by several records": """
        SELECT 'game ' || id_text(game) FROM _record WHERE status = 'stored' GROUP BY game HAVING count(*) > 1
    """,
    "a game was added by no record": f"""
        SELECT {_GAME} FROM _game g WHERE id NOT IN (SELECT game FROM _record WHERE status = 'stored' AND game IS NOT NULL)
    """,
    "a game's representative record is not one of its records": f"""
        SELECT {_GAME} FROM _game g WHERE NOT EXISTS (FROM _record r WHERE r.id = g.record AND r.game = g.id)
    """,
    "a game's representative record is not the one with the most data": f"""
        SELECT {_GAME} FROM _game g WHERE (SELECT max(weight) FROM _record r WHERE r.game = g.id) >
            (SELECT max(weight) FROM _record r WHERE r.game = g.id AND r.id = g.record) AND g.id NOT IN ({_MERGED})
    """,
    "a game does not have its plies": f"""
        SELECT {_GAME} FROM _game g WHERE plies <> length(ply_letters) OR plies <> len(ply_clocks)
            OR plies <> CASE movetext WHEN '' THEN 0 ELSE len({ply_columns.NOTATIONS}) END
    """,
    "a game does not have its plies + 1 positions": f"""
        SELECT {_GAME} FROM _game g LEFT JOIN
            (SELECT game, count(*) AS n, count(DISTINCT ply) AS d, min(ply) AS low, max(ply) AS high FROM _position GROUP BY game) p
            ON p.game = g.id
        WHERE coalesce(n, 0) <> plies + 1 OR d <> plies + 1 OR low <> 0 OR high <> plies
    """,
    _WRONG_COURSE: f"SELECT {_GAME} {game_courses.find_wrong_sql()}",
    **{
        f"a {table} has no game": f"""
            SELECT DISTINCT 'game ' || id_text(game) FROM _{table} WHERE game NOT IN (SELECT id FROM _game)
        """
        for table in ("position", "analysis", "tactic", "puzzle", "rating", "mark", "correction")
    },
    "a game was analysed twice": """
        SELECT 'game ' || id_text(game) FROM _analysis GROUP BY game HAVING count(*) > 1
    """,
    "a ply with a forced win has no analysis, or not its place in the game": """
        SELECT DISTINCT 'game ' || id_text(t.game) FROM _tactic t LEFT JOIN _ply p USING (game, ply)
        WHERE p.game IS NULL OR t.game NOT IN (SELECT game FROM _analysis)
    """,
    "a puzzle has no forced win of its length, or is not the only one of its game": """
        SELECT DISTINCT 'game ' || id_text(z.game) FROM _puzzle z LEFT JOIN _tactic t USING (game, ply)
        WHERE t.forced IS DISTINCT FROM z.length OR z.game IN (SELECT game FROM _puzzle GROUP BY game HAVING count(*) > 1)
    """,
    **{
        f"a {table} has no record": f"""
            SELECT DISTINCT 'record ' || id_text(record) FROM _{table} WHERE record NOT IN (SELECT id FROM _record)
        """
        for table in ("tag", "finding")
    },
    "a game does not have its corrections": " UNION ALL ".join(
        f"SELECT {_GAME} FROM _game g JOIN _correction ON game = g.id WHERE tag = '{tag}' AND g.{column} IS DISTINCT FROM new"
        for tag, column in COLUMNS.items()
    ),
    "a name in a game has no player": f"""
        SELECT {_GAME} FROM _game g
        WHERE (player1 IS NOT NULL AND player1 NOT IN (SELECT name FROM _alias))
            OR (player2 IS NOT NULL AND player2 NOT IN (SELECT name FROM _alias))
    """,
    "an alias has no player": "SELECT 'alias ' || name FROM _alias WHERE player NOT IN (SELECT id FROM _player)",
    "a player has no alias": "SELECT 'player ' || name FROM _player WHERE id NOT IN (SELECT player FROM _alias)",
    "the sums over continuations are wrong": f"""
        WITH counted AS (
            SELECT key, next_move AS move, count(*) AS games, count(*) FILTER (score = 1) AS wins,
                count(*) FILTER (score = 0) AS draws, count(*) FILTER (score = -1) AS losses
            FROM _position SEMI JOIN (SELECT key FROM _position GROUP BY key HAVING count(*) >= {FLOOR}) USING (key)
            GROUP BY ALL
        ), noted AS (
            SELECT key, move, sum(games) AS games, sum(wins) AS wins, sum(draws) AS draws, sum(losses) AS losses FROM _node GROUP BY ALL
        )
        SELECT DISTINCT {_POSITION} FROM ((FROM counted EXCEPT FROM noted) UNION ALL (FROM noted EXCEPT FROM counted))
    """,
}
"""For each rule of integrity: the message about a violation, and a query for violations."""
