"""State where a data set comes from: versions, the database's state, and counts of its records.

It names no files, because their names can have names of players.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import duckdb

from zertz_db import __version__
from zertz_db.check.findings import catalogue
from zertz_db.queries.database_info import summarise
from zertz_db.store.folder.database import Database

FORMAT_VERSION = 1
"""Version of the files' columns and arrays; it rises with each change of them."""
UNSTATED = "not stated: ask the owner of the records before you publish them"


class Reject(NamedTuple):
    """The number of records of the database that were rejected for a reason, by the code of the finding."""

    code: str
    title: str
    records: int


def count_rejects(connection: duckdb.DuckDBPyConnection) -> list[Reject]:
    """Return the rejected records of the whole database by reason, most frequent first."""
    rows = connection.execute(
        "SELECT coalesce(reason, ''), count(*) AS records FROM _record WHERE status = 'rejected' GROUP BY ALL ORDER BY records DESC, 1"
    ).fetchall()
    return [Reject(code, catalogue()[code].title if code in catalogue() else "", records) for code, records in rows]


def describe_source(database: Database, connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return the state of the database, and the numbers of its records by status and by dialect."""
    found = summarise(database)
    dialects = connection.execute(
        "SELECT coalesce(dialect, 'unknown'), count(*) FROM _record GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    [(first, last)] = connection.execute("SELECT min(made_at)::DATE, max(made_at)::DATE FROM _import").fetchall()
    return {
        "generation": found.generation,
        "created": found.created,
        "rules_version": found.rules_version,
        "imports": found.imports,
        "files": found.sources,
        "first_import": None if first is None else str(first),
        "last_import": None if last is None else str(last),
        "records": dict(found.records.rows),
        "dialects": dict(dialects),
    }


def list_versions(database: Database) -> dict[str, Any]:
    """Return the versions of the format, of zertz-db and of the database's schema."""
    facts = database.facts()
    return {"format": FORMAT_VERSION, "zertz_db": __version__, "schema": int(facts["schema_version"])}
