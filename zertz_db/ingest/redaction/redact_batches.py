"""Redact names in batches before they enter a database.

A game keeps the id of its unredacted names, so that links still work and another record of it is recognised as a sighting.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import pyarrow as pa

from zertz_db.ingest.records.batch import ImportBatch, select_rows
from zertz_db.ingest.redaction.failed_redactions import REPLACEMENT, RedactionFailed, reject_records
from zertz_db.ingest.redaction.redactor import Redactor, find_player_names, find_words
from zertz_db.parser import faults
from zertz_db.parser.text.encoding import decode
from zertz_db.store.annotations.people_file import Tombstone, name_hashes
from zertz_db.store.names import fold_name

RedactorsByRecord: TypeAlias = Mapping[int, Redactor]
"""The redactor of each record with redacted names, by id."""

_WORD = re.compile(r"\w+")
_MAX_WORDS = 5
"""Maximum number of words of a name within a text; a name that is the whole text may have more."""


class RedactedNames:
    """The redacted names of a database, known by their hashes."""

    def __init__(self, tombstones: Iterable[Tombstone]) -> None:
        self._shown = {one.name_hash: one.shown for one in tombstones}
        self._cache: dict[str, str | None] = {}

    def shown(self, name: str) -> str | None:
        """Return the pseudonym of a name; None for a name that is not redacted."""
        if name not in self._cache:
            pseudonyms = (self._shown.get(one) for one in name_hashes(name))
            self._cache[name] = next(filter(None, pseudonyms), None)
        return self._cache[name]

    def text(self, text: str) -> str:
        """Return a text with redacted names replaced, which may be one or several of its words."""
        composed = unicodedata.normalize("NFC", text)
        words = [*_WORD.finditer(composed)] if self._shown else []
        spans = (
            composed[first.start() : last.end()]
            for at, first in enumerate(words)
            for last in words[at : at + _MAX_WORDS]
        )
        shown = {fold_name(span): pseudonym for span in {text, *spans} if (pseudonym := self.shown(span))}
        return Redactor(shown).text(text) if shown else text

    def text_or_note(self, text: str) -> str:
        """Return a text with redacted names replaced, or a note in its place if that fails."""

        def replace(error: Exception) -> str:
            faults.log(RedactionFailed(error), "the name of a file")
            return REPLACEMENT

        return faults.guarded(partial(self.text, text), replace)

    def redact(self, batch: ImportBatch) -> ImportBatch:
        """Return the batch with redacted names replaced in every record that has one as a player's name, or as a word.

        A record on which this fails is rejected without its bytes: see `reject_records`.
        """
        if not self._shown:
            return batch
        redactors: dict[int, Redactor] = {}
        errors: dict[int, Exception] = {}
        for number, record in enumerate(batch.records["id"]):
            redact = partial(self._redact_record, batch, number, redactors)
            error = None if record in errors else faults.guarded(redact, _return_error)
            if error:
                errors[record] = error
        whole = faults.guarded(lambda: [_redact_tables(batch, redactors)], lambda _: [])
        if whole and not errors:
            return whole[0]
        if not whole:
            errors |= _find_failures(batch, redactors)
        return _redact_tables(reject_records(batch, errors), _without(redactors, errors))

    def _redact_record(self, batch: ImportBatch, number: int, redactors: dict[int, Redactor]) -> None:
        """Redact the row of a record, and note the redactor for its other rows, if it has redacted names."""
        rows = batch.records
        redactor = self._find_redactor(rows["bytes"][number], rows["member"][number])
        if redactor:
            redactors[rows["id"][number]] = redactor
            redact_row(batch, number, redactor)

    def _find_redactor(self, data: bytes, member: str) -> Redactor | None:
        players = find_player_names(data)
        shown = {
            fold_name(name): pseudonym for name in players | find_words(data, member) if (pseudonym := self.shown(name))
        }
        return Redactor(shown, players).for_players(players) if shown else None


NO_REDACTIONS = RedactedNames(())


def _return_error(error: Exception) -> Exception:
    return error


def _without(redactors: RedactorsByRecord, errors: Mapping[int, Exception]) -> RedactorsByRecord:
    return {record: redactor for record, redactor in redactors.items() if record not in errors}


def _redact_tables(batch: ImportBatch, redactors: RedactorsByRecord) -> ImportBatch:
    """Return the batch without the names in its games, tags and findings."""
    if not redactors:
        return batch
    tags, findings = redact_notes(batch.tags, batch.findings, redactors)
    return batch._replace(games=redact_games(batch.games, redactors), tags=tags, findings=findings)


def _find_failures(batch: ImportBatch, redactors: RedactorsByRecord) -> dict[int, Exception]:
    """Return the records on whose games, tags or findings the redaction fails, with the errors."""

    def redact_some(records: Sequence[int]) -> list[None]:
        some = pa.array(records, pa.int64())
        games, tags, findings = (select_rows(one, "record", some) for one in (batch.games, batch.tags, batch.findings))
        _redact_tables(batch._replace(games=games, tags=tags, findings=findings), redactors)
        return [None] * len(records)

    errors: list[Exception | None] = faults.each(redact_some, [*redactors], lambda _, error: error)
    return {record: error for record, error in zip(redactors, errors, strict=True) if error}


def redact_row(batch: ImportBatch, number: int, redactor: Redactor) -> None:
    """Replace the names in a record of a batch."""
    rows = batch.records
    data, encoding = redact_bytes(
        rows["bytes"][number], rows["dialect"][number], rows["game"][number] is not None, redactor
    )
    rows["bytes"][number] = data
    rows["member"][number] = redactor.text(rows["member"][number])
    if rows["encoding"][number]:
        rows["encoding"][number] = encoding


def redact_bytes(data: bytes, dialect: str | None, is_game: bool, redactor: Redactor) -> tuple[bytes, str]:
    """Return a record's bytes without the names, and their new encoding: fewer letters may need a simpler one."""
    redacted = redactor.record(data, dialect, is_game)
    return redacted, decode(redacted)[1]


def redact_games(games: pa.Table, redactors: RedactorsByRecord) -> pa.Table:
    """Return rows of games without the names, by their representative records."""
    for name in ("player1", "player2"):
        games = _redact_columns(games, redactors, Redactor.name, name)
    for name in ("event", "site", "round"):
        games = _redact_columns(games, redactors, Redactor.text, name)
    return games


def redact_notes(tags: pa.Table, findings: pa.Table, redactors: RedactorsByRecord) -> tuple[pa.Table, pa.Table]:
    """Return rows of tags and of findings without the names, by their records."""
    for name in ("message", "suggestion"):
        findings = _redact_columns(findings, redactors, Redactor.finding, name)
    return _redact_columns(tags, redactors, Redactor.tag, "name", "value"), findings


def _redact_columns(
    table: pa.Table, redactors: RedactorsByRecord, replace: Callable[..., str], *names: str
) -> pa.Table:
    """Return the table with the last of these columns replaced by a function of all of them."""
    rows = zip(table["record"].to_pylist(), *(table[name].to_pylist() for name in names), strict=True)
    new = [
        replace(redactors[record], *values) if record in redactors and values[-1] is not None else values[-1]
        for record, *values in rows
    ]
    place = table.schema.get_field_index(names[-1])
    return table.set_column(place, table.schema.field(place), pa.array(new, pa.string()))
