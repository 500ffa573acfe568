"""What is measured: real archives where there are some, made-up ones of the same shape anywhere; and the floors under it."""

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

import duckdb

from tests.bench.timing import ARCHIVE
from zertz_db.ingest.worker_pool import count_cores
from zertz_db.play.write_files import GenerateOptions, write_folder
from zertz_db.rules.position import Position

_TOKEN = re.compile(rb"[A-Z]+[0-9]?\[((?:[^\]\\]|\\.)*)\]|[;()]")


def real_archives(part: int = 1) -> list[Path]:
    """The zips of the private archive, every `part`-th of them; none where it is absent."""
    return sorted(ARCHIVE.rglob("*.zip"))[::part]


def made_up(folder: Path, games: int, form: str = "boardspace", seed: int = 2026) -> list[Path]:
    """Files of a hundred random games each, like the server's archives."""
    position = Position.start("37").text
    write_folder(
        GenerateOptions(games, seed, "random", "random", position, annotated=False, form=form), folder, count_cores()
    )
    return sorted(folder.iterdir())


def unzip_and_scan(archives: Iterable[Path]) -> int:
    """The floor of reading: every member unpacked, and one pass of one regular expression over its text; returns the tokens."""
    tokens = 0
    for path in archives:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                tokens += len(_TOKEN.findall(archive.read(member)))
    return tokens


def bytes_of(connection: duckdb.DuckDBPyConnection, *tables: str) -> int:
    """What tables take on disk: the blocks in which they have data."""
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
