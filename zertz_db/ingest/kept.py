"""Records of a database as they lie in it, read again: to look at what was rejected."""

from __future__ import annotations

import zlib

from zertz_db.ingest.reading import Sighted, sight
from zertz_db.ingest.sources import Content, Place
from zertz_db.ingest.stored import chunks
from zertz_db.store.opening import Database


def kept_record(database: Database, run: int, path: str, member: str, index: int) -> Sighted | None:
    """The record that an import (its number) found there, read from the bytes that were kept and checked by today's readers.

    Lines are those of the record. None where there is no such record, or its bytes could not be had.
    """
    where = "r.run = ? AND path = ? AND member = ? AND r.index = ?"
    for rows in chunks(database.connection(), where, run, path, member, index):
        for row in rows:
            if row.bytes is None:
                continue
            content = Content(Place(path, member, named=True), zlib.decompress(row.bytes), row.encoding)
            for found in sight([content], row.dialect):
                if isinstance(found, Sighted):
                    return found
    return None
