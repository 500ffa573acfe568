"""Build downloads of the games that pass a filter."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable
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
