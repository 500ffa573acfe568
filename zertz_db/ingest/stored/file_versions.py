"""Versions of files: find the records of earlier versions that are missing from a file.

An earlier version of a file was read from the same absolute path or, for an upload, under the same name. The file still has a record if
it has one with the same bytes, apart from spaces around them, that is the same game.
"""

from __future__ import annotations

import hashlib
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import duckdb

from zertz_db.check.findings import BYTES_NOT_HAD
from zertz_db.store.ids import to_text
from zertz_db.store.sql_literals import literal, numbers


class FileVersion(NamedTuple):
    """A file as it is now.

    id: of its name and bytes. content: of its bytes. place: of its absolute path; None for standard input. name: its name in the
    database; None if that is generic. is_upload: its path is temporary, and only its name identifies it.
    """

    id: int
    content: int
    place: int | None
    name: str | None
    is_upload: bool


class MissingRecord(NamedTuple):
    """A stored record that is missing from its file: its place, its row (source, member, number), and its game (None: rejected).

    is_last: no other record in the database has this game.
    """

    path: str
    member: str
    line: int
    source: int
    number: int
    game: int | None
    is_last: bool

    @property
    def name(self) -> str:
        """Return the place and the game, for people."""
        member = f"!{self.member}" if self.member else ""
        game = "rejected" if self.game is None else f"game {to_text(self.game)}"
        return f"{self.path}{member}:{self.line}: {game}{', of which this is the only record' if self.is_last else ''}"


def find_missing_records(connection: duckdb.DuckDBPyConnection, versions: Iterable[FileVersion]) -> list[MissingRecord]:
    """Return the stored records of earlier versions of these files that are missing from the files.

    Exclude records of a damaged archive or member, whose bytes may still have them.
    """
    pairs = _find_earlier_versions(connection, list(versions))
    if not pairs:
        return []
    now, before = zip(*sorted(pairs), strict=True)
    with_pairs = f"WITH pair AS (SELECT {numbers(now)} AS now, {numbers(before)} AS before)"
    damaged = {*connection.execute(f"{with_pairs} {_DAMAGED_QUERY}").fetchall()}
    missing = [
        row
        for row in map(_Row._make, connection.execute(f"{with_pairs} {_UNMATCHED_QUERY}").fetchall())
        if not any((row.source, container) in damaged for container in _list_containers(row.member))
    ]
    missing = _drop_same_text(connection, with_pairs, missing)
    last = _find_last_games(connection, missing)
    return [
        MissingRecord(row.path, row.member, row.line, row.source, row.number, row.game, row.game in last)
        for row in missing
    ]


class _Row(NamedTuple):
    path: str
    member: str
    line: int
    source: int
    number: int
    id: int
    game: int | None


def _list_containers(member: str) -> list[str]:
    """Return the names of the places around a member: the file itself (""), archives within it, the member."""
    parts = member.split("!")
    return ["", *("!".join(parts[:end]) for end in range(1, len(parts) + 1))]


def _find_earlier_versions(
    connection: duckdb.DuckDBPyConnection, versions: Sequence[FileVersion]
) -> set[tuple[int, int]]:
    """Return pairs of ids: a file, and an earlier version of it."""
    own = {one.id for one in versions}
    placed = [one for one in versions if one.place is not None and not one.is_upload]
    pairs = connection.execute(f"""
        WITH versions AS (SELECT {numbers(one.id for one in placed)} AS id, {numbers(one.place or 0 for one in placed)} AS place)
        SELECT versions.id, s.id FROM versions JOIN _source s ON s.place = versions.place AND s.id <> versions.id
    """).fetchall()
    uploads = ", ".join(literal(one.name) for one in versions if one.is_upload and one.name)
    of_name = f" OR path IN ({uploads})" if uploads else ""
    named: dict[str, list[int]] = {}
    for source, path in connection.execute(f"SELECT id, path FROM _source WHERE place IS NULL{of_name}").fetchall():
        named.setdefault(path, []).append(source)
    pairs += [(one.id, source) for one in versions if one.name for source in named.get(one.name, ())]
    return {(now, before) for now, before in pairs if before not in own}


def _drop_same_text(connection: duckdb.DuckDBPyConnection, with_pairs: str, missing: list[_Row]) -> list[_Row]:
    """Return the records except those that their file still has with other spaces around them, as the last record of a file may."""
    if not missing:
        return []
    games = {row.game for row in missing if row.game is not None}
    now = connection.execute(f"{with_pairs} {_CURRENT_QUERY.format(numbers(games))}").fetchall()
    texts = _texts(connection, {row.id for row in missing} | {number for _, number, _ in now})
    held = {(source, texts.get(number), game) for source, number, game in now}
    return [row for row in missing if row.id not in texts or (row.source, texts[row.id], row.game) not in held]


def _texts(connection: duckdb.DuckDBPyConnection, ids: set[int]) -> dict[int, bytes]:
    """Return a hash of each record's bytes, by its id, without spaces around them."""
    cursor = connection.execute(
        f"SELECT id, bytes FROM _record WHERE bytes IS NOT NULL AND id IN (SELECT {numbers(ids)})"
    )
    texts = {}
    while rows := cursor.fetchmany(_BATCH_SIZE):
        for number, data in rows:
            texts[number] = hashlib.sha256(data.removeprefix(BOM_UTF8).strip()).digest()
    return texts


_BATCH_SIZE = 1000


def _find_last_games(connection: duckdb.DuckDBPyConnection, missing: Sequence[_Row]) -> set[int | None]:
    """Return the games that have no other records in the database."""
    counts = Counter(row.game for row in missing if row.game is not None)
    query = f"SELECT game, count(*) FROM _record WHERE game IN (SELECT {numbers(counts)}) GROUP BY game"
    return {game for game, count in connection.execute(query).fetchall() if count == counts[game]}


_DAMAGE_CODES = ", ".join(map(literal, sorted(BYTES_NOT_HAD)))
_DAMAGED_QUERY = (
    f"SELECT DISTINCT before, member FROM pair JOIN _record ON source = now WHERE reason IN ({_DAMAGE_CODES})"
)
_UNMATCHED_QUERY = """
    SELECT DISTINCT path, r.member, r.line_from, r.source, r.index, r.id, r.game
    FROM pair JOIN _record r ON r.source = before JOIN _source s ON s.id = r.source
    WHERE NOT EXISTS (
        FROM _record n JOIN pair p ON p.now = n.source
        WHERE p.before = r.source AND n.id = r.id AND (r.game IS NULL OR n.game = r.game)
    )
    ORDER BY path, r.source, r.member, r.index
"""
"""The records of earlier versions without a match (same id, same game) in the file."""
_CURRENT_QUERY = """
    SELECT before, n.id, n.game FROM pair JOIN _record n ON n.source = now
    WHERE n.game IS NULL OR n.game IN (SELECT {})
"""
"""Current records of the files that may differ only in spaces."""
