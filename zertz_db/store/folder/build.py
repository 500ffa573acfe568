"""Build a database's next generation, in full or not at all.

A build that was stopped can be resumed from what it committed to the working file, if the builder recognises its own work there and
no generation was published since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

import duckdb

from zertz_db.store.annotations import apply_corrections, materialise, noted_tombstones
from zertz_db.store.errors import DiskFull, LockHeld, StoreError, is_disk_full, is_interruption
from zertz_db.store.folder import generations, lock, migrations, tails
from zertz_db.store.folder.database import open_generation
from zertz_db.store.folder.generations import Generation
from zertz_db.store.folder.lock import NO_WAIT, Wait, importers_lock
from zertz_db.store.loading import compaction, game_courses, opening_nodes, staging
from zertz_db.store.loading.bulk_load import MEMORY, TO_APPEND, limit_memory, open_to_write, without_merging, write_log
from zertz_db.store.ratings import stored_ratings
from zertz_db.store.ratings.early_games import Early
from zertz_db.store.schema import ddl, meta

GoesOn = Callable[[duckdb.DuckDBPyConnection], bool]
"""Return whether the work in a leftover file is (part of) the work to do now."""


@dataclass
class Build:
    """A generation under construction.

    connection: writable, and private; corrections are not applied to its games until the end. before: the number of the generation it
    starts from, 0 for a new database. annotations_dir: the folder of the files of annotations. is_resumed: it has the work that an earlier
    build committed before it was stopped. discarded: the changes are dropped, and nothing is published.
    """

    connection: duckdb.DuckDBPyConnection
    before: int
    annotations_dir: Path
    is_resumed: bool = False
    discarded: bool = False

    publishes_annotations: ClassVar[bool] = False
    """Whether readers see changed annotations only once the build is published."""

    def discard(self) -> None:
        """Drop the changes and keep the live generation."""
        self.discarded = True


@contextmanager
def next_generation(folder: Path | str, goes_on: GoesOn | None = None, wait: Wait = NO_WAIT) -> Iterator[Build]:
    """Change a database, or make a new one: `with next_generation(folder) as build: load(build.connection, …)`.

    At the end materialise annotations, refresh the nodes, compact if that is due, and publish the new generation at once. If anything
    fails, or the process dies, the database is unchanged. With `goes_on`, committed work (see `transaction`) stays for a later build that
    can resume it. Raise LockHeld if another process is building and still is after the wait; DiskFull.
    """
    folder = Path(folder)
    is_new = not folder.exists()
    try:
        with importers_lock(folder, wait):
            yield from _build(folder, goes_on)
    except (duckdb.Error, OSError) as error:
        if is_disk_full(error):
            raise DiskFull(folder) from error
        raise
    finally:
        if is_new:
            with suppress(OSError):  # fails unless the folder is empty
                folder.rmdir()


def remove_leftovers(folder: Path) -> None:
    """Remove what a killed importer left, except work that a later one can resume. Do nothing while an importer is running."""
    if not (folder / lock.FILE).exists():
        return
    with suppress(LockHeld), importers_lock(folder):
        generations.sweep(folder, _leftover(folder, generations.live_generation(folder), lambda _: True))


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Commit everything in the block, or nothing."""
    connection.begin()
    try:
        yield
    except BaseException:
        with suppress(duckdb.Error):  # a fatal error has rolled back already
            connection.rollback()
        raise
    connection.commit()


def _build(folder: Path, goes_on: GoesOn | None) -> Iterator[Build]:
    live = generations.live_generation(folder)
    materialise.require_readable(folder)
    if live:
        with open_generation(live) as connection:  # so that a damaged one is reported before any work
            _require_annotations(connection, live, folder)
    left = _leftover(folder, live, goes_on) if goes_on else None
    generations.sweep(folder, left)
    resumable = None
    try:
        working = left or generations.begin_working_file(folder, live)
        resumable = working if goes_on and left else None
        with open_to_write(working) as connection:
            connection.execute("PRAGMA disable_checkpoint_on_shutdown")  # an interrupted process should end soon
            if not left:
                _begin(connection, live)
            limit_memory(connection, MEMORY)
            resumable = working if goes_on else None
            with transaction(connection):
                apply_corrections.revert(connection)
            build = Build(connection, live.number if live else 0, folder, left is not None)
            yield build
            finished = None
            is_small = not build.discarded and tails.is_possible(working, live)
            is_due = not build.discarded and compaction.is_due(connection, ignore_gaps=is_small)
            is_large = is_due and compaction.needs_all_memory(connection)
            if is_large:
                limit_memory(connection, TO_APPEND)
                with without_merging(connection):
                    compaction.demand(connection)
                    connection.execute("CHECKPOINT")
            elif is_due:
                finished = _compact(folder, build)
            elif not build.discarded:
                finished = _complete(folder, build, working)
                is_small = is_small and tails.is_possible(working, live)
                if not is_small:
                    write_log(connection)
        if is_large:  # with the memory that the work has released
            with open_to_write(working) as build.connection:
                limit_memory(build.connection, MEMORY)
                finished = _compact(folder, build)
        if finished:
            _publish(folder, finished, live if is_small and finished == working else None)
        resumable = None
    except duckdb.Error as error:
        if not (is_disk_full(error) or is_interruption(error)):  # the file may be the cause
            resumable = None
        raise
    finally:
        generations.sweep(folder, resumable)


def _require_annotations(connection: duckdb.DuckDBPyConnection, live: Generation, folder: Path) -> None:
    """Raise UnreadableDatabase if the live file, or a file of annotations, is damaged or incomplete."""
    try:
        noted_tombstones.require_complete(connection, folder)
    except duckdb.Error as error:
        raise generations.damaged(live, f"DuckDB reports: {error}") from error


def _begin(connection: duckdb.DuckDBPyConnection, live: Generation | None) -> None:
    """Prepare a new working file. Note its base last, so that an unfinished one names another base, or none."""
    if live:
        migrations.bring_up_to_date(connection, live.path)
    with transaction(connection):
        if not live:
            ddl.create(connection, commented=False)  # a compaction creates another file
        connection.execute("DELETE FROM _meta WHERE name = ?", [meta.WORK])
        meta.write(connection, {meta.BASE: _name(live)})


def _publish(folder: Path, finished: Path, base: Generation | None) -> None:
    """Publish a finished file, or its log alone as a tail of the generation `base`."""
    if base and tails.publish(folder, finished, base):
        return
    if base:  # the file system has no links
        with open_to_write(finished) as connection:
            write_log(connection)
    tails.leave_spare(folder, generations.publish(folder, finished))


def _leftover(folder: Path, live: Generation | None, goes_on: GoesOn) -> Path | None:
    """Return a working file of a stopped importer that has begun the work to do now, or None."""
    for path in generations.working_files(folder):
        with suppress(duckdb.Error, StoreError), open_to_write(path) as connection:
            meta.require_schema(connection, path)
            facts = meta.read(connection)
            if facts.get(meta.BASE) == _name(live) and meta.WORK in facts and goes_on(connection):
                return path
    return None


def _name(live: Generation | None) -> str:
    return live.path.name if live else ""


_DERIVED = (*materialise.TABLES, stored_ratings.TABLE)
"""Tables that are written anew at the end of a build."""


def _compact(folder: Path, build: Build) -> Path:
    """Write everything, in order, to a new file; return it."""
    file = generations.compaction_file(folder)
    with compaction.compact(build.connection, file, _DERIVED) as copy, transaction(copy):
        materialise.materialise_annotations(copy, folder)
        _sum_up_games(copy, build)
    return file


def _complete(folder: Path, build: Build, working: Path) -> Path:
    """Write everything to the working file or its log, after the sorted rows; return it."""
    connection = build.connection
    with transaction(connection), stored_ratings.reading_early(connection) as early:
        if not build.before:
            ddl.comment(connection)
        staging.flush(connection)
        materialise.materialise_annotations(connection, folder)
        opening_nodes.refresh(connection)
        _sum_up_games(connection, build, early)
    return working


def _sum_up_games(connection: duckdb.DuckDBPyConnection, build: Build, early: Early | None = None) -> None:
    """Bring ratings and courses up to date, and name the generation."""
    stored_ratings.refresh(connection, early)
    game_courses.fill(connection)
    created = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
    meta.write(connection, {"generation": build.before + 1, "created": created})
