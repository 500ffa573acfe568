"""Build downloads: the games that pass a filter, and records as files."""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from zertz_db.export.notation import write_notations
from zertz_db.export.rows import table, write_parquet
from zertz_db.queries.csv_text import write_csv
from zertz_db.queries.games.game_list import NEWEST, game_ids
from zertz_db.store.folder.database import Database


def build_csv(database: Database, filters: str, sort: str = NEWEST) -> bytes:
    """Return the games that pass the filters as CSV with all their facts, one a line. A byte order mark identifies UTF-8."""
    file = io.StringIO()
    write_csv(file, *table(database, filters, sort))
    return ("\ufeff" + file.getvalue()).encode()


def build_parquet(database: Database, filters: str, sort: str = NEWEST) -> bytes:
    """Return the games that pass the filters as a Parquet file."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "games.parquet"
        write_parquet(database, path, filters, sort)
        return path.read_bytes()


def build_notation(
    database: Database, filters: str, sort: str = NEWEST, watch: Callable[[int, int], None] = lambda _done, _all: None
) -> tuple[str, int]:
    """Return the games in official notation, and the number of games left out: today's readers don't find them in their records.

    watch: takes the number of games done and the number of all.
    """
    ids = game_ids(database, filters, sort)
    written: list[str] = []
    left_out = 0
    for number, (_, notation) in enumerate(write_notations(database, ids), 1):
        if notation is None:
            left_out += 1
        else:
            written.append(notation)
        if number % 200 == 0:
            watch(number, len(ids))
    return "\n".join(written), left_out


def group_records(records: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return files (name, content) of records (name of the file, bytes): those of one name in one file, with a line between them."""
    texts: dict[str, list[bytes]] = {}
    for name, data in records:
        if data:
            texts.setdefault(name, []).append(data)
    return [(name, _join(own)) for name, own in texts.items()]


def pack_files(files: Sequence[tuple[str, bytes]]) -> bytes:
    """Return an archive of files (name, content), numbered in their order."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (name, data) in enumerate(files, 1):
            archive.writestr(f"{number:03} {flatten_name(name)}", data)
    return packed.getvalue()


def flatten_name(name: str) -> str:
    """Return the name of a file, perhaps within an archive, as a name without folders.

    >>> flatten_name("all.zip!club/may.txt")
    'all.zip!club!may.txt'
    """
    return re.sub(r"[\\/:]+", "!", name).strip("!") or "records.txt"


def _join(records: list[bytes]) -> bytes:
    """Return records in one text. Letters of two bytes have no place for a line between."""
    if any(b"\0" in data for data in records):
        return b"".join(records)
    return b"\n".join(data.rstrip() + b"\n" for data in records)
