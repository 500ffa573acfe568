"""Write stored games in official notation from their records' bytes, which have more than the tables, such as comments.

Tags are written as corrected; an additional tag, `Corrected`, lists them with the values in the record.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, overload

from zertz_db.ingest.records.read_records import SourceRecord, read_and_check, reject_record
from zertz_db.ingest.records.reader_version import parse_letters
from zertz_db.ingest.sources.place import Content, Place
from zertz_db.parser import dialects, faults
from zertz_db.parser.gipf.writer import write
from zertz_db.parser.record import Record
from zertz_db.store.annotations.corrections import COLUMNS
from zertz_db.store.folder.database import Database
from zertz_db.store.ids import to_text

_OFFICIAL = "gipf"
_CORRECTED_TAG = "Corrected"
_BATCH_SIZE = 500
"""Number of games whose records are in memory at a time."""


class _Correction(NamedTuple):
    tag: str
    old: str | None
    new: str | None


_Corrections = Mapping[int, Sequence[_Correction]]


class _StoredGame(NamedTuple):
    id: int
    movetext: str
    dialect: str | None
    path: str
    member: str
    encoding: str | None
    reader_version: str
    data: bytes


@overload
def write_notations(database: Database, games: Sequence[int]) -> Iterator[tuple[str, str | None]]: ...


@overload
def write_notations(
    database: Database, games: Sequence[int], form: str
) -> Iterator[tuple[str, str | dialects.Unwritable | None]]: ...


def write_notations(
    database: Database, games: Sequence[int], form: str = _OFFICIAL
) -> Iterator[tuple[str, str | dialects.Unwritable | None]]:
    """Yield the id in letters of each game (ids as numbers), in order, and its representative record in a dialect, by default official.

    Yield Unwritable instead of the text if the dialect can't express the game, and None if today's readers don't find that game in the
    record any more.
    """
    for game, record in read_records(database, games):
        one = partial(_write_one, record, form) if record else lambda: None
        yield game, faults.guarded(one, partial(_log_write_failure, game))


def _write_one(record: Record, form: str) -> str | dialects.Unwritable:
    if form == _OFFICIAL:
        return write(record)
    written = dialects.write(record, form)
    return written if isinstance(written, dialects.Unwritable) else written.text


def _log_write_failure(game: str, error: Exception) -> None:
    faults.log(error, f"writing game {game}")


def read_records(database: Database, games: Sequence[int]) -> Iterator[tuple[str, Record | None]]:
    """Yield the id in letters of each game (ids as numbers), in order, and its representative record, completed and corrected.

    Yield None instead of the record if today's readers don't find that game in it any more.
    """
    connection = database.connection()
    for begin in range(0, len(games), _BATCH_SIZE):
        wanted = list(games[begin : begin + _BATCH_SIZE])
        corrections = defaultdict(list)
        for game, *values in connection.execute(_CORRECTIONS_QUERY, [wanted]).fetchall():
            corrections[game].append(_Correction(*values))
        completed = _complete_records(
            [_StoredGame(*row) for row in connection.execute(_GAMES_QUERY, [wanted]).fetchall()], corrections
        )
        for game in wanted:
            yield to_text(game), completed.get(game)


_CORRECTIONS_QUERY = "SELECT game, tag, old, new FROM _correction WHERE game IN (SELECT unnest(?)) ORDER BY tag"
_GAMES_QUERY = """
    SELECT g.id, g.movetext, r.dialect, s.path, r.member, r.encoding, r.reader_version,
        (SELECT bytes FROM _record stored WHERE stored.id = g.record AND bytes IS NOT NULL LIMIT 1)
    FROM _game g JOIN _record r ON r.id = g.record AND r.game = g.id JOIN _source s ON s.id = r.source
    WHERE g.id IN (SELECT unnest(?))
    QUALIFY row_number() OVER (PARTITION BY g.id ORDER BY s.path, r.member, r.index) = 1
"""
"""Select one member name: the same bytes under another may be another game, since dates come from names."""


def _complete_records(stored: list[_StoredGame], corrections: _Corrections) -> dict[int, Record]:
    alike = defaultdict(list)
    for number, game in enumerate(stored):
        alike[game.dialect, parse_letters(game.reader_version)].append(number)
    records: dict[int, Record] = {}
    for (dialect, letters), numbers in alike.items():
        contents = (
            Content(Place(game.path, game.member, number=number), game.data, game.encoding)
            for number, game in ((number, stored[number]) for number in numbers)
        )
        for record in read_and_check(contents, dialect, language=letters):
            if isinstance(record, SourceRecord) and record.checked.is_game:
                game = stored[record.place.number]
                own = corrections.get(game.id, ())
                completed = faults.guarded(
                    partial(_complete_game, record, game, own), partial(_log_read_failure, record)
                )
                if completed is not None:
                    records.setdefault(game.id, completed)
    return records


def _complete_game(record: SourceRecord, game: _StoredGame, corrections: Sequence[_Correction]) -> Record | None:
    """Return the game, completed and corrected; None if the record has another game today."""
    if " ".join(record.checked.moves) != game.movetext:
        return None
    return _apply_corrections(record.checked.completed(), corrections)


def _log_read_failure(record: SourceRecord, error: Exception) -> None:
    reject_record(record, error)


def _apply_corrections(record: Record, corrections: Sequence[_Correction]) -> Record:
    if not corrections:
        return record
    facts: dict[str, Any] = {COLUMNS[one.tag]: one.new for one in corrections if one.tag in COLUMNS}
    others = {one.tag: one.new for one in corrections if one.tag not in COLUMNS}
    before = [f"{one.tag} (had none)" if one.old is None else f"{one.tag} (was {one.old})" for one in corrections]
    notes = [*(value for name, value in record.tags if name == _CORRECTED_TAG), ", ".join(before)]
    tags = [(name, value) for name, value in record.tags if name not in {*others, _CORRECTED_TAG}]
    tags += [(name, value) for name, value in others.items() if value is not None]
    return replace(record, **facts, tags=(*tags, (_CORRECTED_TAG, "; ".join(notes))))
