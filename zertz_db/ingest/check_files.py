"""What a check says of each record, small enough to travel between processes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

from parser import faults
from parser.dialects import Unwritable, write
from parser.json_lines import described
from zertz_db.check.checked_record import ILLEGAL, CheckedRecord
from zertz_db.check.explain_illegal import board_at_fault
from zertz_db.check.findings import ODD_NAME, Finding
from zertz_db.check.repair.repairs import apply_repair
from zertz_db.check.verdict import with_failure
from zertz_db.ingest import worker_pool
from zertz_db.ingest.records.read_records import Skipped, SourceRecord, read_and_check, reject_record
from zertz_db.ingest.sources.discover import LARGE_FILE_BYTES, find_files, list_places
from zertz_db.ingest.sources.place import Place, SourceItem
from zertz_db.ingest.sources.read_bytes import read_contents
from zertz_db.rules.rule_sets import RuleSet

MAX_EXCERPT = 100
"""Characters of a source line that are shown."""
_BATCH_SIZE = 4_000
"""So many reports of a large file are handed on at a time: about as many as a lot of small ones has."""


_MAX_REPAIRS = 50
"""Of so many illegal records in a lot a repair is looked for: one takes as long as the checks of a few dozen records."""


class Excerpt(NamedTuple):
    """A source line, or the part of it around a finding, and the columns (from 0) at which the finding's mark begins and ends."""

    line: str
    begin: int
    end: int


class Report(NamedTuple):
    """The verdict on a record (verified, unfinished, illegal or unreadable), each finding with its source line.

    json: the record as an object; converted: it in another form, and the kinds of what is lost there, or `unwritable`, why that has
    no words for it; board: the position before the illegal ply, drawn in letters: where that was asked for. A file that was passed
    over has `passed` instead, and no verdict.
    """

    place: Place
    verdict: str = ""
    json: dict[str, Any] | None = None
    findings: tuple[tuple[Finding, Excerpt | None], ...] = ()
    conversion: str | None = None
    losses: tuple[str, ...] = ()
    skipped: str | None = None
    unwritable: str | None = None
    board: str | None = None

    def has(self, severity: str) -> bool:
        """Whether there is a finding of this severity."""
        return any(finding.severity == severity for finding, _ in self.findings)


class CheckOptions(NamedTuple):
    """How to read (dialect and language as in `dialects.read`), and what a report should hold beyond verdict and findings.

    rules: what holds as far as a record leaves its rules open. json: an object, with moves and counts of legal moves; form: the
    record in this form (one of `dialects.FORMS`); boards: the position at a fault; repairs: the best repair as what an error
    suggests. select, ignore: the beginnings of codes that count, and that don't; of two that fit, the longer one decides.
    """

    dialect: str | None = None
    language: str | None = None
    json: bool = False
    moves: bool = False
    legal_counts: bool = False
    form: str | None = None
    boards: bool = False
    repairs: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rules: RuleSet | None = None

    def is_reported(self, code: str) -> bool:
        """Whether a finding of this code is to be reported."""
        selected = max((len(prefix) for prefix in self.select if code.startswith(prefix)), default=0)
        ignored = max((len(prefix) for prefix in self.ignore if code.startswith(prefix)), default=0)
        return selected > ignored or (not self.select and not ignored)


def check_paths(paths: list[str | Path], wanted: CheckOptions = CheckOptions()) -> Iterator[list[Report]]:  # noqa: B008 - it is immutable
    """Check everything below the paths; reports in order, a lot at a time. Raises SourceError."""
    for is_large, some in groupby(list_places(find_files(paths)), lambda found: found.size > LARGE_FILE_BYTES):
        if is_large:
            with worker_pool.freeze_gc():
                yield from _group_reports(_check_items(some, wanted))
        else:
            for _, reports in worker_pool.run_batches(partial(check_batch, wanted=wanted), some):
                yield reports


def check_batch(lot: list[SourceItem], wanted: CheckOptions) -> list[Report]:
    """Check one lot."""
    return list(_check_items(lot, wanted))


def _check_items(lot: Iterable[SourceItem], wanted: CheckOptions) -> Iterator[Report]:
    found = read_and_check(
        read_contents(lot), wanted.dialect, full=wanted.legal_counts, language=wanted.language, rules=wanted.rules
    )
    left = _MAX_REPAIRS if wanted.repairs else 0
    for sighted in found:
        if left and isinstance(sighted, SourceRecord) and sighted.checked.verdict == ILLEGAL:
            left -= 1
            sighted = _add_repair(sighted)
        yield faults.guarded(partial(_build_report, sighted, wanted), partial(_build_failure_report, sighted, wanted))


def _add_repair(found: SourceRecord) -> SourceRecord:
    """The record with the best repair as what its error suggests; where the search fails, that is one more finding."""

    def failure(error: Exception) -> CheckedRecord:
        faults.log(error, f"repairs of {found.place.name}:{found.checked.record.span.line}")
        return with_failure(found.checked, error)

    checked = faults.guarded(partial(apply_repair, found.checked, found.text), failure)
    return found._replace(checked=checked)


def _build_failure_report(found: SourceRecord | Skipped, wanted: CheckOptions, error: Exception) -> Report:
    """The report on a record on which zertz failed after the verdict."""
    if isinstance(found, Skipped):
        return Report(found.place, skipped=found.message)
    again = reject_record(found, error)
    findings = [finding for finding in again.checked.findings if wanted.is_reported(finding.code)]
    json = _json(again, findings, wanted) if wanted.json else None
    return Report(found.place, again.checked.verdict, json, tuple((finding, None) for finding in findings))


def _group_reports(reports: Iterator[Report]) -> Iterator[list[Report]]:
    while batch := worker_pool.run_without_gc(_collect, islice(reports, _BATCH_SIZE)):
        yield batch


def _collect(reports: Iterator[Report]) -> list[Report]:
    return list(reports)


def _build_report(found: SourceRecord | Skipped, wanted: CheckOptions) -> Report:
    if isinstance(found, Skipped):
        return Report(found.place, skipped=found.message)
    checked = found.checked
    findings = [finding for finding in _findings(found) if wanted.is_reported(finding.code)]
    report = Report(
        found.place,
        checked.verdict,
        _json(found, findings, wanted) if wanted.json else None,
        tuple((finding, build_excerpt(found.text, finding)) for finding in findings),
        board=(board_at_fault(checked) or None) if wanted.boards else None,
    )
    return _add_conversion(report, checked, wanted.form) if wanted.form else report


def _findings(found: SourceRecord) -> tuple[Finding, ...]:
    """Those about the record, and about the name of the member in which it is."""
    if found.place.remark and found.number == 0:
        return (Finding(ODD_NAME.code, found.place.remark), *found.checked.findings)
    return found.checked.findings


def _json(found: SourceRecord, findings: list[Finding], wanted: CheckOptions) -> dict[str, Any]:
    source, member = found.place.shown
    json = {"source": source, "member": member or None, "index": found.number, **found.checked.as_json()}
    json["findings"] = [finding.as_json() for finding in findings]
    if wanted.moves:
        checked = found.checked
        json |= described(checked.completed() if checked.is_game else checked.played())
    if wanted.legal_counts:
        json["legal_counts"] = found.checked.legal_counts()
    return json


def _add_conversion(report: Report, checked: CheckedRecord, form: str) -> Report:
    if not checked.is_game:
        return report
    written = write(checked.completed(), form)
    if isinstance(written, Unwritable):
        return report._replace(unwritable=written.cause)
    return report._replace(conversion=written.text, losses=written.losses)


def build_excerpt(text: str, finding: Finding) -> Excerpt | None:
    """The source line of a finding."""
    span = finding.span
    if span is None or not text:
        return None
    first, last = max(0, span.start - MAX_EXCERPT), span.start + MAX_EXCERPT  # a line may be a whole file
    begin = max(first, text.rfind("\n", first, span.start) + 1)
    end = text.find("\n", span.start, last)
    line = text[begin : end if end >= 0 else last].rstrip("\r").replace("\t", " ")
    mark = span.start - begin
    width = max(1, min(span.end - span.start, len(line) - mark))
    cut = max(0, mark - MAX_EXCERPT // 2)
    shown = line[cut : cut + MAX_EXCERPT]
    return Excerpt(shown, mark - cut, min(mark - cut + width, max(len(shown), mark - cut + 1)))
