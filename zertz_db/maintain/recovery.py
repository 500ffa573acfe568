"""Recover a database whose live generation is lost or damaged: find the newest undamaged generation, and adopt it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import duckdb

from zertz_db.maintain.damage import find_block_damage, find_unreadable_tables, read_first_line
from zertz_db.maintain.integrity_checks import find_problems
from zertz_db.store.address import require_folder
from zertz_db.store.annotations import noted_tombstones, people_file
from zertz_db.store.errors import UnreadableDatabase
from zertz_db.store.folder import generations
from zertz_db.store.folder.database import open_generation, require_live
from zertz_db.store.folder.generations import Generation
from zertz_db.store.folder.lock import NO_WAIT, Wait, annotations_lock, importers_lock
from zertz_db.store.folder.migrations import STEPS
from zertz_db.store.schema import meta

Value = TypeVar("Value")


class GenerationState(NamedTuple):
    """A generation, as far as it can be read.

    damage: why parts can't be read. faults: its inconsistencies. created: UTC, as text. imports: their numbers. Unreadable values are "",
    None or empty.
    """

    generation: Generation
    damage: tuple[str, ...]
    faults: tuple[str, ...] = ()
    created: str = ""
    games: int | None = None
    records: int | None = None
    imports: tuple[int, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Return whether all of it can be read and is consistent."""
        return not self.damage and not self.faults


class RecoveryPlan(NamedTuple):
    """A plan to recover a database.

    cause: why its live generation can't be read. target: the newest undamaged generation, or None. rejected: newer generations, which are
    damaged.
    """

    cause: str
    target: GenerationState | None
    rejected: tuple[GenerationState, ...]

    @property
    def lost_imports(self) -> list[int]:
        """Return the numbers of imports in newer generations that the target lacks, as far as they can be read."""
        target = self.target.imports if self.target else ()
        return sorted({run for state in self.rejected for run in state.imports}.difference(target))


def plan_recovery(folder: str | Path) -> RecoveryPlan | None:
    """Return a plan to recover a database, or None if all of its live generation can be read. Change nothing.

    Raise NoDatabase, NotInLakes, and the errors of `inspect_generation`.
    """
    folder = require_folder(folder)
    try:
        generation = require_live(folder)
    except UnreadableDatabase as error:
        return _build_plan(folder, error.cause, None)
    live = inspect_generation(generation)
    return _build_plan(folder, "; ".join(live.damage), live) if live.damage else None


def recover_database(folder: str | Path, wait: Wait = NO_WAIT) -> tuple[RecoveryPlan, list[Path]] | None:
    """Adopt the newest undamaged generation if the live one can't be read; return the plan and the new names of files set aside.

    Delete nothing. Return None if nothing needs repair. Raise UnreadableDatabase if no generation is undamaged, LockHeld, and the errors of
    `plan_recovery`.
    """
    folder = Path(folder)
    if plan_recovery(folder) is None:
        return None
    with importers_lock(folder, wait):
        plan = plan_recovery(folder)  # again: another process may have repaired it
        if plan is None:
            return None
        if plan.target is None:
            raise UnreadableDatabase(
                f"{plan.cause.rstrip('.')}. No state in {folder} is undamaged, so nothing was changed.",
                "Restore a backup, or import the records into a new folder.",
            )
        return plan, generations.adopt(folder, plan.target.generation)


def restore_tombstones(folder: str | Path) -> int:
    """Append the redacted names that the database has noted, and `people.jsonl` lacks, to that file; return their number.

    Raise UnreadableDatabase if the file has damaged lines; NoDatabase; NotInLakes, because a lake restores its own.
    """
    folder = require_folder(folder)
    with open_generation(require_live(folder)) as connection:
        noted = noted_tombstones.read(connection)
    with annotations_lock(folder):
        missing = noted_tombstones.find_missing(noted, folder)
        people_file.adopt(folder, missing)
    return len(missing)


def inspect_generation(generation: Generation) -> GenerationState:
    """Read all of a generation, and check its integrity.

    Raise SchemaMismatch for a version that this one can't read, UnreadableDatabase for a file that another program writes to.
    """
    blocks = find_block_damage(generation)
    if blocks and not blocks.is_readable:
        return GenerationState(generation, (blocks.message,))
    try:
        connection = open_generation(generation)
    except UnreadableDatabase as error:
        if "set lock" in str(error):
            raise
        return GenerationState(generation, (read_first_line(error.cause),))
    with connection:
        try:
            version = _version(connection, generation.path)
        except (UnreadableDatabase, duckdb.Error) as error:
            return GenerationState(generation, (read_first_line(error),))
        damage = tuple(find_unreadable_tables(connection)) or ((blocks.message,) if blocks else ())
        return GenerationState(
            generation,
            damage,
            _faults(connection) if not damage and version == meta.SCHEMA_VERSION else (),
            _try_read(lambda: meta.read(connection).get("created", ""), ""),
            _try_read(lambda: int(_fetch_all(connection, "SELECT count(*) FROM _game")[0][0]), None),
            _try_read(lambda: int(_fetch_all(connection, "SELECT count(*) FROM _record")[0][0]), None),
            _try_read(
                lambda: tuple(run for (run,) in _fetch_all(connection, "SELECT run FROM _import ORDER BY run")), ()
            ),
        )


def _build_plan(folder: Path, cause: str, live: GenerationState | None) -> RecoveryPlan:
    rejected = [] if live is None else [live]
    published = generations.list_generations(folder)
    if live:  # later ones were never published
        published = [one for one in published if one.number < live.generation.number]
    for generation in (*generations.list_spares(folder), *reversed(published)):
        state = inspect_generation(generation)
        if state.is_whole:
            return RecoveryPlan(cause, state, tuple(rejected))
        rejected.append(state)
    return RecoveryPlan(cause, None, tuple(rejected))


def _version(connection: duckdb.DuckDBPyConnection, path: Path) -> int:
    version = meta.schema_version(connection, path)
    if version > meta.SCHEMA_VERSION or not {*range(version, meta.SCHEMA_VERSION)} <= STEPS.keys():
        meta.require_schema(connection, path)
    return version


def _faults(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    try:
        return tuple(problem.kind for problem in find_problems(connection))
    except duckdb.Error as error:
        return (read_first_line(error),)


def _try_read(read: Callable[[], Value], default: Value) -> Value:
    with suppress(duckdb.Error):
        return read()
    return default


def _fetch_all(connection: duckdb.DuckDBPyConnection, query: str) -> list[tuple[Any, ...]]:
    return connection.execute(query).fetchall()
