"""Taking lots into a database that is being built, whatever it is: a folder's next generation, or a lake's next snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import duckdb
import pyarrow as pa

from zertz_db.ingest.importer import Importer
from zertz_db.ingest.redaction.redact_batches import NO_REDACTIONS, RedactedNames
from zertz_db.ingest.sources.place import ReadRequest
from zertz_db.store.folder.build import Build
from zertz_db.store.loading import staging
from zertz_db.store.loading.packed_batches import Packed, unpack
from zertz_db.store.schema.ddl import order_in_lake


@contextmanager
def open_importer(build: Build, asked: ReadRequest, withheld: RedactedNames = NO_REDACTIONS) -> Iterator[Importer]:
    """An importer into what is being built; what it took is there at the end of the block."""
    if not build.is_lake:
        yield Importer(build.connection, asked, withheld=withheld)
        return
    importer = LakeImporter(build.connection, asked, withheld=withheld)
    yield importer
    importer.write()


class LakeImporter(Importer):
    """An import within one transaction. What it brings waits in temporary tables, and goes to one sorted Parquet file each."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, asked: ReadRequest, *, withheld: RedactedNames) -> None:
        super().__init__(connection, asked, withheld=withheld)
        for table in staging.TABLES:
            connection.execute(f"CREATE OR REPLACE TEMP TABLE waiting_{table} AS FROM _{table} LIMIT 0")

    def write(self) -> None:
        """Write what waits."""
        for table in staging.TABLES:
            self.connection.execute(f"""
                INSERT INTO _{table} BY NAME FROM waiting_{table} ORDER BY {order_in_lake(table)};
                DROP TABLE waiting_{table};
            """)

    def _transaction(self) -> AbstractContextManager[None]:
        return nullcontext()

    def _stage(self, **rows: pa.Table | Packed) -> None:
        for table, brought in rows.items():
            self.connection.register("rows_to_wait", unpack(brought))
            self.connection.execute(f"INSERT INTO waiting_{table} BY NAME FROM rows_to_wait")
            self.connection.unregister("rows_to_wait")

    def _withdraw(self, games: list[int]) -> None:
        for table in staging.OF_GAMES:
            for holder in (f"_{table}", f"waiting_{table}"):
                self.connection.execute(f"DELETE FROM {holder} WHERE game IN (SELECT unnest(?))", [games])
