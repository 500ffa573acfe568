"""Summarise a database and its imports."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from zertz_db.queries.errors import QueryError
from zertz_db.queries.result import Result, run_query
from zertz_db.store.folder.database import Database


@dataclass(frozen=True, slots=True)
class Info:
    """Summary of a database.

    path, size: the live file, and its bytes on disk. games: board, verdict, games. records: status, records.
    """

    path: str
    size: int
    generation: int
    schema_version: str
    rules_version: str
    created: str
    games: Result
    records: Result
    sources: int
    imports: int
    plies: int
    positions: int

    def as_json(self) -> dict[str, Any]:
        """Return an object for JSON, with tables as lists of objects."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value.dicts() if isinstance(value, Result) else value for name, value in values.items()}


def summarise(database: Database) -> Info:
    """Return the summary of a database."""
    connection = database.connection()
    facts = database.facts()
    counts = " UNION ALL ".join(f"SELECT '{table}', count(*) FROM _{table}" for table in _COUNTED)
    numbers = dict(connection.execute(counts).fetchall())
    [(plies,)] = connection.execute("SELECT coalesce(sum(plies), 0)::BIGINT FROM _game").fetchall()
    return Info(
        path=database.location,
        size=database.size(),
        generation=database.generation.number,
        schema_version=facts["schema_version"],
        rules_version=facts.get("rules_version", ""),
        created=facts.get("created", ""),
        games=run_query(connection, _GAMES, about="games"),
        records=run_query(
            connection, "SELECT status, count(*) AS records FROM _record GROUP BY status ORDER BY status DESC"
        ),
        sources=numbers["source"],
        imports=numbers["import"],
        plies=plies,
        positions=numbers["position"],
    )


class GameRange(NamedTuple):
    """Boards of the games of a database, the most frequent first, and the first and the last year (None: no dates)."""

    boards: tuple[str, ...]
    first_year: int | None
    last_year: int | None


def find_range(database: Database) -> GameRange:
    """Return the boards and the years of the games."""
    connection = database.connection()
    boards = connection.execute("SELECT board FROM _game GROUP BY board ORDER BY count(*) DESC, board").fetchall()
    [years] = connection.execute("SELECT min(year(date_from)), max(year(date_to)) FROM _game").fetchall()
    return GameRange(tuple(board for (board,) in boards), *years)


def list_imports(database: Database) -> Result:
    """List the imports with their tallies, latest first."""
    return run_query(database.connection(), _IMPORTS, about="imports")


def list_rejects(database: Database, run: int) -> Result:
    """List the records that an import rejected: the code of the reason, the place, and the first error.

    line and col are where that begins, from 1 (col None where the record's beginning is all there is to say).

    QueryError if there was no such import.
    """
    _require_run(database, run)
    return run_query(database.connection(), _REJECTS, [run, run], about="records")


def list_reasons(database: Database, run: int) -> Result:
    """List the reasons why an import rejected records: code, number of records, an example. QueryError: as `list_rejects`."""
    _require_run(database, run)
    return run_query(database.connection(), _REASONS, [run, run], about="records")


def _require_run(database: Database, run: int) -> None:
    runs = [number for (number,) in database.connection().execute("SELECT run FROM _import ORDER BY run").fetchall()]
    if run not in runs:
        known = f"the last is import {runs[-1]}" if runs else "there are no imports yet"
        raise QueryError(f"no import has the number {run}; {known}")


_COUNTED = ("source", "import", "position")
_GAMES = "SELECT board, verdict, count(*) AS games FROM _game GROUP BY ALL ORDER BY board, verdict DESC"
_IMPORTS = """
    SELECT run, date_trunc('second', made_at) AS made_at, sources, records, stored, duplicate, rejected, withdrawn, undone, what
    FROM _import ORDER BY run DESC
"""
_REJECTED = """
    SELECT reason, coalesce(f.line, line_from) AS line, f.col, f.message, path, member, r.index
    FROM _record r
    JOIN _source s ON s.id = r.source
    LEFT JOIN (
        SELECT record, code, min_by(line, coalesce(line, 0)) AS line, min_by(col, coalesce(line, 0)) AS col,
            min_by(message, coalesce(line, 0)) AS message
        FROM _finding GROUP BY record, code
    ) f ON f.record = r.id AND f.code = r.reason
    WHERE r.status = 'rejected' AND (r.run = ? OR r.source IN (SELECT source FROM _revisit WHERE run = ?))
"""
_REJECTS = f"{_REJECTED} ORDER BY path, member, r.index"
_REASONS = f"""
    SELECT reason, count(*) AS records, first(message ORDER BY path, member, index) AS example
    FROM ({_REJECTED}) GROUP BY reason ORDER BY records DESC, reason
"""
