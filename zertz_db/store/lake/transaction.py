"""Changing a lake: all of it or nothing, by several machines at once."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import duckdb

from zertz_db.store.annotations import apply_corrections, materialise
from zertz_db.store.errors import StoreError
from zertz_db.store.folder.build import Build, transaction
from zertz_db.store.lake import annotation_table, catalog
from zertz_db.store.loading import compaction, opening_nodes
from zertz_db.store.schema import ddl, meta

Result = TypeVar("Result")

_ATTEMPTS = 20
_PAUSE = 0.5
"""Seconds, at most, before the second attempt to publish; more before later ones."""
MAX_FILES = 32
"""Of a table; each costs a look-up a quarter of a millisecond, and more where they lie far away."""
_MAX_DELETED = 0.01
"""Share of a file's rows; of files with rows that are deleted none are merged, so those with more are written anew before."""
_RETENTION = "7 days"
"""How long readers may stay on a snapshot."""


def change_lake(folder: Path, change: Callable[[Build], Result]) -> Result:
    """Change a lake, or make it, in one transaction; where another has published meanwhile, all of it is done anew on top of that.

    (Not only where DuckLake says that it conflicts: whoever purges removes files that this one may have been about to read.)

    Whoever publishes replaces the fact `generation`, so that of two at the same time one is refused by DuckLake: what each has
    found to be new may no longer be so. At the end everything follows as in a folder: see `building.next_generation`.
    """
    with catalog.connect(folder, writable=True) as connection, _annotate(folder):
        result, is_published = _undisturbed(folder, connection, lambda: _transaction(folder, connection, change))
        if is_published:
            if compaction.is_demanded(connection):
                _undisturbed(folder, connection, lambda: _purge(connection))
            _tidy(connection)
    return result


@contextmanager
def _annotate(folder: Path) -> Iterator[None]:
    """A catalog or a disk that is gone, or full, is no fault of ours: say so."""
    try:
        yield
    except duckdb.IOException as error:
        raise StoreError(
            f"{folder}: its catalog or its files can't be read or written. DuckDB says: {error}"
        ) from error


def _undisturbed(folder: Path, connection: duckdb.DuckDBPyConnection, attempt: Callable[[], Result]) -> Result:
    """Attempt it until it succeeds; raises what went wrong while nobody else changed anything."""
    for number in range(1, _ATTEMPTS + 1):
        before = catalog.latest(connection)
        try:
            return attempt()
        except duckdb.Error:
            _roll_back(connection)
            if catalog.latest(connection) == before:
                raise
            time.sleep(random.uniform(0, _PAUSE * number))  # noqa: S311 - so that two don't meet again
        except BaseException:
            _roll_back(connection)
            raise
    raise StoreError(f"{folder} is changed by others all the time. Try again.")


def _transaction(
    folder: Path, connection: duckdb.DuckDBPyConnection, change: Callable[[Build], Result]
) -> tuple[Result, bool]:
    """What the change returned, and whether it is published."""
    with TemporaryDirectory(prefix="zertz-words-") as words:
        connection.begin()
        if not catalog.is_made(connection):
            _make(connection)
        catalog.require_schema(connection, folder)
        before = int(meta.read(connection)["generation"])
        texts = annotation_table.unpack(connection, Path(words))
        apply_corrections.revert(connection)
        build = Build(connection, before, Path(words), is_lake=True)
        result = change(build)
        if build.discarded:
            connection.rollback()
            return result, False
        annotation_table.pack(connection, build.annotations_dir, texts)
        materialise.materialise_annotations(connection, build.annotations_dir)
        opening_nodes.refresh(connection)
        meta.write(connection, {"generation": before + 1, "created": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"})
        connection.commit()
    return result, True


def _purge(connection: duckdb.DuckDBPyConnection) -> None:
    """Let nothing be left, in any file, of rows that are deleted. Whoever reads an older snapshot has to ask anew.

    Whoever is changing the lake since then has to begin anew, too. DuckLake tells by the snapshots that came after, so one is left
    in which the generation is replaced.
    """
    connection.execute("CALL ducklake_rewrite_data_files('lake', delete_threshold => 0)")
    connection.execute("UPDATE _meta SET value = value WHERE name = 'generation'")
    earlier = connection.execute(_EARLIER).fetchall()
    versions = ", ".join(str(number) for (number,) in earlier)
    connection.execute(f"CALL ducklake_expire_snapshots('lake', versions => [{versions}])")
    connection.execute("CALL ducklake_cleanup_old_files('lake', cleanup_all => true)")
    with transaction(connection):  # an import at the same time may widen them: one of both is refused
        for row in connection.execute(_EXTREMES).fetchall():
            connection.execute(f"UPDATE {_CATALOG}.ducklake_table_column_stats {_NARROWED}", row)
    with transaction(connection):
        compaction.clear_demand(connection)


_EARLIER = """
    SELECT snapshot_id FROM ducklake_snapshots('lake')
    WHERE snapshot_id < (SELECT id FROM ducklake_last_committed_snapshot('lake'))
"""
"""The snapshots before the last one that this connection has made."""


_CATALOG = "__ducklake_metadata_lake"
"""What DuckLake calls the catalog of what is attached as `lake`."""
_EXTREMES = f"""
    SELECT min(f.min_value) AS least, max(f.max_value) AS greatest, t.table_id, t.column_id
    FROM {_CATALOG}.ducklake_table_column_stats t JOIN {_CATALOG}.ducklake_column USING (table_id, column_id)
    LEFT JOIN {_CATALOG}.ducklake_file_column_stats f USING (table_id, column_id)
    WHERE column_type = 'varchar' GROUP BY t.table_id, t.column_id, t.min_value, t.max_value
    HAVING (least, greatest) IS DISTINCT FROM (t.min_value, t.max_value)
"""
"""The least and the greatest text of each column in the files that are left, where they are others by now: DuckLake keeps those that ever
were."""
_NARROWED = "SET min_value = ?, max_value = ? WHERE table_id = ? AND column_id = ?"


def _tidy(connection: duckdb.DuckDBPyConnection) -> None:
    """Write what many imports have brought in small files to larger ones, in order, so that a look-up opens few.

    Small ones stay for readers of older snapshots, until nobody should read those any more.
    """
    files = "SELECT max(file_count) FROM ducklake_table_info('lake') WHERE table_name IN ('_game', '_ply', '_position')"
    if connection.execute(files).fetchall()[0][0] <= MAX_FILES:
        return
    old = f"older_than => now() - INTERVAL '{_RETENTION}'"
    for call in (
        f"ducklake_rewrite_data_files('lake', delete_threshold => {_MAX_DELETED})",
        "ducklake_merge_adjacent_files('lake')",
        f"ducklake_expire_snapshots('lake', {old})",
        f"ducklake_cleanup_old_files('lake', {old})",
        f"ducklake_delete_orphaned_files('lake', {old})",
    ):
        try:
            connection.execute(f"CALL {call}")
        except duckdb.Error:
            return  # the change is published, whatever becomes of this; who changes the lake next, maybe just now, tidies it


def _make(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(annotation_table.CREATE)
    ddl.create(connection, in_lake=True)
    connection.execute("CALL lake.set_option('parquet_compression', 'zstd')")
    for table in ("game", "ply", "position"):
        connection.execute(f"ALTER TABLE _{table} SET SORTED BY ({ddl.order_in_lake(table)})")


def _roll_back(connection: duckdb.DuckDBPyConnection) -> None:
    try:
        connection.rollback()
    except duckdb.Error:  # there is nothing that could be
        return
