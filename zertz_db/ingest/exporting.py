"""Stored games as official notation, written from their records' bytes: those hold what no table has, such as comments."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from parser.gipf_writer import write
from zertz_db.ingest.reading import Sighted, sight
from zertz_db.ingest.sources import Content, Place
from zertz_db.store.ids import to_text
from zertz_db.store.opening import Database

_AT_ONCE = 500
"""Games whose records are in memory together."""


class _Stored(NamedTuple):
    id: int
    movetext: str
    dialect: str | None
    path: str
    member: str
    encoding: str | None
    data: bytes


def notations(database: Database, games: Sequence[int]) -> Iterator[tuple[str, str | None]]:
    """For each game (ids as numbers), in order: its id in letters, and its leading record in canonical official notation.

    None instead of the notation where today's readers don't find that game in the record any more.
    """
    connection = database.connection()
    for begin in range(0, len(games), _AT_ONCE):
        wanted = list(games[begin : begin + _AT_ONCE])
        found = _notations([_Stored(*row) for row in connection.execute(_STORED, [wanted]).fetchall()])
        for game in wanted:
            yield to_text(game), found.get(game)


_STORED = """
    SELECT g.id, g.movetext, r.dialect, s.path, r.member, r.encoding,
        (SELECT bytes FROM _record kept WHERE kept.id = g.record AND bytes IS NOT NULL LIMIT 1)
    FROM _game g JOIN _record r ON r.id = g.record AND r.game = g.id JOIN _source s ON s.id = r.source
    WHERE g.id IN (SELECT unnest(?))
    QUALIFY row_number() OVER (PARTITION BY g.id ORDER BY s.path, r.member, r.index) = 1
"""
"""The same bytes under another member's name may be another game: dates come from names."""


def _notations(stored: list[_Stored]) -> dict[int, str]:
    dialects = defaultdict(list)
    for number, game in enumerate(stored):
        dialects[game.dialect].append(number)
    found: dict[int, str] = {}
    for dialect, numbers in dialects.items():
        contents = (
            Content(Place(game.path, game.member, number=number), zlib.decompress(game.data), game.encoding)
            for number, game in ((number, stored[number]) for number in numbers)
        )
        for record in sight(contents, dialect):
            if isinstance(record, Sighted) and record.checked.is_game:
                game = stored[record.place.number]
                if " ".join(record.checked.moves) == game.movetext:
                    found.setdefault(game.id, write(record.checked.completed()))
    return found
