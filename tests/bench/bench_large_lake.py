"""Look-ups in a lake with as many position files as hundreds of millions of games have: python -m tests.bench.bench_large_lake --help.

The files are simulated. The catalog lists each real file many times, under numbers of its own. Either every copy has other keys by its
statistics, as if all positions were sorted in one go: then a look-up opens one file. Or every copy has the keys of its original, as if it
came from an import of its own: then a look-up opens each.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

import duckdb

from tests.bench.bench_cluster import LOOK_UPS, find, merged, some_keys
from tests.bench.material import made_up
from tests.bench.timing import Timing, heading, measure, row
from zertz_db.ingest.import_paths import import_paths
from zertz_db.store.lake.database import Lake
from zertz_db.store.open_database import open_database

COPIES = (1, 10, 100)
_BEYOND = 2**63 - 1
"""A key that no position has."""


def copy_files(catalog: Path, copies: int, *, are_sorted: bool) -> int:
    """List the position files of a catalog `copies` times; return their number. are_sorted: copies have other keys than their originals."""
    with duckdb.connect(str(catalog)) as connection:
        (table,) = connection.execute(_TABLE).fetchone() or (0,)
        (last,) = connection.execute("SELECT max(data_file_id) FROM ducklake_data_file").fetchone() or (0,)
        for name, filed in (
            ("ducklake_data_file", ""),
            ("ducklake_file_column_stats", _OTHER_KEYS if are_sorted else ""),
        ):
            connection.execute(
                f"""
                INSERT INTO {name}
                SELECT * REPLACE (data_file_id + copy * {last} AS data_file_id {filed})
                FROM {name}, (SELECT unnest(range(1, {copies})) AS copy) WHERE table_id = {table}
            """.replace("SELECT * REPLACE", "SELECT * EXCLUDE (copy) REPLACE")
            )
        counted = connection.execute("SELECT count(*) FROM ducklake_data_file WHERE table_id = ?", [table]).fetchone()
    return int(counted[0]) if counted else 0


_TABLE = "SELECT table_id FROM ducklake_table WHERE table_name = '_position' AND end_snapshot IS NULL"
_OTHER_KEYS = f"""
    , if(column_id = 1, '{_BEYOND}', min_value) AS min_value, if(column_id = 1, '{_BEYOND}', max_value) AS max_value
"""
"""The first column of positions is the key."""


def look_up(lake: Path, keys: list[int]) -> tuple[Timing, int]:
    """Measure a look-up of a position by its key; return the number of positions found for all keys too."""
    with Lake(Path(f"ducklake:{lake}")) as there:
        connection = there.connection()
        query = "SELECT count(*) FROM _position WHERE key IN (SELECT unnest(?))"
        (found,) = connection.execute(query, [keys]).fetchone() or (0,)
        whole = measure(lambda: find(connection, keys))
    return Timing(whole.median / len(keys), whole.spread / len(keys)), int(found)


def bench(folder: Path, catalog: Path, work: Path) -> None:
    """Measure look-ups in copies of a catalog. folder: the database that was copied into it."""
    with open_database(folder) as database:
        keys = some_keys(database)
        count = database.connection().execute("SELECT count(*) FROM _position").fetchall()[0][0]
    heading("large lakes", f"{count:,} positions in a lake, files simulated, {LOOK_UPS} look-ups")
    for are_sorted in (True, False):
        originals = 0
        for copies in COPIES:
            own = work / f"{copies}{'s' if are_sorted else ''}.ducklake"
            shutil.copyfile(catalog, own)
            files = copy_files(own, copies, are_sorted=are_sorted)
            what = "all sorted in one go" if are_sorted else "merged import by import"
            timing, found = look_up(own, keys)
            originals = originals or found
            assert found == originals * (1 if are_sorted else copies)
            row(f"s a position of {copies * count:,}, {files:,} files, {what}", timing)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000, help="games, if no lake is given")
    parser.add_argument("--folder", type=Path, help="a database that a lake has all positions of")
    parser.add_argument("--lake", type=Path, help="the catalog of that lake, a file, without a data path of its own")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        folder, catalog = wanted.folder, wanted.lake
        if not (folder and catalog):
            folder, catalog = work / "games.zertz", work / "whole.ducklake"
            import_paths(made_up(work / "games", wanted.count), folder)
            merged([folder], Path(f"ducklake:{catalog}"))
        bench(folder, catalog, work)


if __name__ == "__main__":
    main()
