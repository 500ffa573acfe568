"""Analyse stored games: search those that lack an analysis, on all cores or a cluster, and publish what was found.

The search holds no lock. Results are published every few minutes and at the end, each time as the next generation (or snapshot), so an
analysis that is stopped loses minutes at most, and the next one continues. Imports meanwhile are no obstacle: results about games that are
gone by then are dropped, and new games are searched by the next analysis.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pyarrow as pa

from zertz_db.ingest.worker_pool import count_cores
from zertz_db.maintain.analysis.game_search import Findings, Limits, Row
from zertz_db.maintain.analysis.game_states import GAME_COLUMNS, GameStates, StoredGame, read_game_states
from zertz_db.maintain.analysis.search_processes import open_search
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.sql_params import execute
from zertz_db.store.backend import change_database
from zertz_db.store.errors import LockHeld
from zertz_db.store.folder.build import Build
from zertz_db.store.folder.lock import NO_WAIT, Wait
from zertz_db.store.loading import staging
from zertz_db.store.loading.bulk_load import load
from zertz_db.store.open_database import open_database
from zertz_db.store.schema.table_columns import arrow_schema
from zertz_db.tactics.limits import check_limits
from zertz_db.tactics.search_kernel import SOLVER_VERSION

PUBLISH_SECONDS = 240.0
"""Seconds of search between two publications, each of which copies the database."""
_READ_AT_ONCE = 4_000
"""Games to read at once: 20 MB of positions."""
_SEARCH_AT_ONCE = 32
"""Maximum number of games of a batch: some seconds of search with the default limits."""

ProgressCallback = Callable[[int, int], None]
"""A function that is called with the numbers of games that are done, and of all games to search."""


@dataclass(slots=True)
class AnalysisTally:
    """Counts of an analysis.

    games: games searched. known: games of the filter that had an analysis. skipped: numbers of games by the reason why they were not
    searched. wins: plies with a forced win of 3 plies or more; missed: of these, those that let it go. blunders: proven ones.
    puzzles: games with a puzzle. published: games whose results are in the database.
    """

    games: int = 0
    known: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    wins: int = 0
    missed: int = 0
    blunders: int = 0
    puzzles: int = 0
    published: int = 0

    def add(self, found: Findings) -> None:
        """Count findings."""
        reasons = [row["skipped"] for row in found.analyses if row.get("skipped")]
        self.skipped.update(reasons)
        self.games += len(found.analyses) - len(reasons)
        self.wins += sum((row["forced"] or 0) >= SHORTEST_CHANCE for row in found.tactics)
        self.missed += sum(row["missed"] for row in found.tactics)
        self.blunders += sum(row["blunder"] is not None for row in found.tactics)
        self.puzzles += len(found.puzzles)


SHORTEST_CHANCE = 3
"""Plies of the shortest forced win that can be missed: a win in one ply is the end of a combination."""


def analyse_games(
    folder: str | Path,
    filters: str = "",
    limits: Limits | None = None,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    tick: ProgressCallback = lambda _done, _all: None,
    wait: Wait = NO_WAIT,
) -> AnalysisTally:
    """Search the games that pass the filter for forced wins, and store what was found. Return the counts.

    A game is searched if it has no analysis by today's solver with at least these limits. jobs: number of processes (None: one for each
    core). cluster: the address of a Dask cluster instead. wait: how long the last publication waits for another importer. Raise NoDatabase,
    QueryError, SearchError for limits out of range, LockHeld, WorkerDied or ClusterUnavailable.
    """
    limits = limits or Limits()
    check_limits(*limits)
    tally = AnalysisTally()
    games = _list_games(folder, filters, limits, tally)
    if not games:
        return tally
    found = _Unpublished(Path(folder), tally)
    try:
        with open_search(limits, jobs or count_cores(), cluster) as search:
            for findings in search(_read_games(folder, games)):
                found.add(findings)
                tick(tally.games + tally.skipped.total(), len(games))
    finally:  # also what was found before an error or Ctrl-C
        found.publish(wait)
    return tally


def _list_games(folder: str | Path, filters: str, limits: Limits, tally: AnalysisTally) -> list[StoredGame]:
    """Return the games to search; count the others."""
    where, values = condition(filters)
    with open_database(folder) as database:
        connection = database.connection()
        games = execute(
            connection, f"SELECT {GAME_COLUMNS} FROM _game WHERE ({where}) AND id NOT IN ({_DONE}) ORDER BY id",
            [*values, SOLVER_VERSION, *limits],
        ).fetchall()  # fmt: skip
        every = execute(connection, f"SELECT count(*) FROM _game WHERE {where}", values).fetchall()[0][0]
    tally.known = every - len(games)
    return [StoredGame(*row) for row in games]


_DONE = "SELECT game FROM _analysis WHERE solver = ? AND (skipped IS NOT NULL OR depth >= ? AND nodes >= ?)"


def _read_games(folder: str | Path, games: Sequence[StoredGame]) -> Iterator[GameStates]:
    with open_database(folder) as database:
        for at in range(0, len(games), _READ_AT_ONCE):
            yield from read_game_states(database.connection(), games[at : at + _READ_AT_ONCE], _SEARCH_AT_ONCE)


class _Unpublished:
    """Findings that wait to be published."""

    def __init__(self, folder: Path, tally: AnalysisTally) -> None:
        self._folder = folder
        self._tally = tally
        self._found = Findings([], [], [])
        self._due = time.monotonic() + PUBLISH_SECONDS

    def add(self, found: Findings) -> None:
        """Add findings; publish all if that is due and no other process is changing the database."""
        self._tally.add(found)
        for waiting, rows in zip(self._found, found, strict=True):
            waiting.extend(rows)
        if time.monotonic() >= self._due:
            try:
                self.publish(NO_WAIT)
            except LockHeld:
                self._due = time.monotonic() + PUBLISH_SECONDS

    def publish(self, wait: Wait) -> None:
        """Publish all findings. Raise LockHeld."""
        if self._found.analyses:
            self._tally.published += change_database(self._folder, self._store, wait)
        self._found = Findings([], [], [])
        self._due = time.monotonic() + PUBLISH_SECONDS

    def _store(self, build: Build) -> int:
        return store_findings(build.connection, self._found)


def store_findings(connection: duckdb.DuckDBPyConnection, found: Findings) -> int:
    """Replace the analyses of games by these, in a database under construction; return the number of games that still exist."""
    games = [row["game"] for row in found.analyses]
    query = "SELECT id FROM _game WHERE id IN (SELECT unnest(?))"
    there = {game for (game,) in connection.execute(query, [games]).fetchall()}
    for table, rows in zip(staging.DERIVED, found, strict=True):
        connection.execute(f"DELETE FROM _{table} WHERE game IN (SELECT unnest(?))", [games])
        load(connection, table, _to_table(table, [row for row in rows if row["game"] in there]))
    return len(there)


def _to_table(name: str, rows: list[Row]) -> pa.Table:
    ordered = sorted(rows, key=lambda row: (row["game"], row.get("ply", 0)))
    return pa.Table.from_pylist(ordered, schema=arrow_schema(name))
