"""Find damaged blocks and unreadable tables of a generation.

Blocks are compared with their checksums first. If some differ, another process reads the file, because DuckDB may crash.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import duckdb

from zertz_db.store.duckdb_paths import for_duckdb
from zertz_db.store.folder.block_checksums import find_damaged_blocks
from zertz_db.store.folder.free_blocks import find_free_blocks
from zertz_db.store.folder.generations import Generation


class BlockDamage(NamedTuple):
    """Damage of blocks. message: what is damaged. is_readable: DuckDB can read the file without a crash."""

    message: str
    is_readable: bool


def find_block_damage(generation: Generation) -> BlockDamage | None:
    """Return what is damaged, or None.

    Blocks that DuckDB does not use may differ from their checksums; if its list of these can't be read, any, as many as they are. Return
    None also if the file can't be read: that is reported when DuckDB opens it.
    """
    damaged: set[int] = set()
    free = None
    with suppress(OSError):
        if generation.path.is_file():  # to read a pipe would wait for its writer
            damaged = {*find_damaged_blocks(generation.path)}
            free = find_free_blocks(generation.path) if damaged else None
    if not damaged:
        return None
    unused = _count_unused(generation.path)
    if unused is None:
        return BlockDamage(f"{_describe(len(damaged))}, and DuckDB can't read the file", is_readable=False)
    if free is not None and len(free) == unused:
        damaged, unused = damaged - free, 0
    return BlockDamage(_describe(len(damaged)), is_readable=True) if len(damaged) > unused else None


def _describe(count: int) -> str:
    return f"{count} blocks of the file are damaged" if count > 1 else "a block of the file is damaged"


def _count_unused(file: Path) -> int | None:
    """Return the number of blocks that DuckDB does not use, or None if it crashes when it opens the file and reads all tables."""
    code = f"from {__name__} import read_whole; read_whole()"
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code, str(file)], stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    return int(json.loads(done.stdout)) if done.returncode == 0 else None


def read_whole() -> None:
    """Read all tables of the file that the command line names, as far as possible, and print the number of unused blocks."""
    try:
        with duckdb.connect(for_duckdb(Path(sys.argv[1])), read_only=True) as connection:
            find_unreadable_tables(connection)
            unused = connection.execute("SELECT free_blocks FROM pragma_database_size()").fetchall()[0][0]
    except duckdb.Error:
        unused = 0  # that is reported where the file is opened
    print(json.dumps(unused))


def find_unreadable_tables(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the name of each table that can't be read in full, with the reason."""
    query = "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() AND NOT temporary ORDER BY table_name"
    damaged = []
    for (table,) in connection.execute(query).fetchall():
        try:
            connection.execute(f'SELECT bit_xor(hash(t)) FROM "{table}" t').fetchall()
        except duckdb.Error as error:
            damaged.append(f"the table {table.removeprefix('_')} can't be read ({read_first_line(error)})")
    return damaged


def read_first_line(error: object) -> str:
    """Return the first line of an error's message."""
    return str(error).partition("\n")[0]
