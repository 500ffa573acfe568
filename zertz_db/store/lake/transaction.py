"""Change a lake, in full or not at all, while other machines do."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar, TypeVar

import duckdb

from zertz_db.store.annotations import apply_corrections, materialise, noted_tombstones, people_file
from zertz_db.store.errors import StoreError
from zertz_db.store.folder import migrations
from zertz_db.store.folder.build import Build, transaction
from zertz_db.store.lake import annotation_table, catalog
from zertz_db.store.loading import compaction, game_courses, older_plies, older_positions, opening_nodes
from zertz_db.store.ratings import stored_ratings
from zertz_db.store.schema import ddl, meta, table_columns

Result = TypeVar("Result")

_ATTEMPTS = 20
_PAUSE = 0.5
"""Maximum seconds before the second attempt to publish; a multiple before later ones."""
MAX_FILES = 32
"""Maximum number of files of a table; each costs a look-up a quarter of a millisecond, and more on remote disks."""
_MAX_DELETED = 0.01
"""Share of a file's rows. DuckLake merges no files that have deleted rows, so files with a larger share are rewritten first."""
_MAX_MERGED = 20_000_000
"""Maximum number of positions in a file that DuckLake makes of smaller ones: it ends files at half a gigabyte."""
_LEVEL = 6
"""Level of zstd: 2 % less space than 3, the default, for a third more time to write the files; higher ones save less."""
_UNPACKED_RECORDS = 7
"""The first version of the schema with unpacked records."""
_RETENTION = "7 days"
"""Time for which readers may stay on a snapshot."""


class LakeBuild(Build):
    """A snapshot of a lake under construction, in one transaction."""

    publishes_annotations: ClassVar[bool] = True


def change_lake(folder: Path, change: Callable[[Build], Result]) -> Result:
    """Change or create a lake in one transaction; if another process has published meanwhile, repeat all of it on top of that.

    (Not only if DuckLake reports a conflict: a purge may remove files that this change was about to read.)

    Each change replaces the fact `generation`, so DuckLake rejects one of two concurrent ones: records that each found to be new may be
    duplicates by then. The end is that of `next_generation` for a folder.
    """
    with catalog.connect(folder, writable=True) as connection, _explain(folder):
        result, is_published = _undisturbed(folder, connection, lambda: _transaction(folder, connection, change))
        if is_published:
            if compaction.is_demanded(connection):
                _undisturbed(folder, connection, lambda: _purge(connection))
            _tidy(connection)
    return result


def migrate_lake(folder: Path) -> bool:
    """Bring a lake to today's schema; return whether it was older. Raise NoDatabase, or SchemaMismatch if that is impossible."""
    with catalog.connect(folder, writable=True) as connection, _explain(folder):
        if not catalog.is_made(connection):
            raise catalog.no_lake(folder)
        if meta.schema_version(connection, folder) == meta.SCHEMA_VERSION:
            return False
    change_lake(folder, lambda _: None)
    return True


@contextmanager
def _explain(folder: Path) -> Iterator[None]:
    """Raise StoreError if a catalog or a disk is missing or full."""
    try:
        yield
    except duckdb.IOException as error:
        raise StoreError(
            f"{folder}: its catalog or its files can't be read or written. DuckDB reports: {error}"
        ) from error


def _undisturbed(folder: Path, connection: duckdb.DuckDBPyConnection, attempt: Callable[[], Result]) -> Result:
    """Repeat the attempt until it succeeds. Raise its error if nobody else changed anything."""
    for number in range(1, _ATTEMPTS + 1):
        before = catalog.latest(connection)
        try:
            return attempt()
        except duckdb.Error:
            _roll_back(connection)
            if catalog.latest(connection) == before:
                raise
            time.sleep(random.uniform(0, _PAUSE * number))  # noqa: S311 - so that two processes do not collide again
        except BaseException:
            _roll_back(connection)
            raise
    raise StoreError(f"{folder} is changed by others all the time. Try again.")


def _transaction(
    folder: Path, connection: duckdb.DuckDBPyConnection, change: Callable[[Build], Result]
) -> tuple[Result, bool]:
    """Return the result of the change, and whether it was published."""
    with TemporaryDirectory(prefix="zertz-annotations-") as annotations:
        connection.begin()
        if not catalog.is_made(connection):
            _make(connection)
        catalog.require_schema(connection, folder, to_migrate=True)
        is_new_table = _migrate(connection, folder)
        before = int(meta.read(connection)["generation"])
        texts = annotation_table.unpack(connection, Path(annotations))
        people_file.adopt(Path(annotations), noted_tombstones.read(connection))  # a lake's own tables have both
        apply_corrections.revert(connection)
        build = LakeBuild(connection, before, Path(annotations))
        result = change(build)
        if build.discarded:
            connection.rollback()
            return result, False
        annotation_table.pack(connection, build.annotations_dir, texts)
        materialise.materialise_annotations(connection, build.annotations_dir)
        stored_ratings.refresh(connection, in_lake=True)
        game_courses.fill(connection)
        opening_nodes.refresh(connection, 0 if is_new_table else _find_next_row(connection))
        meta.write(connection, {"generation": before + 1, "created": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"})
        connection.commit()
    return result, True


def _find_next_row(connection: duckdb.DuckDBPyConnection) -> int:
    """Return the number that the next position to be committed gets."""
    found = connection.execute(_NEXT_ROW).fetchall()
    return int(found[0][0]) if found else 0


def _migrate(connection: duckdb.DuckDBPyConnection, folder: Path) -> bool:
    """Migrate a lake of an older schema, with a new table of positions; return whether it was one."""
    version = meta.schema_version(connection, folder)
    if version == meta.SCHEMA_VERSION:
        return False
    ddl.create_tables(connection, meta.missing_tables(connection), in_lake=True)
    if version < _UNPACKED_RECORDS:
        migrations.unpack_records(connection)
    older_positions.rewrite(connection)
    game_courses.add_columns(connection)
    older_plies.join_to_games(connection, in_lake=True)
    meta.write(connection, {"schema_version": meta.SCHEMA_VERSION})
    return True


def _purge(connection: duckdb.DuckDBPyConnection) -> None:
    """Remove deleted rows from all files. Readers of older snapshots must query again.

    Concurrent changes of the lake must start again, too. DuckLake detects that by later snapshots, so leave one that replaces the
    generation.
    """
    connection.execute("CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)")
    connection.execute("UPDATE _meta SET value = value WHERE name = 'generation'")
    earlier = connection.execute(_EARLIER).fetchall()
    versions = ", ".join(str(number) for (number,) in earlier)
    connection.execute(f"CALL ducklake_expire_snapshots('lake', versions => [{versions}])")
    connection.execute("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)")
    with transaction(connection):  # DuckLake rejects this or a concurrent import that widens them
        for row in connection.execute(_EXTREMES).fetchall():
            connection.execute(f"UPDATE {_CATALOG}.ducklake_table_column_stats {_NARROWED}", row)
    with transaction(connection):
        compaction.clear_demand(connection)


_EARLIER = """
    SELECT snapshot_id FROM ducklake_snapshots('lake')
    WHERE snapshot_id < (SELECT id FROM ducklake_last_committed_snapshot('lake'))
"""
"""The snapshots before the last one of this connection."""


_CATALOG = "__ducklake_metadata_lake"
"""DuckLake's name of the catalog of the database attached as `lake`."""
_NEXT_ROW = f"""
    SELECT next_row_id FROM {_CATALOG}.ducklake_table_stats JOIN {_CATALOG}.ducklake_table USING (table_id)
    WHERE table_name = '_position' AND end_snapshot IS NULL
"""
_EXTREMES = f"""
    SELECT min(f.min_value) AS least, max(f.max_value) AS greatest, t.table_id, t.column_id
    FROM {_CATALOG}.ducklake_table_column_stats t JOIN {_CATALOG}.ducklake_column USING (table_id, column_id)
    LEFT JOIN {_CATALOG}.ducklake_file_column_stats f USING (table_id, column_id)
    WHERE column_type = 'varchar' GROUP BY t.table_id, t.column_id, t.min_value, t.max_value
    HAVING (least, greatest) IS DISTINCT FROM (t.min_value, t.max_value)
"""
"""The least and the greatest text of each column in the remaining files, if they have changed: DuckLake's bounds only ever widen."""
_NARROWED = "SET min_value = ?, max_value = ? WHERE table_id = ? AND column_id = ?"


def _tidy(connection: duckdb.DuckDBPyConnection) -> None:
    """Merge the small files of many imports into larger ones, in order, so that a look-up opens few.

    The small files stay as long as readers may use older snapshots.
    """
    files = "SELECT max(file_count) FROM ducklake_table_info('lake') WHERE table_name IN ('_game', '_position')"
    if connection.execute(files).fetchall()[0][0] <= MAX_FILES:
        return
    positions = connection.execute("SELECT count(*) FROM _position").fetchall()[0][0]
    old = f"older_than => now() - INTERVAL '{_RETENTION}'"
    try:
        sort_by(connection, "position", min(positions, _MAX_MERGED))
        for call in (
            f"ducklake_rewrite_data_files('lake', delete_threshold => {_MAX_DELETED})",
            "ducklake_merge_adjacent_files('lake')",
            f"ducklake_expire_snapshots('lake', {old})",
            f"ducklake_cleanup_old_files('lake', {old})",
            f"ducklake_delete_orphaned_files('lake', {old})",
        ):
            connection.execute(f"CALL {call}")
    except duckdb.Error:
        return  # the change is published anyway; the next process to change the lake, maybe one at this moment, tidies it


def _make(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(annotation_table.CREATE)
    ddl.create(connection, in_lake=True)
    connection.execute("CALL lake.set_option('parquet_compression', 'zstd')")
    connection.execute(f"CALL lake.set_option('parquet_compression_level', {_LEVEL})")
    for table in ("game", "position"):
        sort_by(connection, table, 0)


def sort_by(connection: duckdb.DuckDBPyConnection, table: str, rows: int) -> None:
    """Make DuckLake sort a table in each Parquet file that it writes from now on; rows: number of rows that it will sort together."""
    connection.execute(f"ALTER TABLE _{table} SET SORTED BY ({table_columns.order_in_lake(table, rows)})")


def _roll_back(connection: duckdb.DuckDBPyConnection) -> None:
    try:
        connection.rollback()
    except duckdb.Error:  # no transaction is open
        return
