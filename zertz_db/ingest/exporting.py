"""Stored games as official notation, written from their records' bytes: those hold what no table has, such as comments.

Tags are written as they are corrected; one more, `Corrected`, says which, and what the record has instead.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from parser import faults
from parser.gipf_writer import write
from parser.record import Record
from zertz_db.ingest.readers import letters_in
from zertz_db.ingest.reading import Sighted, rejected, sight
from zertz_db.ingest.sources import Content, Place
from zertz_db.store.corrections import COLUMNS
from zertz_db.store.ids import to_text
from zertz_db.store.opening import Database

_CORRECTED = "Corrected"
_AT_ONCE = 500
"""Games whose records are in memory together."""


class _Correction(NamedTuple):
    tag: str
    old: str | None
    new: str | None


_Corrections = Mapping[int, Sequence[_Correction]]


class _Stored(NamedTuple):
    id: int
    movetext: str
    dialect: str | None
    path: str
    member: str
    encoding: str | None
    reader_version: str
    data: bytes


def notations(database: Database, games: Sequence[int]) -> Iterator[tuple[str, str | None]]:
    """For each game (ids as numbers), in order: its id in letters, and its leading record in canonical official notation.

    None instead of the notation where today's readers don't find that game in the record any more.
    """
    for game, record in records(database, games):
        one = partial(write, record) if record else lambda: None
        yield game, faults.guarded(one, partial(_not_written, game))


def _not_written(game: str, error: Exception) -> None:
    faults.log(error, f"writing game {game}")


def records(database: Database, games: Sequence[int]) -> Iterator[tuple[str, Record | None]]:
    """Yield the id in letters of each game (ids as numbers), in order, and its leading record, completed and corrected.

    None instead of the record where today's readers don't find that game in it any more.
    """
    connection = database.connection()
    for begin in range(0, len(games), _AT_ONCE):
        wanted = list(games[begin : begin + _AT_ONCE])
        corrections = defaultdict(list)
        for game, *said in connection.execute(_SAID, [wanted]).fetchall():
            corrections[game].append(_Correction(*said))
        found = _completed([_Stored(*row) for row in connection.execute(_STORED, [wanted]).fetchall()], corrections)
        for game in wanted:
            yield to_text(game), found.get(game)


_SAID = "SELECT game, tag, old, new FROM _correction WHERE game IN (SELECT unnest(?)) ORDER BY tag"
_STORED = """
    SELECT g.id, g.movetext, r.dialect, s.path, r.member, r.encoding, r.reader_version,
        (SELECT bytes FROM _record kept WHERE kept.id = g.record AND bytes IS NOT NULL LIMIT 1)
    FROM _game g JOIN _record r ON r.id = g.record AND r.game = g.id JOIN _source s ON s.id = r.source
    WHERE g.id IN (SELECT unnest(?))
    QUALIFY row_number() OVER (PARTITION BY g.id ORDER BY s.path, r.member, r.index) = 1
"""
"""The same bytes under another member's name may be another game: dates come from names."""


def _completed(stored: list[_Stored], corrections: _Corrections) -> dict[int, Record]:
    alike = defaultdict(list)
    for number, game in enumerate(stored):
        alike[game.dialect, letters_in(game.reader_version)].append(number)
    found: dict[int, Record] = {}
    for (dialect, letters), numbers in alike.items():
        contents = (
            Content(Place(game.path, game.member, number=number), zlib.decompress(game.data), game.encoding)
            for number, game in ((number, stored[number]) for number in numbers)
        )
        for record in sight(contents, dialect, language=letters):
            if isinstance(record, Sighted) and record.checked.is_game:
                game = stored[record.place.number]
                said = corrections.get(game.id, ())
                completed = faults.guarded(partial(_completed_game, record, game, said), partial(_unwritten, record))
                if completed is not None:
                    found.setdefault(game.id, completed)
    return found


def _completed_game(record: Sighted, game: _Stored, said: Sequence[_Correction]) -> Record | None:
    """Return the game, completed and corrected; None if the record holds another one today."""
    if " ".join(record.checked.moves) != game.movetext:
        return None
    return _corrected(record.checked.completed(), said)


def _unwritten(record: Sighted, error: Exception) -> None:
    rejected(record, error)


def _corrected(record: Record, said: Sequence[_Correction]) -> Record:
    if not said:
        return record
    facts: dict[str, Any] = {COLUMNS[one.tag]: one.new for one in said if one.tag in COLUMNS}
    others = {one.tag: one.new for one in said if one.tag not in COLUMNS}
    before = [f"{one.tag} (had none)" if one.old is None else f"{one.tag} (was {one.old})" for one in said]
    notes = [*(value for name, value in record.tags if name == _CORRECTED), ", ".join(before)]
    tags = [(name, value) for name, value in record.tags if name not in {*others, _CORRECTED}]
    tags += [(name, value) for name, value in others.items() if value is not None]
    return replace(record, **facts, tags=(*tags, (_CORRECTED, "; ".join(notes))))
