"""Look up a file in a database: its games, and its stored records, to inspect rejected ones."""

from __future__ import annotations

from pathlib import Path

from zertz_db.ingest.records.read_records import SourceRecord, read_and_check
from zertz_db.ingest.sources.place import Content, Place
from zertz_db.ingest.stored.known_sources import compute_content_id
from zertz_db.ingest.stored.stored_records import read_chunks
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text


def list_games_in_file(database: Database, path: str | Path) -> list[str]:
    """Return the games (ids in letters) that imports found in a file with these bytes, under any name, in the file's order."""
    query = """
        SELECT game FROM _record WHERE game IS NOT NULL
        AND source = (SELECT id FROM _source WHERE content = ? ORDER BY read_at DESC LIMIT 1) ORDER BY member, index
    """
    return [
        to_text(game) for (game,) in database.connection().execute(query, [compute_content_id(str(path))]).fetchall()
    ]


def read_stored_record(database: Database, run: int, path: str, member: str, index: int) -> SourceRecord | None:
    """Return the record that an import (its number) found at a place, read from the stored bytes and checked by today's readers.

    Lines are those of the record. Return None if there is no such record, or its bytes are missing.
    """
    of_run = "(r.run = ? OR r.source IN (SELECT source FROM _revisit WHERE run = ?))"
    where = f"{of_run} AND path = ? AND member = ? AND r.index = ?"
    for rows in read_chunks(database.connection(), where, run, run, path, member, index):
        for row in rows:
            if row.bytes is None:
                continue
            content = Content(Place(path, member, named=True), row.bytes, row.encoding)
            for record in read_and_check([content], row.dialect, language=row.letters):
                if isinstance(record, SourceRecord):
                    return record
    return None
