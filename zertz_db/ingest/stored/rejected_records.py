"""Rejected records of a database: their bytes, and the revised texts of them that were imported later.

A revised text is a file of its own. Its name has the id of the rejected record, so the two stay connected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.ingest.records.rows import build_game_key, compute_record_id
from zertz_db.ingest.sources.archives import has_archive_name
from zertz_db.ingest.stored.stored_records import read_chunks
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import from_text, id_of, to_text

_REVISED = re.compile(r", revised ([0-9A-F][0-9A-HJKMNP-TV-Z]{12})(?: \(\d+\))?(?:\.\w+)?$")
"""The end of a revised text's name, with the id of the rejected record."""


class RejectedRecord(NamedTuple):
    """The place of a rejected record, and its bytes."""

    path: str
    member: str
    number: int
    data: bytes


def name_revision(found: SourceRecord) -> str:
    """Return the name of the file of a revised text of a rejected record."""
    name = Path(found.place.member or found.place.path).name
    suffix = "" if has_archive_name(name) else Path(name).suffix
    stem = name.removesuffix(suffix) if suffix else name
    return f"{stem}, revised {to_text(compute_record_id(found.data, found.letters))}{suffix or '.txt'}"


def list_revised(database: Database) -> dict[tuple[str, str, int], str]:
    """Return the games (ids in letters) of revised texts, by path, member and number of the rejected records."""
    connection = database.connection()
    games: dict[int, int] = {}
    for path, game in connection.execute(_REVISED_GAMES).fetchall():
        if match := _REVISED.search(path):
            games[from_text(match[1])] = game
    query = """
        SELECT path, member, index, r.id FROM _record r JOIN _source s ON s.id = r.source
        WHERE status = 'rejected' AND r.id IN (SELECT unnest(?))
    """
    rows = connection.execute(query, [[*games]]).fetchall() if games else []
    return {(path, member, index): to_text(games[record]) for path, member, index, record in rows}


_REVISED_GAMES = """
    SELECT path, min(game) FROM _source s JOIN _record r ON r.source = s.id
    WHERE contains(path, ', revised ') AND game IS NOT NULL GROUP BY path
"""


def read_rejected(database: Database, run: int) -> list[RejectedRecord]:
    """Return the records that an import (its number) rejected, and whose bytes are stored, in the order of their places."""
    where = "r.status = 'rejected' AND (r.run = ? OR r.source IN (SELECT source FROM _revisit WHERE run = ?))"
    return sorted(
        RejectedRecord(row.path, row.member, row.index, row.bytes)
        for rows in read_chunks(database.connection(), where, run, run)
        for row in rows
        if row.bytes is not None
    )


def count_new_games(database: Database | None, records: Iterable[CheckedRecord]) -> int:
    """Return the number of games in these records that the database does not have. None: there is no database yet."""
    games = {id_of(build_game_key(checked).encode()) for checked in records if checked.is_game}
    if database is None:
        return len(games)
    query = "SELECT count(*) FROM _game WHERE id IN (SELECT unnest(?))"
    return len(games) - int(database.connection().execute(query, [[*games]]).fetchall()[0][0])
