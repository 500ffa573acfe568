"""What a check says of each record, small enough to travel between processes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from parser.gipf_writer import write
from zertz_db.check.checked import Checked
from zertz_db.check.findings import ODD_NAME, WARNING, Finding
from zertz_db.ingest import pipeline
from zertz_db.ingest.reading import Passed, Sighted, sight
from zertz_db.ingest.sources import Damage, Place, find_files, places, read

LONGEST_EXCERPT = 100
"""Characters of a source line that are shown."""


class Excerpt(NamedTuple):
    """A source line, or the part of it around a finding, and the columns (from 0) at which the finding's mark begins and ends."""

    line: str
    begin: int
    end: int


class Report(NamedTuple):
    """The verdict on a record (verified, unfinished, illegal or unreadable), each finding with its source line.

    json, converted: the record as an object and in official notation, where that was asked for. A file that was passed over has
    `passed` instead, and no verdict.
    """

    place: Place
    verdict: str = ""
    json: dict[str, Any] | None = None
    findings: tuple[tuple[Finding, Excerpt | None], ...] = ()
    converted: str | None = None
    passed: str | None = None

    @property
    def has_warnings(self) -> bool:
        """Whether there is a warning among the findings."""
        return any(finding.severity == WARNING for finding, _ in self.findings)


class Wanted(NamedTuple):
    """What a report should hold beyond verdict and findings: an object, with moves and counts of legal moves; official notation."""

    dialect: str | None = None
    json: bool = False
    moves: bool = False
    legal_counts: bool = False
    notation: bool = False


def report_all(paths: list[str | Path], wanted: Wanted = Wanted()) -> Iterator[list[Report]]:  # noqa: B008 - it is immutable
    """Check everything below the paths; reports in order, a lot at a time. Raises SourceError."""
    found = list(places(find_files(paths)))
    readable = [place for place in found if isinstance(place, Place)]
    for damage in found:
        if isinstance(damage, Damage):
            yield [_report(sighted, wanted) for sighted in sight([damage]) if isinstance(sighted, Sighted)]
    for _, reports in pipeline.run(partial(report_lot, wanted=wanted), readable):
        yield reports


def report_lot(lot: list[Place], wanted: Wanted) -> list[Report]:
    """Check one lot."""
    return [_report(found, wanted) for found in sight(read(lot), wanted.dialect, full=wanted.legal_counts)]


def _report(found: Sighted | Passed, wanted: Wanted) -> Report:
    if isinstance(found, Passed):
        return Report(found.place, passed=found.message)
    checked = found.checked
    return Report(
        found.place,
        checked.verdict,
        _json(found, wanted) if wanted.json else None,
        tuple((finding, excerpt(found.text, finding)) for finding in _findings(found)),
        _notation(checked) if wanted.notation else None,
    )


def _findings(found: Sighted) -> tuple[Finding, ...]:
    """Those about the record, and about the name of the member in which it is."""
    if found.place.remark and found.number == 0:
        return (Finding(ODD_NAME.code, found.place.remark), *found.checked.findings)
    return found.checked.findings


def _json(found: Sighted, wanted: Wanted) -> dict[str, Any]:
    source, member = found.place.shown
    json = {"source": source, "member": member or None, "index": found.number, **found.checked.as_json()}
    if wanted.moves:
        json["moves"] = found.checked.moves
    if wanted.legal_counts:
        json["legal_counts"] = found.checked.legal_counts()
    return json


def _notation(checked: Checked) -> str | None:
    return write(checked.completed()) if checked.is_game else None


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
