"""Import batches into a database under construction: a folder's next generation, or a lake's next snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext

import duckdb
import pyarrow as pa

from zertz_db.ingest.importer import Importer
from zertz_db.ingest.records.batch import ImportBatch
from zertz_db.ingest.records.known_ids import KnownIds
from zertz_db.ingest.redaction.redact_batches import NO_REDACTIONS, RedactedNames
from zertz_db.ingest.sources.place import ReadRequest
from zertz_db.store.folder.build import Build
from zertz_db.store.lake.transaction import LakeBuild, sort_by
from zertz_db.store.loading import staging
from zertz_db.store.loading.packed_batches import Packed, unpack
from zertz_db.store.schema.table_columns import order_of


@contextmanager
def open_importer(build: Build, request: ReadRequest, redacted: RedactedNames = NO_REDACTIONS) -> Iterator[Importer]:
    """Yield an importer into a build; at the end of the block its rows are written."""
    importer = _IMPORTERS[type(build)](build.connection, request, redacted=redacted)
    yield importer
    importer.write()


class LakeImporter(Importer):
    """An import in one transaction. Its rows are staged in temporary tables, then each table goes to one sorted Parquet file."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, request: ReadRequest, *, redacted: RedactedNames) -> None:
        super().__init__(connection, request, redacted=redacted)
        self.known_ids = KnownIds(connection, is_used=False)  # a lake may have too many ids to read all of them
        for table in staging.TABLES:
            connection.execute(f"CREATE OR REPLACE TEMP TABLE staged_{table} AS FROM _{table} LIMIT 0")

    def write(self) -> None:
        """Write the staged rows."""
        [(positions,)] = self.connection.execute("SELECT count(*) FROM staged_position").fetchall()
        if positions:
            sort_by(self.connection, "position", positions)
        for table in staging.TABLES:
            order = "" if table == "position" else f"ORDER BY {order_of(table)}"  # DuckLake sorts positions itself
            self.connection.execute(f"""
                INSERT INTO _{table} BY NAME FROM staged_{table} {order};
                DROP TABLE staged_{table};
            """)

    def _transaction(self) -> AbstractContextManager[None]:
        return nullcontext()

    def _stage(self, **rows: pa.Table | Packed) -> None:
        for table, table_rows in rows.items():
            self.connection.register("rows_to_stage", unpack(table_rows))
            self.connection.execute(f"INSERT INTO staged_{table} BY NAME FROM rows_to_stage")
            self.connection.unregister("rows_to_stage")

    def _make_room(self, batch: ImportBatch) -> None:
        """Do nothing: a lake's memory has the limit of DuckDB."""

    def _withdraw(self, games: list[int]) -> None:
        for table in ("staged_position", "_position", *(f"_{table}" for table in staging.DERIVED)):
            self.connection.execute(f"DELETE FROM {table} WHERE game IN (SELECT unnest(?))", [games])


_IMPORTERS: Mapping[type[Build], type[Importer]] = {Build: Importer, LakeBuild: LakeImporter}
