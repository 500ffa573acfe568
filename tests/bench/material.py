"""Material to measure: real archives if there are any, otherwise made-up ones of similar shape; and the floors for comparison."""

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

import duckdb

from tests.bench.timing import ARCHIVE
from zertz_db.ingest.worker_pool import count_cores
from zertz_db.play.write_files import GenerateOptions, write_folder
from zertz_db.rules.position import Position

_MOVE = re.compile(rb"P([01])\[\d+\s+(\w+)([^\]]*)\]")


def real_archives(part: int = 1) -> list[Path]:
    """Return every `part`-th zip of the private archive; none if it is absent."""
    return sorted(ARCHIVE.rglob("*.zip"))[::part]


def made_up(folder: Path, games: int, form: str = "boardspace", seed: int = 2026) -> list[Path]:
    """Files of a hundred random games each, like the server's archives."""
    position = Position.start("37").text
    write_folder(
        GenerateOptions(games, seed, "random", "random", position, annotated=False, form=form), folder, count_cores()
    )
    return sorted(folder.iterdir())


def unzip_and_scan(archives: Iterable[Path]) -> int:
    """Unzip every member and pass one regular expression over its bytes: the floor of reading, on one core. Return the number of moves."""
    moves = 0
    for path in archives:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                moves += len(_MOVE.findall(archive.read(member)))
    return moves


def bytes_of(connection: duckdb.DuckDBPyConnection, *tables: str) -> int:
    """Return the bytes of tables on disk: the blocks that hold their data."""
    blocks = " UNION ALL ".join(
        f"SELECT block_id, additional_block_ids FROM pragma_storage_info('_{table}')" for table in tables
    )
    used = connection.execute(f"""
        WITH segments AS ({blocks})
        SELECT count(DISTINCT block) FROM (
            SELECT block_id AS block FROM segments UNION ALL SELECT unnest(additional_block_ids) FROM segments
        ) WHERE block >= 0
    """).fetchall()[0][0]
    block = connection.execute("SELECT block_size FROM pragma_database_size()").fetchall()[0][0]
    return int(used * block)
