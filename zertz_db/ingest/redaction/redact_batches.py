"""Names that are not to come into a database again: lots on their way in lose them.

A game keeps the id that it has by the name itself, so that links go on working and another record of it is known as a sighting.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import pyarrow as pa

from parser.text.encoding import decode
from zertz_db.ingest.records.batch import ImportBatch
from zertz_db.ingest.redaction.redactor import Redactor, find_player_names, find_words
from zertz_db.store.annotations.people_file import Tombstone, name_hashes
from zertz_db.store.names import fold_name

RedactorsByRecord: TypeAlias = Mapping[int, Redactor]
"""What is to be replaced in which record."""

_WORD = re.compile(r"\w+")
_MAX_WORDS = 5
"""Of a name in a text; a name that is all of it may have more."""


class RedactedNames:
    """The names that a database withholds, known by their hashes."""

    def __init__(self, tombstones: Iterable[Tombstone]) -> None:
        self._shown = {one.name_hash: one.shown for one in tombstones}
        self._met: dict[str, str | None] = {}

    def shown(self, name: str) -> str | None:
        """What is shown instead of a name; None for one that is not withheld."""
        if name not in self._met:
            found = (self._shown.get(one) for one in name_hashes(name))
            self._met[name] = next(filter(None, found), None)
        return self._met[name]

    def text(self, text: str) -> str:
        """A text with those names replaced where they are words of it."""
        composed = unicodedata.normalize("NFC", text)
        words = [*_WORD.finditer(composed)] if self._shown else []
        spans = (
            composed[first.start() : last.end()]
            for at, first in enumerate(words)
            for last in words[at : at + _MAX_WORDS]
        )
        shown = {fold_name(span): instead for span in {text, *spans} if (instead := self.shown(span))}
        return Redactor(shown).text(text) if shown else text

    def redact(self, lot: ImportBatch) -> ImportBatch:
        """The lot with those names replaced in every record that has them as a player's name, or as a word."""
        if not self._shown:
            return lot
        veils = {}
        rows = lot.records
        for number, (record, packed) in enumerate(zip(rows["id"], rows["bytes"], strict=True)):
            veil = self._find_redactor(zlib.decompress(packed), rows["member"][number])
            if veil:
                veils[record] = veil
                redact_row(lot, number, veil)
        if not veils:
            return lot
        tags, findings = redact_notes(lot.tags, lot.findings, veils)
        return lot._replace(games=redact_games(lot.games, veils), tags=tags, findings=findings)

    def _find_redactor(self, data: bytes, member: str) -> Redactor | None:
        players = find_player_names(data)
        shown = {
            fold_name(name): instead for name in players | find_words(data, member) if (instead := self.shown(name))
        }
        return Redactor(shown, players).beside(players) if shown else None


NO_REDACTIONS = RedactedNames(())


def redact_row(lot: ImportBatch, number: int, veil: Redactor) -> None:
    """Replace the names in a lot's record."""
    rows = lot.records
    packed, encoding = redact_bytes(
        rows["bytes"][number], rows["dialect"][number], rows["game"][number] is not None, veil
    )
    rows["bytes"][number] = packed
    rows["member"][number] = veil.text(rows["member"][number])
    if rows["encoding"][number]:
        rows["encoding"][number] = encoding


def redact_bytes(packed: bytes, dialect: str | None, is_game: bool, veil: Redactor) -> tuple[bytes, str]:
    """A record's compressed bytes without the names, and how they are encoded now: fewer letters may need less."""
    data = veil.record(zlib.decompress(packed), dialect, is_game)
    return zlib.compress(data), decode(data)[1]


def redact_games(games: pa.Table, veils: RedactorsByRecord) -> pa.Table:
    """Rows of games without the names, by the records that lead them."""
    for name in ("player1", "player2"):
        games = _redact_columns(games, veils, Redactor.name, name)
    for name in ("event", "site", "round"):
        games = _redact_columns(games, veils, Redactor.text, name)
    return games


def redact_notes(tags: pa.Table, findings: pa.Table, veils: RedactorsByRecord) -> tuple[pa.Table, pa.Table]:
    """Rows of tags and of findings without the names, by their records."""
    for name in ("message", "suggestion"):
        findings = _redact_columns(findings, veils, Redactor.finding, name)
    return _redact_columns(tags, veils, Redactor.tag, "name", "value"), findings


def _redact_columns(table: pa.Table, veils: RedactorsByRecord, replace: Callable[..., str], *names: str) -> pa.Table:
    """The table with new values in the last of these columns, made of the values of all of them."""
    rows = zip(table["record"].to_pylist(), *(table[name].to_pylist() for name in names), strict=True)
    new = [
        replace(veils[record], *values) if record in veils and values[-1] is not None else values[-1]
        for record, *values in rows
    ]
    place = table.schema.get_field_index(names[-1])
    return table.set_column(place, table.schema.field(place), pa.array(new, pa.string()))
