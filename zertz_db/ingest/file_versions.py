"""Versions of files: find the records of earlier versions that a file no longer holds.

A version of a file is an earlier one if it was read from the same absolute path or, of an upload, came under the same name. The file still
holds a record if it has one with the same bytes, not counting blanks around them, that is the same game.
"""

from __future__ import annotations

import zlib
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import duckdb

from zertz_db.check.findings import BYTES_NOT_HAD
from zertz_db.store.literals import literal, numbers


class Version(NamedTuple):
    """A file as it is now.

    id: of its name and bytes. content: of its bytes. place: of its absolute path; None for standard input. name: its name in the
    database; None if that says nothing about the file. is_upload: its place is a temporary one, only its name identifies it.
    """

    id: int
    content: int
    place: int | None
    name: str | None
    is_upload: bool


class Missing(NamedTuple):
    """A stored record that its file no longer holds: its place, its row (source, member, number), and its game (None: it was rejected).

    is_last: no other record of the database has this game.
    """

    path: str
    member: str
    line: int
    source: int
    number: int
    game: int | None
    is_last: bool


def missing_records(connection: duckdb.DuckDBPyConnection, versions: Iterable[Version]) -> list[Missing]:
    """Find the records of earlier versions of these files, which the database has read, that the files no longer hold.

    Bytes that can't be read may still hold them: records of a damaged archive, or of a damaged member, are not returned.
    """
    pairs = _earlier(connection, list(versions))
    if not pairs:
        return []
    now, before = zip(*sorted(pairs), strict=True)
    with_pairs = f"WITH pair AS (SELECT {numbers(now)} AS now, {numbers(before)} AS before)"
    damaged = {*connection.execute(f"{with_pairs} {_DAMAGED}").fetchall()}
    found = [
        row
        for row in connection.execute(f"{with_pairs} {_UNMATCHED}").fetchall()
        if not any((row[3], part) in damaged for part in _containers(row[1]))
    ]
    held = _with_same_text(connection, connection.execute(f"{with_pairs}, {_ALIKE}").fetchall()) if found else set()
    found = [row for row in found if _place(row) not in held]
    last = _last_games(connection, found)
    return [Missing(*row[:5], game=row[5], is_last=row[5] in last) for row in found]


def _containers(member: str) -> list[str]:
    """The names of the places a member is in: the file itself (""), archives within it, the member."""
    parts = member.split("!")
    return ["", *("!".join(parts[:end]) for end in range(1, len(parts) + 1))]


def _earlier(connection: duckdb.DuckDBPyConnection, versions: Sequence[Version]) -> set[tuple[int, int]]:
    """The ids of files, each with that of an earlier version of it."""
    own = {one.id for one in versions}
    placed = [one for one in versions if one.place is not None and not one.is_upload]
    pairs = connection.execute(f"""
        WITH asked AS (SELECT {numbers(one.id for one in placed)} AS id, {numbers(one.place or 0 for one in placed)} AS place)
        SELECT asked.id, s.id FROM asked JOIN _source s ON s.place = asked.place
    """).fetchall()
    uploads = ", ".join(literal(one.name) for one in versions if one.is_upload and one.name)
    of_name = f" OR path IN ({uploads})" if uploads else ""
    named: dict[str, list[int]] = {}
    for source, path in connection.execute(f"SELECT id, path FROM _source WHERE place IS NULL{of_name}").fetchall():
        named.setdefault(path, []).append(source)
    pairs += [(one.id, source) for one in versions if one.name for source in named.get(one.name, ())]
    return {(now, before) for now, before in pairs if before not in own}


_Row = tuple[Any, ...]


def _place(row: _Row) -> _Row:
    _, member, _, source, index, _ = row
    return source, member, index


def _with_same_text(connection: duckdb.DuckDBPyConnection, alike: Sequence[_Row]) -> set[_Row]:
    """The places of records whose bytes are those of another but for blanks around them. alike: places, the ids of both."""
    ids = {number for *_, one, other in alike for number in (one, other)}
    query = f"SELECT id, bytes FROM _record WHERE bytes IS NOT NULL AND id IN (SELECT {numbers(ids)})"
    texts = {
        number: zlib.decompress(data).removeprefix(BOM_UTF8).strip()
        for number, data in connection.execute(query).fetchall()
    }
    return {
        (source, member, index)
        for source, member, index, one, other in alike
        if one in texts and texts[one] == texts.get(other)
    }


def _last_games(connection: duckdb.DuckDBPyConnection, found: Sequence[_Row]) -> set[int]:
    """The games of which these records are all that the database has."""
    counts = Counter(game for *_, game in found if game is not None)
    query = f"SELECT game, count(*) FROM _record WHERE game IN (SELECT {numbers(counts)}) GROUP BY game"
    return {game for game, count in connection.execute(query).fetchall() if count == counts[game]}


_CODES = ", ".join(map(literal, sorted(BYTES_NOT_HAD)))
_DAMAGED = f"SELECT DISTINCT before, member FROM pair JOIN _record ON source = now WHERE reason IN ({_CODES})"
_UNMATCHED = """
    SELECT DISTINCT path, r.member, r.line_from, r.source, r.index, r.game
    FROM pair JOIN _record r ON r.source = before JOIN _source s ON s.id = r.source
    WHERE NOT EXISTS (
        FROM _record n JOIN pair p ON p.now = n.source
        WHERE p.before = r.source AND n.id = r.id AND (r.game IS NULL OR n.game = r.game)
    )
    ORDER BY path, r.source, r.member, r.index
"""
"""The records of earlier versions of which the file has none with the same id, and the same game."""
_ALIKE = """
    alone AS (SELECT source, member FROM _record WHERE source IN (SELECT unnest([now, before]) FROM pair) GROUP BY ALL HAVING count(*) = 1)
    SELECT r.source, r.member, r.index, r.id, n.id
    FROM pair JOIN _record r ON r.source = before JOIN _record n ON n.source = now AND n.game IS NOT DISTINCT FROM r.game
    LEFT JOIN alone a ON a.source = r.source AND a.member = r.member
    LEFT JOIN alone b ON b.source = n.source AND b.member = n.member
    WHERE n.id <> r.id AND (a.source IS NULL) <> (b.source IS NULL) AND n.line_to - n.line_from = r.line_to - r.line_from
    AND n.reason IS NOT DISTINCT FROM r.reason
"""
"""Records that may differ in blanks alone: one that is alone in its file has all the bytes of that, one of several only its own."""
