"""Migration: a file of an older schema brought up to today's, step by step, while the next generation is built.

The live file stays as it is until the new generation is published, so a migration that fails costs nothing. A step changes tables and
columns by name; the file is then written anew, which gives views, comments and the order of columns that today's schema has.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb

from zertz_db.store import meta, settling
from zertz_db.store.errors import SchemaMismatch

Step = Callable[[duckdb.DuckDBPyConnection], None]


def _to_3(connection: duckdb.DuckDBPyConnection) -> None:
    _clear_contradicted_winners(connection)


def _clear_contradicted_winners(connection: duckdb.DuckDBPyConnection) -> None:
    """Before version 3 the moves' winner was stored where the record contradicts it."""
    connection.execute("UPDATE _game SET winner = NULL WHERE result IS NULL AND winner IS NOT NULL")


STEPS: dict[int, Step] = {1: lambda _: None, 2: _to_3}  # to 2: nodes tell more, and are summed anew in any case
"""From each older version to the one after it."""


def bring_up_to_date(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Make every step that is due in a writable copy of the file `path`.

    Raises SchemaMismatch for a newer file, and for an older one from which no steps lead here; UnreadableDatabase for one that is
    not of zertz-db.
    """
    version = meta.schema_version(connection, path)
    if version >= meta.SCHEMA_VERSION:
        meta.require_schema(connection, path)
        return
    if not {*range(version, meta.SCHEMA_VERSION)} <= STEPS.keys():
        raise SchemaMismatch(
            f"{path} was written by a zertz-db too old to be brought up to date (schema {version}, today's is {meta.SCHEMA_VERSION}). "
            "Import its records into a new folder, or read it with the older version."
        )
    for number in range(version, meta.SCHEMA_VERSION):
        STEPS[number](connection)
    meta.write(connection, {"schema_version": meta.SCHEMA_VERSION})
    settling.demand(connection)
