"""Convert checked records to the columns of the database's tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import OUR_FAULT, Finding
from zertz_db.check.replay.notation import CAPTURE_SIGN
from zertz_db.ingest.plain_games.clean_records import Tags
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.ingest.records.reader_version import format_reader_version
from zertz_db.parser import faults
from zertz_db.parser.packed_plies import PackedPlies
from zertz_db.parser.record import Ply
from zertz_db.parser.vocabulary.terms import Severity, Verdict
from zertz_db.store.ids import id_of
from zertz_db.store.names import fold_name
from zertz_db.store.partial_dates import date_range
from zertz_db.store.schema.position_columns import COUNTS

Row = dict[str, Any]
Rows = dict[str, list[Any]]
Schemas = Mapping[str, pa.Schema]
"""The Arrow schemas of tables by their names."""

TAGS_WITH_COLUMNS = frozenset(
    [
        "Event",
        "Site",
        "Date",
        "Round",
        "Player1",
        "Player2",
        "White",
        "Black",
        "Result",
        "Board",
        "RuleSet",
        "Tournament",
        "Claims",
        "SetUp",
        "Position",
        "Termination",
        "PlyCount",
    ]
)


def to_arrow_table(schema: pa.Schema, rows: Sequence[Row]) -> pa.Table:
    """Return rows, which all have the same columns in the same order, as an Arrow table with this schema; missing columns are NULL."""
    return pa.table(to_columns(schema, rows), schema=schema)


def to_columns(schema: pa.Schema, rows: Sequence[Row]) -> Rows:
    """Return rows, which all have the same columns in the same order, as lists by column; missing columns are None."""
    names = rows[0] if rows else ()
    columns = dict(zip(names, map(list, zip(*(row.values() for row in rows), strict=True)), strict=True))
    return {name: columns.get(name) or [None] * len(rows) for name in schema.names}


def build_game_key(checked: CheckedRecord) -> str:
    """Return the text that identifies a game: start, board, rule set, plies before claims are derived, names and date."""
    record, tried = checked.record, checked.attempt
    if tried is None:
        raise ValueError("a record without a start is not a game")
    start = tried.start
    plies = checked.moves if start.rules.written_claims else checked.moves_before_claims
    names = (fold_name(record.player1 or ""), fold_name(record.player2 or ""))
    return "\n".join([start.text, " ".join(plies), *names, record.date or ""])


def get_next_id(game: int) -> int:
    """Return the next id to try if another game has this one."""
    return id_of(str(game).encode())


def compute_record_id(data: bytes, letters: str | None) -> int:
    """Return the id of a record's bytes; with stated letters they may be another game, and are another record."""
    return id_of(f"{letters} ".encode() + data if letters else data)


def compute_weight(checked: CheckedRecord) -> int:
    """Return the amount of data in a record besides the moves; the record with most represents its game.

    A record whose stated result contradicts its moves represents a game only if there is no other.
    """
    record = checked.record
    names = sum(value is not None for value in (record.event, record.round, record.result, record.ending))
    contradicted = checked.result is None and checked.result_claimed is not None
    return (
        _count_notes(record.plies)
        + names
        + len(record.tags)
        + bool(record.comment)
        - _CONTRADICTION_PENALTY * contradicted
    )


_CONTRADICTION_PENALTY = 1_000_000


def _count_notes(plies: Sequence[Ply]) -> int:
    if isinstance(plies, PackedPlies):
        return len(plies) - plies.times.count("")
    return sum((ply.clock is not None) + bool(ply.comment) + len(ply.marks) + len(ply.variations) for ply in plies)


def build_record_row(source_record: SourceRecord, record_id: int, weight: int, game: int | None) -> Row:
    """Return the row of a record. The import sets `status`, `run`, the id of its source, and whether bytes are stored."""
    span, checked = source_record.checked.record.span, source_record.checked
    return build_bare_row(source_record, record_id) | {
        "line_to": span.line + source_record.text.count("\n", span.start, max(span.start, span.end - 1)),
        "verdict": checked.verdict,
        "reason": next((finding.code for finding in checked.findings if finding.severity == Severity.ERROR), None),
        "weight": weight,
        "game": game,
    }


def build_bare_row(source_record: SourceRecord, record_id: int) -> Row:
    """Return the row of a record that an internal error rejects: its place and its bytes, without its contents."""
    line = source_record.checked.record.span.line
    return {
        "source": source_record.place.path,
        "member": source_record.place.shown[1],
        "index": source_record.number,
        "id": record_id,
        "line_from": line,
        "line_to": line,
        "dialect": source_record.checked.record.dialect or None,
        "encoding": source_record.encoding or None,
        "bytes": source_record.data,
        "reader_version": format_reader_version(source_record.letters),
        **FAILURE_VALUES,
    }


FAILURE_VALUES = {"verdict": Verdict.UNREADABLE, "reason": OUR_FAULT.code, "weight": 0, "game": None}
"""Values in the row of a record that an internal error rejects."""


def build_failure_finding(error: Exception, record_id: int, line: int) -> Row:
    """Return the row of the finding about an internal error."""
    return {
        "record": record_id,
        "code": OUR_FAULT.code,
        "severity": Severity.ERROR,
        "line": line,
        "col": 1,
        "ply": None,
        "message": faults.message(error),
        "rule": None,
        "suggestion": None,
    }


NO_TAGS = Tags((), [])


def list_tags(tags: Iterable[tuple[str, str]]) -> Tags:
    """Return the names and values of the tags without columns of their own."""
    some = [tag for tag in tags if tag[0] not in TAGS_WITH_COLUMNS]
    return Tags(tuple(name for name, _ in some), [value for _, value in some])


def build_finding_rows(checked: CheckedRecord, record_id: int) -> list[Row]:
    """Return the rows of a record's findings."""
    return [build_finding_row(finding, record_id) for finding in checked.findings]


def build_finding_row(finding: Finding, record_id: int) -> Row:
    """Return the row of a finding about a record."""
    return {
        "record": record_id,
        "code": finding.code,
        "severity": finding.severity,
        "line": finding.span.line if finding.span else None,
        "col": finding.span.column if finding.span else None,
        "ply": finding.ply,
        "message": finding.message,
        "rule": finding.rule,
        "suggestion": finding.suggestion,
    }


def build_game_row(checked: CheckedRecord, game: int, record_id: int) -> Row:
    """Return the row of a game."""
    record, tried, counts = checked.record, checked.attempt, checked.counts()
    if tried is None or counts is None:
        raise ValueError("a record without a start is not a game")
    first, last = date_range(record.date)
    start = tried.start
    first_captures, second_captures, pool = counts
    return {
        "id": game,
        "board": start.board.name,
        "rule_set": start.rules.name,
        "tournament": start.rules.tournament,
        "claims": "written" if start.rules.written_claims else "automatic",
        "start": None if checked.starts_as_usual and start.rules.ends_as_usual else start.text,
        "player1": record.player1,
        "player2": record.player2,
        "event": record.event,
        "site": record.site,
        "date": record.date,
        "date_from": first,
        "date_to": last,
        "time": record.time,
        "round": record.round,
        "flags": dict(record.tags).get("Flags"),
        "plies": checked.plies,
        "movetext": " ".join(checked.moves),
        "result_claimed": checked.result_claimed,
        "result_computed": checked.result_computed,
        "result": checked.result,
        "ending": checked.ending,
        "winner": checked.winner,
        "winning_sets": "+".join(checked.winning_sets) or None,
        **dict(zip(COUNTS, (*pool, *first_captures, *second_captures), strict=True)),
        "won_by": _get_winner(checked),
        "record": record_id,
        "verdict": checked.verdict,
    }


def _get_winner(checked: CheckedRecord) -> str | None:
    if checked.ending != "set" or checked.attempt is None:
        return None
    return "jump" if checked.moves[-1].startswith(CAPTURE_SIGN) else "claim"
