"""From checked records to the columns of the database's tables."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from parser import faults
from parser.packed_plies import PackedPlies
from parser.record import Ply
from zertz_db.check.checked_record import UNREADABLE, CheckedRecord
from zertz_db.check.findings import ERROR, OUR_FAULT
from zertz_db.check.replay.notation import CAPTURE_SIGN
from zertz_db.ingest.records.read_records import SourceRecord
from zertz_db.ingest.records.reader_version import format_reader_version
from zertz_db.store.ids import id_of
from zertz_db.store.names import fold_name
from zertz_db.store.partial_dates import date_range

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
    """Rows, of which all give the same columns in the same order, as an Arrow table with this schema; what they don't give is NULL."""
    return pa.table(to_columns(schema, rows), schema=schema)


def to_columns(schema: pa.Schema, rows: Sequence[Row]) -> Rows:
    """The same as lists."""
    names = rows[0] if rows else ()
    given = dict(zip(names, map(list, zip(*(row.values() for row in rows), strict=True)), strict=True))
    return {name: given.get(name) or [None] * len(rows) for name in schema.names}


def build_game_key(checked: CheckedRecord) -> str:
    """What makes two records the same game: start, board, rule set, plies before claims are derived, names and date."""
    record, tried = checked.record, checked.attempt
    if tried is None:
        raise ValueError("a record without a start is no game")
    start = tried.start
    plies = checked.moves if start.rules.written_claims else checked.moves_before_claims
    names = (fold_name(record.player1 or ""), fold_name(record.player2 or ""))
    return "\n".join([start.text, " ".join(plies), *names, record.date or ""])


def get_next_id(game: int) -> int:
    """Where to look next when another game has this id already."""
    return id_of(str(game).encode())


def compute_record_id(data: bytes, letters: str | None) -> int:
    """The id of a record's bytes; with other letters said of them they may be another game, and are another record."""
    return id_of(f"{letters} ".encode() + data if letters else data)


def compute_weight(checked: CheckedRecord) -> int:
    """How much a record says beyond the moves: the one with the most leads among the sightings of a game.

    A record whose result its own moves contradict leads only where there is no other.
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


def build_record_row(found: SourceRecord, record_id: int, weight: int, game: int | None) -> Row:
    """The row of a record of this weight; `status`, `run`, the id of its source and whether bytes are kept are for the import to settle."""
    span, checked = found.checked.record.span, found.checked
    return build_bare_row(found, record_id, _compress_record(found)) | {
        "line_to": span.line + found.text.count("\n", span.start, max(span.start, span.end - 1)),
        "verdict": checked.verdict,
        "reason": next((finding.code for finding in checked.findings if finding.severity == ERROR), None),
        "weight": weight,
        "game": game,
    }


def build_bare_row(found: SourceRecord, record_id: int, packed: bytes) -> Row:
    """Return the row of a record that an internal error rejects: its place and its bytes (`packed`), and nothing of what was read."""
    line = found.checked.record.span.line
    return {
        "source": found.place.path,
        "member": found.place.shown[1],
        "index": found.number,
        "id": record_id,
        "line_from": line,
        "line_to": line,
        "dialect": found.checked.record.dialect or None,
        "encoding": found.encoding or None,
        "bytes": packed,
        "reader_version": format_reader_version(found.letters),
        **FAILURE_VALUES,
    }


FAILURE_VALUES = {"verdict": UNREADABLE, "reason": OUR_FAULT.code, "weight": 0, "game": None}
"""What the row of a record says that an internal error rejects."""


def build_failure_finding(error: Exception, record_id: int, line: int) -> Row:
    """Return the row of the finding that goes with FAILED."""
    return {
        "record": record_id,
        "code": OUR_FAULT.code,
        "severity": ERROR,
        "line": line,
        "col": 1,
        "ply": None,
        "message": faults.message(error),
        "rule": None,
        "suggestion": None,
    }


def _compress_record(found: SourceRecord) -> bytes:
    """The bytes of a record as `zlib.compress` packs them; where an archive has done so already, its work is taken over."""
    if not found.deflated:
        return zlib.compress(found.data)
    return _ZLIB_HEADER + found.deflated + zlib.adler32(found.data).to_bytes(4, "big")


_ZLIB_HEADER = b"\x78\x9c"
"""The beginning of a zlib stream; then come deflated bytes and a checksum of what they are."""


def build_tag_rows(checked: CheckedRecord, record_id: int) -> list[Row]:
    """The tags of a record that have no column."""
    return [
        {"record": record_id, "name": name, "value": value}
        for name, value in checked.record.tags
        if name not in TAGS_WITH_COLUMNS
    ]


def build_finding_rows(checked: CheckedRecord, record_id: int) -> list[Row]:
    """The findings of a record."""
    return [
        {
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
        for finding in checked.findings
    ]


def build_game_row(checked: CheckedRecord, game: int, record_id: int) -> Row:
    """The row of a game."""
    record, tried, counts = checked.record, checked.attempt, checked.counts()
    if tried is None or counts is None:
        raise ValueError("a record without a start is no game")
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
        "captured1_white": first_captures.white,
        "captured1_grey": first_captures.grey,
        "captured1_black": first_captures.black,
        "captured2_white": second_captures.white,
        "captured2_grey": second_captures.grey,
        "captured2_black": second_captures.black,
        "pool_white": pool.white,
        "pool_grey": pool.grey,
        "pool_black": pool.black,
        "won_by": _get_winner(checked),
        "record": record_id,
        "verdict": checked.verdict,
    }


def _get_winner(checked: CheckedRecord) -> str | None:
    if checked.ending != "set" or checked.attempt is None:
        return None
    return "jump" if checked.moves[-1].startswith(CAPTURE_SIGN) else "claim"
