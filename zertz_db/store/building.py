"""Building a database's next generation: all of it, or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from zertz_db.store import generations, meta, nodes, schema, settling
from zertz_db.store.lock import importers_lock


@dataclass
class Build:
    """A generation under construction.

    connection: writable; seen by nobody else.
    before: the number of the generation it starts from, 0 for a new database.
    """

    connection: duckdb.DuckDBPyConnection
    before: int
    discarded: bool = False

    def discard(self) -> None:
        """Nothing has changed after all: keep the generation that is live."""
        self.discarded = True


@contextmanager
def next_generation(folder: Path | str) -> Iterator[Build]:
    """Change a database, or make a new one: `with next_generation(folder) as build: load(build.connection, …)`.

    At the end the nodes are built anew, positions are settled if that is due, and the new generation is published at
    once. If anything fails, or the process dies, the database stays as it was. LockHeld if another process is at it.
    """
    folder = Path(folder)
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with importers_lock(folder):
            generations.sweep(folder)
            try:
                yield from _build(folder)
            finally:
                generations.sweep(folder)
    finally:
        if is_new:
            with suppress(OSError):  # it holds a database now
                folder.rmdir()


def _build(folder: Path) -> Iterator[Build]:
    live = generations.live(folder)
    if live and not live.path.exists():
        raise generations.missing(live)
    working = generations.working_file(folder)
    if live:
        shutil.copyfile(live.path, working)
    with duckdb.connect(working) as connection:
        if live:
            meta.require_schema(connection, live.path)
        else:
            schema.create(connection)
        build = Build(connection, live.number if live else 0)
        yield build
        if build.discarded:
            return
        nodes.refresh(connection)
        meta.write(connection, {"generation": build.before + 1, "created": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"})
        connection.execute("CHECKPOINT")
        is_due = settling.is_due(connection)
    if is_due:
        unsettled, working = working, generations.working_file(folder)
        settling.settle(unsettled, working)
    generations.publish(folder, working)
