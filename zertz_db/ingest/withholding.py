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

from parser.encoding import decode
from zertz_db.ingest.lots import Lot
from zertz_db.ingest.veil import Veil, players_in, words_in
from zertz_db.store.names import fold_name
from zertz_db.store.people import Tombstone, name_hashes

Veils: TypeAlias = Mapping[int, Veil]
"""What is to be replaced in which record."""

_WORD = re.compile(r"\w+")
_MOST_WORDS = 5
"""Of a name in a text; a name that is all of it may have more."""


class Withheld:
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
            for last in words[at : at + _MOST_WORDS]
        )
        shown = {fold_name(span): instead for span in {text, *spans} if (instead := self.shown(span))}
        return Veil(shown).text(text) if shown else text

    def veil(self, lot: Lot) -> Lot:
        """The lot with those names replaced in every record that has them as a player's name, or as a word."""
        if not self._shown:
            return lot
        veils = {}
        rows = lot.records
        for number, (record, packed) in enumerate(zip(rows["id"], rows["bytes"], strict=True)):
            veil = self._veil(zlib.decompress(packed), rows["member"][number])
            if veil:
                veils[record] = veil
                veil_row(lot, number, veil)
        if not veils:
            return lot
        tags, findings = veiled_notes(lot.tags, lot.findings, veils)
        return lot._replace(games=veiled_games(lot.games, veils), tags=tags, findings=findings)

    def _veil(self, data: bytes, member: str) -> Veil | None:
        players = players_in(data)
        shown = {fold_name(name): instead for name in players | words_in(data, member) if (instead := self.shown(name))}
        return Veil(shown, players).beside(players) if shown else None


NOBODY = Withheld(())


def veil_row(lot: Lot, number: int, veil: Veil) -> None:
    """Replace the names in a lot's record."""
    rows = lot.records
    packed, encoding = veiled_bytes(
        rows["bytes"][number], rows["dialect"][number], rows["game"][number] is not None, veil
    )
    rows["bytes"][number] = packed
    rows["member"][number] = veil.text(rows["member"][number])
    if rows["encoding"][number]:
        rows["encoding"][number] = encoding


def veiled_bytes(packed: bytes, dialect: str | None, is_game: bool, veil: Veil) -> tuple[bytes, str]:
    """A record's compressed bytes without the names, and how they are encoded now: fewer letters may need less."""
    data = veil.record(zlib.decompress(packed), dialect, is_game)
    return zlib.compress(data), decode(data)[1]


def veiled_games(games: pa.Table, veils: Veils) -> pa.Table:
    """Rows of games without the names, by the records that lead them."""
    for name in ("player1", "player2"):
        games = _veiled(games, veils, Veil.name, name)
    for name in ("event", "site", "round"):
        games = _veiled(games, veils, Veil.text, name)
    return games


def veiled_notes(tags: pa.Table, findings: pa.Table, veils: Veils) -> tuple[pa.Table, pa.Table]:
    """Rows of tags and of findings without the names, by their records."""
    for name in ("message", "suggestion"):
        findings = _veiled(findings, veils, Veil.finding, name)
    return _veiled(tags, veils, Veil.tag, "name", "value"), findings


def _veiled(table: pa.Table, veils: Veils, replace: Callable[..., str], *names: str) -> pa.Table:
    """The table with new values in the last of these columns, made of the values of all of them."""
    rows = zip(table["record"].to_pylist(), *(table[name].to_pylist() for name in names), strict=True)
    new = [
        replace(veils[record], *values) if record in veils and values[-1] is not None else values[-1]
        for record, *values in rows
    ]
    place = table.schema.get_field_index(names[-1])
    return table.set_column(place, table.schema.field(place), pa.array(new, pa.string()))
