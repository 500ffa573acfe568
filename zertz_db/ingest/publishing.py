"""Into a lake: what files or databases hold is made a database of its own first, and then put in, in one transaction.

So nothing but that transaction has to be done anew when another machine was faster, and readers see all of an import or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import duckdb
import pyarrow as pa

from zertz_db.ingest.balance import Balance, Watch
from zertz_db.ingest.importer import Importer, import_files
from zertz_db.ingest.known import READER_VERSION, Sources, add_known
from zertz_db.ingest.merging import Merged, Tick, copy, require_todays_readers
from zertz_db.ingest.sources import Files, SourceError, printable
from zertz_db.store import folding, lake_changing, nodes, staging
from zertz_db.store.errors import NoDatabase
from zertz_db.store.opening import Database, open_database
from zertz_db.store.schema import order_in_lake


class LakeImporter(Importer):
    """An import within one transaction. Plies and positions wait in temporary tables, and go to one sorted Parquet file each."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, asked: list[str]) -> None:
        super().__init__(connection, asked)
        for table in staging.TABLES:
            connection.execute(f"CREATE OR REPLACE TEMP TABLE waiting_{table} AS FROM _{table} LIMIT 0")

    def complete(self, folder: Path) -> None:
        """Write what waits; let players and the sums over positions follow."""
        for table in staging.TABLES:
            self.connection.execute(f"""
                INSERT INTO _{table} BY NAME FROM waiting_{table} ORDER BY {order_in_lake(table)};
                DROP TABLE waiting_{table};
            """)
        folding.fold(self.connection, folder)
        nodes.refresh(self.connection)

    def _transaction(self) -> AbstractContextManager[None]:
        return nullcontext()

    def _stage(self, plies: pa.Table, positions: pa.Table) -> None:
        for table, rows in zip(staging.TABLES, (plies, positions), strict=True):
            self.connection.register("rows_to_wait", rows)
            self.connection.execute(f"INSERT INTO waiting_{table} BY NAME FROM rows_to_wait")
            self.connection.unregister("rows_to_wait")

    def _withdraw(self, games: list[int]) -> None:
        for table in staging.TABLES:
            for holder in (f"_{table}", f"waiting_{table}"):
                self.connection.execute(f"DELETE FROM {holder} WHERE game IN (SELECT unnest(?))", [games])


def import_into(
    files: Files, sources: Sources, asked: list[str], folder: Path, watch: Watch, cluster: str | None = None
) -> Balance:
    """Import files into a lake (see `importing.import_paths`), which is made if it is not there."""
    known = _known(folder, [*sources.values()])
    fresh = [(path, named) for path, named in files if sources[path] not in known]
    balance = _import_fresh(fresh, sources, asked, folder, watch, cluster) if fresh else Balance()
    if known:
        with open_database(folder) as database:
            add_known(database.connection(), balance, known)
    if not balance.read:
        raise SourceError(f"no records found in {', '.join(map(printable, asked))}")
    return balance


def _import_fresh(
    fresh: Files, sources: Sources, asked: list[str], folder: Path, watch: Watch, cluster: str | None
) -> Balance:
    with TemporaryDirectory(prefix="zertz-") as work:
        beside = Path(work) / "games.zertz"
        try:
            passed = import_files(fresh, sources, asked, beside, watch, cluster=cluster).passed
        except SourceError:  # there are no records in them
            return Balance()
        with open_database(beside) as database:
            balance = publish(database, folder, asked).balance
    balance.passed = passed
    return balance


def _known(folder: Path, sources: list[int]) -> set[int]:
    try:
        with open_database(folder) as database:
            return _sources(database.connection(), sources)
    except NoDatabase:
        return set()


def _sources(connection: duckdb.DuckDBPyConnection, among: list[int]) -> set[int]:
    query = "SELECT id FROM _source WHERE reader_version = ? AND id IN (SELECT unnest(?))"
    return {number for (number,) in connection.execute(query, [READER_VERSION, among]).fetchall()}


def merge_into(folders: Sequence[str | Path], into: Path, tick: Tick = lambda _: None) -> list[Merged]:
    """`merging.merge` into a lake: each of the databases is an import there, in a transaction of its own."""
    merged = []
    for folder in folders:
        with open_database(folder) as database:
            merged.append(publish(database, into, [f"database {folder}"], tick).merged)
    return merged


class Published(NamedTuple):
    """What a database brought to a lake, by itself and as the balance of an import."""

    merged: Merged
    balance: Balance


def publish(database: Database, folder: Path, what: list[str], tick: Tick = lambda _: None) -> Published:
    """Put everything that a database holds into a lake, in one transaction, as an import of `what`.

    What another import has brought meanwhile counts as known. OldReaders if the database, or the lake, was read by others than today's.
    """
    require_todays_readers(database, database.folder)
    own = [number for (number,) in database.connection().execute("SELECT id FROM _source").fetchall()]

    def change(connection: duckdb.DuckDBPyConnection) -> Published:
        known = _sources(connection, own)
        importer = LakeImporter(connection, what)
        merged = copy(database, importer, tick=tick)
        importer.complete(folder)
        if known:
            add_known(connection, importer.balance, known)
        return Published(merged, importer.balance)

    published = lake_changing.changed(folder, change)
    lake_changing.tidy(folder)
    return published
