"""Migrate a file of an older schema to today's, step by step, while the next generation is built.

The live file stays unchanged until the new generation is published, so a failed migration costs nothing. A step changes tables and
columns by name; compaction then rewrites the file, which gives it today's views, comments and order of columns.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path

import duckdb

from zertz_db.store.errors import SchemaMismatch
from zertz_db.store.ids import id_of_path, id_of_source
from zertz_db.store.loading import compaction, game_courses, older_plies, older_positions
from zertz_db.store.names import fold_name
from zertz_db.store.schema import ddl, meta
from zertz_db.store.schema.position_columns import SHAPE_MASK

Step = Callable[[duckdb.DuckDBPyConnection], None]


def fold_names(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the normal form of names."""
    connection.execute("ALTER TABLE _alias ADD COLUMN IF NOT EXISTS folded VARCHAR")
    names = [name for (name,) in connection.execute("SELECT DISTINCT name FROM _alias").fetchall()]
    if names:
        connection.executemany(
            "UPDATE _alias SET folded = ? WHERE name = ?", [(fold_name(name), name) for name in names]
        )


def identify_sources_by_path(connection: duckdb.DuckDBPyConnection) -> None:
    """Give each source an id of its path and its bytes; before, its id was that of its bytes alone.

    Imports counted the records of copies, which no table had; each import now counts the records that exist.
    """
    connection.execute("ALTER TABLE _source ADD COLUMN IF NOT EXISTS content BIGINT")
    connection.execute("ALTER TABLE _source ADD COLUMN IF NOT EXISTS place BIGINT")
    connection.execute("ALTER TABLE _import ADD COLUMN IF NOT EXISTS withdrawn INTEGER DEFAULT 0")
    connection.execute("CREATE TABLE IF NOT EXISTS _revisit (run INTEGER, source BIGINT)")
    sources = connection.execute("SELECT id, path FROM _source WHERE content IS NULL").fetchall()
    ids = [
        (old, id_of_source(path, old), id_of_path(path) if Path(path).is_absolute() else None) for old, path in sources
    ]
    if ids:
        connection.execute(
            "CREATE TEMP TABLE renamed AS SELECT unnest(?) AS old, unnest(?) AS new, unnest(?)::BIGINT AS place",
            [*map(list, zip(*ids, strict=True))],
        )
        connection.execute("UPDATE _record SET source = new FROM renamed WHERE source = old")
        connection.execute(
            "UPDATE _source SET content = old, id = new, place = renamed.place FROM renamed WHERE id = old"
        )
        connection.execute("DROP TABLE renamed")
    connection.execute(f"""
        UPDATE _import SET {", ".join(f"{one} = (SELECT count(*) {_OWN} AND status = '{one}')" for one in _STATUSES)},
            records = (SELECT count(*) {_OWN})
        WHERE NOT undone
    """)


_STATUSES = ("stored", "duplicate", "rejected")
_OWN = "FROM _record r WHERE r.run = _import.run"


def add_time_of_day(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the time of day of games; `zertz recheck` reads it from their records."""
    connection.execute("ALTER TABLE _game ADD COLUMN IF NOT EXISTS time VARCHAR")


def clear_contradicted_winners(connection: duckdb.DuckDBPyConnection) -> None:
    """Clear winners of games whose records contradict their moves: before version 3 the moves' winner was stored."""
    connection.execute("UPDATE _game SET winner = NULL WHERE result IS NULL AND winner IS NOT NULL")


def to_version_3(connection: duckdb.DuckDBPyConnection) -> None:
    """Make all changes of version 3."""
    for change in (fold_names, identify_sources_by_path, add_time_of_day, clear_contradicted_winners):
        change(connection)


def add_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the tables of forced wins, which `zertz analyse` fills, and of ratings, which the end of each build fills."""
    ddl.create_tables(connection, meta.missing_tables(connection))


def add_courses(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the columns of games that sum up their course, computed from their plies and positions."""
    older_positions.join_counts(connection)  # which the computation reads
    game_courses.add_columns(connection)


def unpack_records(connection: duckdb.DuckDBPyConnection) -> None:
    """Unpack the bytes of records, which zlib had packed one by one: DuckDB packs them together, in half the space."""
    connection.create_function("unpack_record", _unpack, ["BLOB"], "BLOB")
    connection.execute("UPDATE _record SET bytes = unpack_record(bytes) WHERE bytes IS NOT NULL")
    connection.remove_function("unpack_record")


def _unpack(packed: bytes) -> bytes:
    """Return the bytes of a record; damaged ones as they are, so that the doctor names them."""
    try:
        return zlib.decompress(packed)
    except zlib.error:
        return packed


def shorten_shapes(connection: duckdb.DuckDBPyConnection) -> None:
    """Keep some bits of the hashes of shapes."""
    connection.execute(f"ALTER TABLE _position ALTER shape TYPE INTEGER USING (shape & {SHAPE_MASK})::INTEGER")


def to_version_7(connection: duckdb.DuckDBPyConnection) -> None:
    """Make all changes of version 7, which make a file smaller."""
    unpack_records(connection)
    shorten_shapes(connection)
    older_positions.join_marble_sets(connection)


def to_version_8(connection: duckdb.DuckDBPyConnection) -> None:
    """Make all changes of version 8, which make a file smaller and imports faster."""
    older_positions.join_counts(connection)
    older_plies.join_to_games(connection)


STEPS: dict[int, Step] = {
    1: lambda _: None,
    2: to_version_3,
    3: add_tables,
    4: add_tables,
    5: add_courses,
    6: to_version_7,
    7: to_version_8,
}  # 1: nodes are rebuilt in any case
"""The step from each older version to the next."""


def bring_up_to_date(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Make every step that is due in a writable copy of the file `path`.

    Raise SchemaMismatch for a newer file, and for an older one without steps to today's version; UnreadableDatabase for a file that
    zertz-db did not write.
    """
    version = meta.schema_version(connection, path)
    if version >= meta.SCHEMA_VERSION:
        meta.require_schema(connection, path)
        return
    if not {*range(version, meta.SCHEMA_VERSION)} <= STEPS.keys():
        raise SchemaMismatch(
            f"{path} was written by a zertz-db too old to migrate (schema {version}, today's is {meta.SCHEMA_VERSION}). "
            "Import its records into a new folder, or read it with the older version."
        )
    for number in range(version, meta.SCHEMA_VERSION):
        STEPS[number](connection)
    meta.write(connection, {"schema_version": meta.SCHEMA_VERSION})
    compaction.demand(connection)
