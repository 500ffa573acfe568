"""Reading a lake as one reads a folder: its snapshots are the generations."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path

import duckdb

from zertz_db.store import lake, lake_words, meta
from zertz_db.store.errors import StoreError
from zertz_db.store.generations import Generation
from zertz_db.store.literals import literal
from zertz_db.store.opening import Database, beside


class Lake(Database):
    """A lake open for reading. Each connection stays on its snapshot; `generation` has its number."""

    def __init__(self, folder: Path) -> None:
        """Open the latest snapshot."""
        self._latest = lake.connect(folder)
        words = tempfile.mkdtemp(prefix="zertz-words-")
        self._end_of_words = weakref.finalize(self, shutil.rmtree, words, ignore_errors=True)
        super().__init__(folder, Path(words))

    def _live(self) -> Generation:
        number = lake.latest(self._latest)
        return Generation(number, Path(f"snapshot_{number:06}"))

    def _open_live(self) -> tuple[Generation, duckdb.DuckDBPyConnection]:
        generation = self._live()
        connection = lake.connect(self.folder, generation.number, name=generation.path.stem)
        try:
            if not lake.is_made(connection):
                raise lake.no_lake(self.folder)
            meta.require_schema(connection, self.folder)
            lake_words.unpack(connection, self.words)
        except BaseException:
            connection.close()
            raise
        return generation, connection

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        return beside(self._connection)

    @property
    def location(self) -> str:
        """What DuckDB attaches, without what it needs to know beyond the catalog's kind and where the Parquet files lie."""
        return self._data_path()

    def size(self) -> int:
        """Bytes of the Parquet files that its latest snapshot reads."""
        return sum(self.sizes().values())

    def sizes(self) -> dict[str, int]:
        """The same by table, as schema pages name them."""
        query = "SELECT table_name[2:], file_size_bytes + delete_file_size_bytes FROM ducklake_table_info('lake')"
        return dict(self._latest.execute(query).fetchall())

    def confined(self, catalog: str) -> list[str]:
        """Statements as for a folder; the Parquet files stay readable, which are read as there is need."""
        return [
            *lake.loading(self.folder),
            lake.attaching(self.folder, catalog, self.generation.number),
            f"SET allowed_directories = [{literal(self._data_path())}]",
            "SET enable_external_access = false",
        ]

    def copy_to(self, file: Path) -> None:
        """A lake is no file, and mostly too large to be one."""
        raise StoreError(
            f"A lake is not copied to one file ({file}): export the games that you need, or merge it into a folder"
        )

    def close(self) -> None:
        """Close it, and the connections that were handed out."""
        self._latest.close()
        self._end_of_words()
        super().close()

    def _data_path(self) -> str:
        found = self._latest.execute("SELECT value FROM ducklake_options('lake') WHERE option_name = 'data_path'")
        return str(found.fetchall()[0][0])
