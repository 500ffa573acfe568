"""Reject records whose names zertz fails to redact. Nothing of them is stored that may have a name: no bytes, no tags, no member's name."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from zertz_db.errors import InternalFault
from zertz_db.ingest.records.batch import ImportBatch, select_games
from zertz_db.ingest.records.rows import FAILURE_VALUES, build_failure_finding, to_arrow_table
from zertz_db.parser import faults
from zertz_db.store.ids import id_of, to_text

REPLACEMENT = "redacted"
"""Shown in place of a text whose names zertz fails to redact."""


class RedactionFailed(InternalFault):
    """An internal error while names were redacted. It has the traceback of that error, but not its text, which may have a name."""

    def __init__(self, error: Exception) -> None:
        super().__init__(f"{type(error).__name__} while names were redacted, so nothing of it is stored")
        self.__traceback__ = error.__traceback__


def reject_records(batch: ImportBatch, errors: Mapping[int, Exception]) -> ImportBatch:
    """Return the batch with these records (errors by id) rejected without their bytes, each logged once.

    Reject other records of a game that one of them represents, too; these keep their bytes, which are redacted.
    """
    rows = batch.records
    failures = {record: RedactionFailed(error) for record, error in errors.items()}
    representatives = zip(batch.games["id"].to_pylist(), batch.games["record"].to_pylist(), strict=True)
    lost = {game: failures[record] for game, record in representatives if record in failures}
    causes: dict[int, RedactionFailed] = {}
    lines: dict[int, int] = {}
    for number, (record, game) in enumerate(zip(rows["id"], rows["game"], strict=True)):
        cause = failures.get(record) or lost.get(game)
        if cause is None:
            continue
        causes[record] = cause
        lines.setdefault(record, rows["line_from"][number])
        _change(batch, number, FAILURE_VALUES)
        if record in failures:
            _change(batch, number, {"bytes": b"", "member": _replace_name(rows["member"][number])})
    for record, failure in failures.items():
        faults.log(failure, f"record {to_text(record)}, line {lines[record]} of its file")
    found = [build_failure_finding(cause, record, lines[record]) for record, cause in causes.items()]
    batch = select_games(batch, pa.array([one for one in batch.games["id"].to_pylist() if one not in lost], pa.int64()))
    return batch._replace(
        tags=_without_records(batch.tags, causes),
        findings=pa.concat_tables(
            [_without_records(batch.findings, causes), to_arrow_table(batch.findings.schema, found)]
        ),
    )


def _change(batch: ImportBatch, number: int, values: Mapping[str, object]) -> None:
    for name, value in values.items():
        batch.records[name][number] = value


def _replace_name(member: str) -> str:
    """Return a name for a member of an archive, equal for equal members."""
    return f"{REPLACEMENT}-{to_text(id_of(member.encode('utf-8', 'surrogatepass')))}" if member else ""


def _without_records(notes: pa.Table, records: Mapping[int, object]) -> pa.Table:
    return notes.filter(pc.invert(pc.is_in(notes["record"], pa.array([*records], pa.int64()))))
