"""Reading a lake as one reads a folder: its snapshots are the generations."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

import duckdb

from zertz_db.store.errors import StoreError
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.generations import Generation
from zertz_db.store.lake import annotation_table
from zertz_db.store.lake import catalog as lake
from zertz_db.store.sql_literals import literal


class Lake(Database):
    """A lake open for reading. Each connection stays on its snapshot; `generation` has its number."""

    def __init__(self, folder: Path) -> None:
        """Open the latest snapshot."""
        words = tempfile.mkdtemp(prefix="zertz-words-")
        self._end_of_words = weakref.finalize(self, shutil.rmtree, words, ignore_errors=True)
        super().__init__(folder, Path(words))

    def _live(self) -> Generation:
        catalog = f"__ducklake_metadata_{self.generation.path.stem}"
        query = f"SELECT max(snapshot_id) FROM {catalog}.ducklake_snapshot"
        return _generation(int(self._connection.execute(query).fetchall()[0][0]))

    def _open_live(self) -> tuple[Generation, duckdb.DuckDBPyConnection]:
        number, connection = lake.connect_to_latest(self.folder)
        try:
            if not lake.is_made(connection):
                raise lake.no_lake(self.folder)
            lake.require_schema(connection, self.folder)
            annotation_table.unpack(connection, self.annotations_dir)
        except BaseException:
            connection.close()
            raise
        return _generation(number), connection

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        own = self._connection.cursor()
        own.execute(f"USE {self.generation.path.stem}")
        return own

    @property
    def location(self) -> str:
        """Where its Parquet files lie."""
        return self._data_path()

    @property
    def title(self) -> str:
        """What an import from it is called: others will read that, so how its catalog is reached is not told."""
        return f"lake {self.location}"

    def size(self) -> int:
        """Bytes of the Parquet files that its snapshot reads."""
        return sum(self.sizes().values())

    def sizes(self) -> dict[str, int]:
        """The same by table, as schema pages name them."""
        sizes = "table_name[2:], file_size_bytes + delete_file_size_bytes"
        return dict(self._told(f"SELECT {sizes} FROM ducklake_table_info(current_database())"))

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
            f"A lake is not copied to one file ({file}). Have the games that you need in a folder, and copy that: "
            "zertz export FILTER --to-db FOLDER, or all of them: zertz merge LAKE --into FOLDER"
        )

    def close(self) -> None:
        """Close it, and the connections that were handed out."""
        self._end_of_words()
        super().close()

    def _data_path(self) -> str:
        options = "ducklake_options(current_database())"
        return str(self._told(f"SELECT value FROM {options} WHERE option_name = 'data_path'")[0][0])

    def _told(self, query: str) -> list[tuple[Any, ...]]:
        with self.connection() as own:
            return own.execute(query).fetchall()


def _generation(number: int) -> Generation:
    return Generation(number, Path(lake.named(number)))
