"""Copies of archives: an archive with the bytes of another has the same records, so none of them is read again.

The archive's name does not affect how its members are read. Exceptions: a single compressed file, whose member is named after it, and
bytes that can't be read, whose place is their only identity.
"""

from __future__ import annotations

from typing import NamedTuple

import duckdb

from zertz_db.check.findings import BYTES_NOT_HAD
from zertz_db.ingest.sources.discover import get_unpacked_name
from zertz_db.store.sql_literals import literal


class ArchiveCopy(NamedTuple):
    """A possible copy of an archive: its id, the id of its bytes, and the readers that must read it."""

    id: int
    content: int
    reader_version: str


def copy_records(connection: duckdb.DuckDBPyConnection, copy: ArchiveCopy, run: int) -> int | None:
    """Copy the records of an archive with the same bytes to a file, as records of an import.

    Return their number, 0 if the file has them already, None if it must be read.
    """
    query = "SELECT id, path FROM _source WHERE content = ? AND reader_version = ? AND id <> ?"
    has = _count(connection, copy.id)
    for original, path in connection.execute(query, [copy.content, copy.reader_version, copy.id]).fetchall():
        depends_on_path = connection.execute(_DEPENDS_ON_PATH, [get_unpacked_name(path), original]).fetchall()[0][0]
        if not depends_on_path and has in (0, _count(connection, original)):
            if not has:
                connection.execute(_COPY, [copy.id, run, original])
            return _count(connection, copy.id) - has
    return None


def _count(connection: duckdb.DuckDBPyConnection, source: int) -> int:
    return int(connection.execute("SELECT count(*) FROM _record WHERE source = ?", [source]).fetchall()[0][0])


_DAMAGE_CODES = ", ".join(map(literal, sorted(BYTES_NOT_HAD)))
_DEPENDS_ON_PATH = f"""
    SELECT count(*) = 0 OR bool_or(split_part(member, '!', 1) IN ('', ?) OR coalesce(reason IN ({_DAMAGE_CODES}), false))
    FROM _record WHERE source = ?
"""
_COPY = """
    INSERT INTO _record BY NAME
    SELECT * REPLACE (? AS source, ?::INTEGER AS run, NULL AS bytes, CASE status WHEN 'rejected' THEN status ELSE 'duplicate' END AS status)
    FROM _record WHERE source = ?
"""
