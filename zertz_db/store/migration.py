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
from zertz_db.store.names import fold_name

Step = Callable[[duckdb.DuckDBPyConnection], None]


def _fold_names(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the normal form of names."""
    connection.execute("ALTER TABLE _alias ADD COLUMN IF NOT EXISTS folded VARCHAR")
    names = [name for (name,) in connection.execute("SELECT DISTINCT name FROM _alias").fetchall()]
    if names:
        connection.executemany(
            "UPDATE _alias SET folded = ? WHERE name = ?", [(fold_name(name), name) for name in names]
        )


STEPS: dict[int, Step] = {
    1: lambda _: None,  # 2: nodes tell more, and are summed anew in any case
    2: _fold_names,
}
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
