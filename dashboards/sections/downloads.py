"""Selections of games to take away."""

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


def build_csv(opened: Database, filters: str, sort: str = NEWEST) -> bytes:
    """The games that pass the filters, one a line, with all that is known of each. Marked as UTF-8 for programs that guess."""
    file = io.StringIO()
    write_csv(file, *table(opened, filters, sort))
    return ("\ufeff" + file.getvalue()).encode()


def build_parquet(opened: Database, filters: str, sort: str = NEWEST) -> bytes:
    """The same as a Parquet file."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "games.parquet"
        write_parquet(opened, path, filters, sort)
        return path.read_bytes()


def build_notation(
    opened: Database, filters: str, sort: str = NEWEST, watch: Callable[[int, int], None] = lambda _done, _all: None
) -> tuple[str, int]:
    """The games in official notation, and how many were left out because today's readers don't find them in their records.

    watch: told how many games of how many are done.
    """
    ids = game_ids(opened, filters, sort)
    found: list[str] = []
    left_out = 0
    for number, (_, notation) in enumerate(write_notations(opened, ids), 1):
        if notation is None:
            left_out += 1
        else:
            found.append(notation)
        if number % 200 == 0:
            watch(number, len(ids))
    return "\n".join(found), left_out
