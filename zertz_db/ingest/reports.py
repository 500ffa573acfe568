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
from zertz_db.check.checked import ILLEGAL, Checked
from zertz_db.check.explain import board_at_fault
from zertz_db.check.findings import ODD_NAME, Finding
from zertz_db.check.repair import with_repair
from zertz_db.check.verdict import with_failure
from zertz_db.ingest import pipeline
from zertz_db.ingest.contents import read
from zertz_db.ingest.reading import Passed, Sighted, rejected, sight
from zertz_db.ingest.sources import LARGE, Found, Place, find_files, places
from zertz_db.rules.ruleset import RuleSet

LONGEST_EXCERPT = 100
"""Characters of a source line that are shown."""
_TOGETHER = 4_000
"""So many reports of a large file are handed on at a time: about as many as a lot of small ones has."""


_REPAIRED = 50
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
    converted: str | None = None
    losses: tuple[str, ...] = ()
    passed: str | None = None
    unwritable: str | None = None
    board: str | None = None

    def has(self, severity: str) -> bool:
        """Whether there is a finding of this severity."""
        return any(finding.severity == severity for finding, _ in self.findings)


class Wanted(NamedTuple):
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

    def wants(self, code: str) -> bool:
        """Whether a finding of this code is to be reported."""
        selected = max((len(prefix) for prefix in self.select if code.startswith(prefix)), default=0)
        ignored = max((len(prefix) for prefix in self.ignore if code.startswith(prefix)), default=0)
        return selected > ignored or (not self.select and not ignored)


def report_all(paths: list[str | Path], wanted: Wanted = Wanted()) -> Iterator[list[Report]]:  # noqa: B008 - it is immutable
    """Check everything below the paths; reports in order, a lot at a time. Raises SourceError."""
    for is_large, some in groupby(places(find_files(paths)), lambda found: found.size > LARGE):
        if is_large:
            with pipeline.unvisited_so_far():
                yield from _batches(_reports(some, wanted))
        else:
            for _, reports in pipeline.run(partial(report_lot, wanted=wanted), some):
                yield reports


def report_lot(lot: list[Found], wanted: Wanted) -> list[Report]:
    """Check one lot."""
    return list(_reports(lot, wanted))


def _reports(lot: Iterable[Found], wanted: Wanted) -> Iterator[Report]:
    found = sight(read(lot), wanted.dialect, full=wanted.legal_counts, language=wanted.language, rules=wanted.rules)
    left = _REPAIRED if wanted.repairs else 0
    for sighted in found:
        if left and isinstance(sighted, Sighted) and sighted.checked.verdict == ILLEGAL:
            left -= 1
            sighted = _repaired(sighted)
        yield faults.guarded(partial(_report, sighted, wanted), partial(_rejected, sighted, wanted))


def _repaired(found: Sighted) -> Sighted:
    """The record with the best repair as what its error suggests; where the search fails, that is one more finding."""

    def failure(error: Exception) -> Checked:
        faults.log(error, f"repairs of {found.place.name}:{found.checked.record.span.line}")
        return with_failure(found.checked, error)

    checked = faults.guarded(partial(with_repair, found.checked, found.text), failure)
    return found._replace(checked=checked)


def _rejected(found: Sighted | Passed, wanted: Wanted, error: Exception) -> Report:
    """The report on a record on which zertz failed after the verdict."""
    if isinstance(found, Passed):
        return Report(found.place, passed=found.message)
    again = rejected(found, error)
    findings = [finding for finding in again.checked.findings if wanted.wants(finding.code)]
    json = _json(again, findings, wanted) if wanted.json else None
    return Report(found.place, again.checked.verdict, json, tuple((finding, None) for finding in findings))


def _batches(reports: Iterator[Report]) -> Iterator[list[Report]]:
    while batch := pipeline.uncollected(_list, islice(reports, _TOGETHER)):
        yield batch


def _list(reports: Iterator[Report]) -> list[Report]:
    return list(reports)


def _report(found: Sighted | Passed, wanted: Wanted) -> Report:
    if isinstance(found, Passed):
        return Report(found.place, passed=found.message)
    checked = found.checked
    findings = [finding for finding in _findings(found) if wanted.wants(finding.code)]
    report = Report(
        found.place,
        checked.verdict,
        _json(found, findings, wanted) if wanted.json else None,
        tuple((finding, excerpt(found.text, finding)) for finding in findings),
        board=(board_at_fault(checked) or None) if wanted.boards else None,
    )
    return _converted(report, checked, wanted.form) if wanted.form else report


def _findings(found: Sighted) -> tuple[Finding, ...]:
    """Those about the record, and about the name of the member in which it is."""
    if found.place.remark and found.number == 0:
        return (Finding(ODD_NAME.code, found.place.remark), *found.checked.findings)
    return found.checked.findings


def _json(found: Sighted, findings: list[Finding], wanted: Wanted) -> dict[str, Any]:
    source, member = found.place.shown
    json = {"source": source, "member": member or None, "index": found.number, **found.checked.as_json()}
    json["findings"] = [finding.as_json() for finding in findings]
    if wanted.moves:
        checked = found.checked
        json |= described(checked.completed() if checked.is_game else checked.played())
    if wanted.legal_counts:
        json["legal_counts"] = found.checked.legal_counts()
    return json


def _converted(report: Report, checked: Checked, form: str) -> Report:
    if not checked.is_game:
        return report
    written = write(checked.completed(), form)
    if isinstance(written, Unwritable):
        return report._replace(unwritable=written.cause)
    return report._replace(converted=written.text, losses=written.losses)


def excerpt(text: str, finding: Finding) -> Excerpt | None:
    """The source line of a finding."""
    span = finding.span
    if span is None or not text:
        return None
    first, last = max(0, span.start - LONGEST_EXCERPT), span.start + LONGEST_EXCERPT  # a line may be a whole file
    begin = max(first, text.rfind("\n", first, span.start) + 1)
    end = text.find("\n", span.start, last)
    line = text[begin : end if end >= 0 else last].rstrip("\r").replace("\t", " ")
    mark = span.start - begin
    width = max(1, min(span.end - span.start, len(line) - mark))
    cut = max(0, mark - LONGEST_EXCERPT // 2)
    shown = line[cut : cut + LONGEST_EXCERPT]
    return Excerpt(shown, mark - cut, min(mark - cut + width, max(len(shown), mark - cut + 1)))
