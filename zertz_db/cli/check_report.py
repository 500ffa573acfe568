"""Print the findings of a check: as text, as JSON, as annotations of a workflow, as SARIF, or only counts."""

from __future__ import annotations

import json
import sys
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TextIO

import typer

from zertz_db import __version__
from zertz_db.check.findings import Finding, catalogue
from zertz_db.cli.safe_output import get_utf8_stdout, style
from zertz_db.parser.vocabulary.terms import Severity, Verdict
from zertz_db.plurals import format_count

if TYPE_CHECKING:
    from zertz_db.ingest.check_files import Excerpt, Report

STYLES: dict[Severity, dict[str, Any]] = {
    Severity.ERROR: {"fg": "red", "bold": True},
    Severity.WARNING: {"fg": "yellow"},
    Severity.NOTE: {"fg": "cyan"},
}


class Format(StrEnum):
    """Formats of findings."""

    text = "text"
    json = "json"
    jsonl = "jsonl"
    github = "github"
    sarif = "sarif"


class Printer:
    """Printer of reports as text, and of the tally at the end."""

    _is_for_programs = False

    def __init__(self, is_quiet: bool = False) -> None:
        self.is_quiet = is_quiet

    def report(self, report: Report) -> None:
        """Print the findings of a record in the order of its lines, or that a file is skipped."""
        if self.is_quiet or not (report.findings or report.skipped):
            return
        if report.skipped is not None:
            typer.echo(f"{report.place.name}: skipped: {report.skipped}", err=True)
        for finding, line in sorted(report.findings, key=_get_sort_key):
            print_finding(report, finding, line, report.board)

    def end(self, tally: str) -> None:
        """Print the tally: on standard error if programs read the rest."""
        typer.echo(tally, err=self._is_for_programs)


class GithubPrinter(Printer):
    """Printer of annotations that GitHub shows at the lines of a change."""

    _is_for_programs = True

    def report(self, report: Report) -> None:
        """Print an annotation for each finding."""
        for finding, _ in sorted(report.findings, key=_get_sort_key):
            _print_annotation(report, finding)


class LinesPrinter(Printer):
    """Printer of one JSON object per record and line."""

    _is_for_programs = True

    def __init__(self) -> None:
        super().__init__()
        self._target = get_utf8_stdout()

    def report(self, report: Report) -> None:
        """Print the object."""
        if report.json is not None:
            print_json(report.json, self._target)


class ArrayPrinter(LinesPrinter):
    """Printer of one JSON array with an object per record."""

    _before = "[\n"

    def report(self, report: Report) -> None:
        """Print the object."""
        if report.json is not None:
            self._target.write(self._before + json.dumps(report.json, ensure_ascii=False))
            self._before = ",\n"

    def end(self, tally: str) -> None:
        """Close the array."""
        self._target.write("\n]\n" if self._before != "[\n" else "[]\n")
        super().end(tally)


class SarifPrinter(Printer):
    """Printer of one log in SARIF; results are written at once, and the codes that occurred at the end."""

    _is_for_programs = True
    _separator = "\n"

    def __init__(self) -> None:
        from zertz_db.check.sarif import SCHEMA, VERSION, SarifLog  # it loads the explanations

        super().__init__()
        self._target = get_utf8_stdout()
        self._log = SarifLog(__version__)
        self._target.write(f'{{"$schema": "{SCHEMA}", "version": "{VERSION}", "runs": [{{"results": [')

    def report(self, report: Report) -> None:
        """Print a result for each finding."""
        for finding, line in sorted(report.findings, key=_get_sort_key):
            width = line.end - line.begin if line else None
            result = self._log.describe_result(*report.place.shown, finding, width)
            self._target.write(self._separator + json.dumps(result, ensure_ascii=False))
            self._separator = ",\n"

    def end(self, tally: str) -> None:
        """Print the rest of the log."""
        rest = json.dumps(self._log.describe_run(), ensure_ascii=False)
        self._target.write(f"\n], {rest[1:]}]}}\n")
        super().end(tally)


class CountingPrinter(Printer):
    """Printer of the number of findings by code, most frequent first."""

    def __init__(self) -> None:
        super().__init__()
        self._codes: Counter[str] = Counter()

    def report(self, report: Report) -> None:
        """Count."""
        self._codes.update(finding.code for finding, _ in report.findings)

    def end(self, tally: str) -> None:
        """Print the counts and the tally."""
        for code, count in sorted(self._codes.items(), key=lambda pair: (-pair[1], pair[0])):
            kind = catalogue()[code]
            typer.echo(f"{count:>9,}  {style(code, **STYLES[kind.severity])}  {kind.title}")
        typer.echo(tally)


def create_printer(form: Format, is_quiet: bool, is_counting: bool) -> Printer:
    """Return the printer for a format."""
    if is_counting:
        return CountingPrinter()
    others: dict[Format, type[Printer]] = {
        Format.json: ArrayPrinter,
        Format.jsonl: LinesPrinter,
        Format.github: GithubPrinter,
        Format.sarif: SarifPrinter,
    }
    return others[form]() if form in others else Printer(is_quiet)


def format_tally(tally: Counter[str]) -> str:
    """Return the number of records by verdict, in one line."""
    read = sum(tally[verdict] for verdict in Verdict)
    parts = " + ".join(f"{tally[verdict]:,} {verdict}" for verdict in Verdict)
    passed = f"; {format_count(tally['skipped'], 'other file')} skipped" if tally["skipped"] else ""
    return f"{format_count(read, 'record')} read = {parts}{passed}"


def print_finding(
    report: Report, finding: Finding, line: Excerpt | None, board: str | None = None, *, err: bool = False
) -> None:
    """Print a finding with its place, the source line, the suggestion, and the board if it is an error."""
    place = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
    colours = STYLES[finding.severity]
    about = [f"ply {finding.ply}"] if finding.ply else []
    about += [f"rule {finding.rule}"] if finding.rule and finding.severity == Severity.ERROR else []
    suffix = f" ({', '.join(about)})" if about else ""
    typer.echo(f"{report.place.name}{place}: {style(finding.code, **colours)} {finding.message}{suffix}", err=err)
    if line is not None:
        typer.echo(f"    {line.line}", err=err)
        typer.echo("    " + " " * line.begin + style("^" * max(1, line.end - line.begin), **colours), err=err)
    if finding.suggestion:
        typer.echo(f"    suggestion: {finding.suggestion}", err=err)
    if board is not None and finding.severity == Severity.ERROR:
        typer.echo("".join(f"    {row}\n" for row in board.splitlines()), nl=False, err=err)


def _get_sort_key(pair: tuple[Finding, Excerpt | None]) -> int:
    return pair[0].span.start if pair[0].span else 0


LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
"""The level of a workflow's annotation, by the severity."""


def _print_annotation(report: Report, finding: Finding) -> None:
    level = LEVELS[finding.severity]
    place = f",line={finding.span.line},col={finding.span.column}" if finding.span and not report.place.member else ""
    member = f"{report.place.shown[1]}: " if report.place.member else ""
    file, message = _escape_annotation(report.place.shown[0], ",:"), _escape_annotation(f"{member}{finding.message}")
    typer.echo(f"::{level} file={file}{place},title={finding.code}::{message}")


def _escape_annotation(text: str, more: str = "") -> str:
    """Return a text without characters that end the annotation."""
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def print_json(json_object: dict[str, Any], target: TextIO = sys.stdout) -> None:
    """Print an object as a line."""
    target.write(json.dumps(json_object, ensure_ascii=False) + "\n")
