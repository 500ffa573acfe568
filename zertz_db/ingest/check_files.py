"""Check files without a database: a report on each record, small enough to travel between processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

from zertz_db.check.checked_record import CheckedRecord
from zertz_db.check.findings import ODD_NAME, Finding
from zertz_db.check.verdict import finding_of, with_failure
from zertz_db.ingest import worker_pool
from zertz_db.ingest.plain_games.clean_contents import (
    Remarks,
    ScannerDisagrees,
    find_clean_contents,
    pick_sample,
    split_contents,
)
from zertz_db.ingest.records.read_records import (
    Skipped,
    SourceRecord,
    Verified,
    read_and_check,
    read_briefly,
    reject_record,
)
from zertz_db.ingest.sources.discover import LARGE_FILE_BYTES, find_files, list_places
from zertz_db.ingest.sources.place import Content, Damage, Place, SourceItem
from zertz_db.ingest.sources.read_bytes import read_contents
from zertz_db.parser import faults
from zertz_db.parser.dialects import Unwritable, write
from zertz_db.parser.vocabulary.terms import Verdict
from zertz_db.rules.rule_sets import RuleSet

MAX_EXCERPT = 100
"""Maximum number of characters shown of a source line."""
_BATCH_SIZE = 4_000
"""Number of reports of a large file that are yielded at a time: about those of a batch of small files."""


_MAX_REPAIRS = 50
"""Maximum number of illegal records in a batch for which a repair is sought: one takes as long as a few dozen checks."""


class Excerpt(NamedTuple):
    """A source line, or the part around a finding, and the columns (from 0) at which the finding's mark begins and ends."""

    line: str
    begin: int
    end: int


class Report(NamedTuple):
    """The verdict on a record (verified, unfinished, illegal or unreadable), and each finding with its source line.

    On request: json: the record as an object. conversion: the record in another dialect, and the kinds of losses, or `unwritable`: why
    that dialect can't express it. board: the position before the illegal ply, as text. A skipped file has only `skipped`.
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
        """Return whether there is a finding of this severity."""
        return bool(self.findings) and any(finding.severity == severity for finding, _ in self.findings)


class CheckOptions(NamedTuple):
    """How to read (dialect and language as in `dialects.read`), and what to report besides verdict and findings.

    rules: the rules that a record leaves open. json: an object, with moves and legal_counts if set. form: convert it to this dialect
    (one of `dialects.FORMS`). boards: the position at an error. repairs: the best repair as the suggestion of an error. select, ignore:
    prefixes of codes to report and to ignore; the longest match wins.
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

    @property
    def allows_clean_games(self) -> bool:
        """Return whether the report on a game without findings is its verdict alone, whatever the other options are."""
        return not (self.json or self.moves or self.legal_counts or self.form or self.language or self.rules)

    def is_reported(self, code: str) -> bool:
        """Return whether findings with this code are reported."""
        selected = max((len(prefix) for prefix in self.select if code.startswith(prefix)), default=0)
        ignored = max((len(prefix) for prefix in self.ignore if code.startswith(prefix)), default=0)
        return selected > ignored or (not self.select and not ignored)


def check_paths(paths: list[str | Path], wanted: CheckOptions = CheckOptions()) -> Iterator[list[Report]]:  # noqa: B008 - it is immutable
    """Check everything below the paths; yield reports in order, a batch at a time. Raise SourceError."""
    for is_large, some in groupby(list_places(find_files(paths)), lambda record: record.size > LARGE_FILE_BYTES):
        if is_large:
            with worker_pool.freeze_gc():
                yield from _group_reports(_check_contents(read_contents(some), wanted))
        else:
            for _, reports in worker_pool.run_batches(partial(check_batch, wanted=wanted), some, packing=_PACKING):
                yield reports


def check_batch(batch: list[SourceItem], wanted: CheckOptions) -> list[Report]:
    """Check one batch; return its reports. Clean games are found together; the grammar reads the others, and a sample of the clean ones."""
    if not wanted.allows_clean_games:
        return list(_check_contents(read_contents(batch), wanted))
    parts = split_contents(read_contents(batch))
    return [report for part in parts for report in _check_part(part, wanted)]


def pack_reports(batch: list[SourceItem], reports: list[Report]) -> list[Report | int]:
    """Return the reports; in place of each one that is nothing but verified, the index in the batch of its place."""
    indices = {id(item): number for number, item in enumerate(batch)}
    packed: list[Report | int] = []
    for report in reports:
        number = indices.get(id(report.place), -1)
        is_plain = number >= 0 and report == Report(report.place, Verdict.VERIFIED)
        packed.append(number if is_plain else report)
    return packed


def unpack_reports(batch: list[SourceItem], packed: list[Report | int]) -> list[Report]:
    """Return the reports that `pack_reports` has packed."""
    return [Report(batch[one], Verdict.VERIFIED) if isinstance(one, int) else one for one in packed]  # type: ignore[arg-type]


_PACKING = worker_pool.Packing(pack_reports, unpack_reports)


def _check_part(contents: list[Content | Damage], wanted: CheckOptions) -> list[Report]:
    clean = find_clean_contents(contents, wanted.dialect)
    sample = pick_sample(contents, clean)
    others = [content for number, content in enumerate(contents) if clean[number] is None or number in sample]
    reports = list(_check_contents(others, wanted))
    if wrong := _find_disagreements([(contents[number], clean[number] or ()) for number in sample], reports, wanted):
        return [_add_disagreement(report, wrong) for report in _check_contents(contents, wanted)]
    return list(_merge_reports(contents, clean, sample, reports, wanted))


def _merge_reports(
    contents: list[Content | Damage],
    clean: list[Remarks | None],
    sample: set[int],
    reports: list[Report],
    wanted: CheckOptions,
) -> Iterator[Report]:
    """Yield the reports on clean games among the others, in the order of the contents."""
    left = deque(reports)
    for number, (content, remarks) in enumerate(zip(contents, clean, strict=True)):
        if remarks is not None and number not in sample:
            yield _report_clean(content, remarks, wanted)
        while left and left[0].place is content.place:
            yield left.popleft()
    yield from left


def _report_clean(content: Content | Damage, remarks: Remarks, wanted: CheckOptions) -> Report:
    """Return the report on a clean game."""
    if not remarks:
        return Report(content.place, Verdict.VERIFIED)
    text = content.data[:].decode()
    findings = [finding for remark in remarks if wanted.is_reported((finding := finding_of(remark)).code)]
    return Report(
        content.place, Verdict.VERIFIED, findings=tuple((finding, build_excerpt(text, finding)) for finding in findings)
    )


def _find_disagreements(
    sample: list[tuple[Content | Damage, Remarks]], reports: list[Report], wanted: CheckOptions
) -> dict[Place, Exception]:
    """Return the places of a sample of clean games on which the grammar's reports are others, each with the error."""
    wrong: dict[Place, Exception] = {}
    for content, remarks in sample:
        by_grammar = [report for report in reports if report.place is content.place]
        if by_grammar != [_report_clean(content, remarks, wanted)]:
            wrong[content.place] = ScannerDisagrees("the scanner finds this record clean, the grammar does not")
            faults.log(wrong[content.place], content.place.name)
    return wrong


def _add_disagreement(report: Report, wrong: dict[Place, Exception]) -> Report:
    if report.place not in wrong:
        return report
    fault = faults.fault(wrong[report.place])
    return report._replace(findings=(*report.findings, (Finding(fault.code, fault.message, fault.span), None)))


def _check_contents(contents: Iterable[Content | Damage], wanted: CheckOptions) -> Iterator[Report]:
    left = _MAX_REPAIRS if wanted.repairs else 0
    for record in _read(contents, wanted):
        if isinstance(record, Verified):
            yield Report(record.place, Verdict.VERIFIED)
            continue
        if left and isinstance(record, SourceRecord) and record.checked.verdict == Verdict.ILLEGAL:
            left -= 1
            record = _add_repair(record)
        yield faults.guarded(partial(_build_report, record, wanted), partial(_build_failure_report, record, wanted))


def _read(
    contents: Iterable[Content | Damage], wanted: CheckOptions
) -> Iterator[SourceRecord | Skipped] | Iterator[SourceRecord | Skipped | Verified]:
    if wanted.allows_clean_games:
        return read_briefly(contents, wanted.dialect)
    return read_and_check(
        contents, wanted.dialect, full=wanted.legal_counts, language=wanted.language, rules=wanted.rules
    )


def _add_repair(record: SourceRecord) -> SourceRecord:
    """Return the record with the best repair as the suggestion of its error. A failed search adds a finding."""

    from zertz_db.check.repair.repairs import apply_repair  # few runs need it

    def failure(error: Exception) -> CheckedRecord:
        faults.log(error, f"repairs of {record.place.name}:{record.checked.record.span.line}")
        return with_failure(record.checked, error)

    checked = faults.guarded(partial(apply_repair, record.checked, record.text), failure)
    return record._replace(checked=checked)


def _build_failure_report(record: SourceRecord | Skipped, wanted: CheckOptions, error: Exception) -> Report:
    """Return the report on a record after an internal error that followed the verdict."""
    if isinstance(record, Skipped):
        return Report(record.place, skipped=record.message)
    again = reject_record(record, error)
    findings = [finding for finding in again.checked.findings if wanted.is_reported(finding.code)]
    json = _json(again, findings, wanted) if wanted.json else None
    return Report(record.place, again.checked.verdict, json, tuple((finding, None) for finding in findings))


def _group_reports(reports: Iterator[Report]) -> Iterator[list[Report]]:
    while batch := worker_pool.run_without_gc(list, islice(reports, _BATCH_SIZE)):
        yield batch


def _build_report(record: SourceRecord | Skipped, wanted: CheckOptions) -> Report:
    if isinstance(record, Skipped):
        return Report(record.place, skipped=record.message)
    from zertz_db.check.explain_illegal import board_at_fault

    checked = record.checked
    findings = [finding for finding in _findings(record) if wanted.is_reported(finding.code)]
    report = Report(
        record.place,
        checked.verdict,
        _json(record, findings, wanted) if wanted.json else None,
        tuple((finding, build_excerpt(record.text, finding)) for finding in findings),
        board=(board_at_fault(checked) or None) if wanted.boards else None,
    )
    return _add_conversion(report, checked, wanted.form) if wanted.form else report


def _findings(record: SourceRecord) -> tuple[Finding, ...]:
    """Return the findings about the record; the first record of a member also has those about the member's name."""
    if record.place.remark and record.number == 0:
        return (Finding(ODD_NAME.code, record.place.remark), *record.checked.findings)
    return record.checked.findings


def _json(record: SourceRecord, findings: list[Finding], wanted: CheckOptions) -> dict[str, Any]:
    source, member = record.place.shown
    json = {"source": source, "member": member or None, "index": record.number, **record.checked.as_json()}
    json["findings"] = [finding.as_json() for finding in findings]
    if wanted.moves:
        from zertz_db.parser.json_lines import described

        checked = record.checked
        json |= described(checked.completed() if checked.is_game else checked.played())
    if wanted.legal_counts:
        json["legal_counts"] = record.checked.legal_counts()
    return json


def _add_conversion(report: Report, checked: CheckedRecord, form: str) -> Report:
    if not checked.is_game:
        return report
    written = write(checked.completed(), form)
    if isinstance(written, Unwritable):
        return report._replace(unwritable=written.cause)
    return report._replace(conversion=written.text, losses=written.losses)


def build_excerpt(text: str, finding: Finding) -> Excerpt | None:
    """Return the source line of a finding, shortened around its mark; None without a span or a text."""
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
