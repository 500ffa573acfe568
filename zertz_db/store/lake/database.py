"""Read a lake like a folder: its snapshots are the generations."""

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
        annotations = tempfile.mkdtemp(prefix="zertz-annotations-")
        self._remove_annotations = weakref.finalize(self, shutil.rmtree, annotations, ignore_errors=True)
        super().__init__(folder, Path(annotations))

    def is_current(self) -> bool:
        """Return False: only the catalog, which may be another machine's, knows the latest snapshot."""
        return False

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
        """Return the location of its Parquet files."""
        return self._data_path()

    @property
    def title(self) -> str:
        """Return the name of an import from it, without the catalog's address, because others will read it."""
        return f"lake {self.location}"

    def size(self) -> int:
        """Return the size in bytes of the Parquet files that its snapshot reads."""
        return sum(self.sizes().values())

    def sizes(self) -> dict[str, int]:
        """Return the size in bytes of each table, by its name in `tables`."""
        sizes = "table_name[2:], file_size_bytes + delete_file_size_bytes"
        return dict(self._query(f"SELECT {sizes} FROM ducklake_table_info(current_database())"))

    def confined(self, catalog: str) -> list[str]:
        """Return statements that attach it and deny access to everything except its Parquet files, which are read on demand."""
        return [
            *lake.loading(self.folder),
            lake.attaching(self.folder, catalog, self.generation.number),
            f"SET allowed_directories = [{literal(self._data_path())}]",
            "SET enable_external_access = false",
        ]

    def copy_to(self, file: Path) -> None:
        """Raise StoreError: a lake is not a file, and mostly too large to be one."""
        raise StoreError(
            f"A lake can't be copied to one file ({file}). Write the games that you need to a folder, and copy that: "
            "zertz export FILTER --to-db FOLDER, or all of them: zertz merge LAKE --into FOLDER"
        )

    def close(self) -> None:
        """Close it, and all of its connections."""
        self._remove_annotations()
        super().close()

    def _data_path(self) -> str:
        options = "ducklake_options(current_database())"
        return str(self._query(f"SELECT value FROM {options} WHERE option_name = 'data_path'")[0][0])

    def _query(self, query: str) -> list[tuple[Any, ...]]:
        with self.connection() as own:
            return own.execute(query).fetchall()


def _generation(number: int) -> Generation:
    return Generation(number, Path(lake.named(number)))
