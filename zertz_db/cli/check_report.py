"""How the findings of a check are printed: for people, for programs, for workflows, or only counted."""

from __future__ import annotations

import json
import sys
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TextIO

import typer

from zertz_db.cli.safe_output import get_utf8_stdout, style
from zertz_db.plurals import format_count

if TYPE_CHECKING:
    from zertz_db.check.findings import Finding
    from zertz_db.ingest.check_files import Excerpt, Report

STYLES: dict[str, dict[str, Any]] = {
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow"},
    "note": {"fg": "cyan"},
}


class Format(StrEnum):
    """How findings are printed."""

    text = "text"
    json = "json"
    jsonl = "jsonl"
    github = "github"


class Printer:
    """Prints reports as text, and at the end the balance."""

    def __init__(self, is_quiet: bool = False) -> None:
        self.is_quiet = is_quiet

    def report(self, report: Report) -> None:
        """Print what there is to say of a record, in the order of its lines, or that a file was passed over."""
        if self.is_quiet:
            return
        if report.skipped is not None:
            typer.echo(f"{report.place.name}: passed over: {report.skipped}", err=True)
        for finding, line in sorted(report.findings, key=_get_sort_key):
            print_finding(report, finding, line, report.board)

    def end(self, balance: str) -> None:
        """Print the balance."""
        typer.echo(balance)


class GithubPrinter(Printer):
    """Prints the form in which GitHub's workflows take findings to the lines of a change."""

    def report(self, report: Report) -> None:
        """Print an annotation for each finding."""
        for finding, _ in sorted(report.findings, key=_get_sort_key):
            _print_annotation(report, finding)

    def end(self, balance: str) -> None:
        """Print the balance beside the annotations."""
        typer.echo(balance, err=True)


class LinesPrinter(Printer):
    """Prints an object a record, a line each."""

    def __init__(self) -> None:
        super().__init__()
        self._target = get_utf8_stdout()

    def report(self, report: Report) -> None:
        """Print the object."""
        if report.json is not None:
            print_json(report.json, self._target)

    def end(self, balance: str) -> None:
        """Print the balance beside the objects."""
        typer.echo(balance, err=True)


class ArrayPrinter(LinesPrinter):
    """Prints one array with an object a record."""

    _before = "[\n"

    def report(self, report: Report) -> None:
        """Print the object."""
        if report.json is not None:
            self._target.write(self._before + json.dumps(report.json, ensure_ascii=False))
            self._before = ",\n"

    def end(self, balance: str) -> None:
        """Close the array."""
        self._target.write("\n]\n" if self._before != "[\n" else "[]\n")
        super().end(balance)


class CountingPrinter(Printer):
    """Prints how often each code was found, the most frequent first."""

    def __init__(self) -> None:
        super().__init__()
        self._codes: Counter[str] = Counter()

    def report(self, report: Report) -> None:
        """Count."""
        self._codes.update(finding.code for finding, _ in report.findings)

    def end(self, balance: str) -> None:
        """Print the counts, and the balance."""
        from zertz_db.check.findings import catalogue

        for code, count in sorted(self._codes.items(), key=lambda pair: (-pair[1], pair[0])):
            kind = catalogue()[code]
            typer.echo(f"{count:>9,}  {style(code, **STYLES[kind.severity])}  {kind.title}")
        typer.echo(balance)


def create_printer(form: Format, is_quiet: bool, is_counting: bool) -> Printer:
    """Who prints a check in this form."""
    if is_counting:
        return CountingPrinter()
    others: dict[Format, type[Printer]] = {
        Format.json: ArrayPrinter,
        Format.jsonl: LinesPrinter,
        Format.github: GithubPrinter,
    }
    return others[form]() if form in others else Printer(is_quiet)


def format_tally(balance: Counter[str]) -> str:
    """Records read by verdict, in one line."""
    from zertz_db.check.checked_record import VERDICTS

    read = sum(balance[verdict] for verdict in VERDICTS)
    parts = " + ".join(f"{balance[verdict]:,} {verdict}" for verdict in VERDICTS)
    passed = f"; {format_count(balance['passed over'], 'other file')} passed over" if balance["passed over"] else ""
    return f"{format_count(read, 'record')} read = {parts}{passed}"


def print_finding(
    report: Report, finding: Finding, line: Excerpt | None, board: str | None = None, *, err: bool = False
) -> None:
    """Print a finding with its place, the source line, what would be right, and the board if it is an error."""
    place = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
    colours = STYLES[finding.severity]
    about = [f"ply {finding.ply}"] if finding.ply else []
    about += [f"rule {finding.rule}"] if finding.rule and finding.severity == "error" else []
    suffix = f" ({', '.join(about)})" if about else ""
    typer.echo(f"{report.place.name}{place}: {style(finding.code, **colours)} {finding.message}{suffix}", err=err)
    if line is not None:
        typer.echo(f"    {line.line}", err=err)
        typer.echo("    " + " " * line.begin + style("^" * max(1, line.end - line.begin), **colours), err=err)
    if finding.suggestion:
        typer.echo(f"    suggestion: {finding.suggestion}", err=err)
    if board is not None and finding.severity == "error":
        typer.echo("".join(f"    {row}\n" for row in board.splitlines()), nl=False, err=err)


def _get_sort_key(pair: tuple[Finding, Excerpt | None]) -> int:
    return pair[0].span.start if pair[0].span else 0


def _print_annotation(report: Report, finding: Finding) -> None:
    level = {"error": "error", "warning": "warning", "note": "notice"}[finding.severity]
    place = f",line={finding.span.line},col={finding.span.column}" if finding.span and not report.place.member else ""
    member = f"{report.place.shown[1]}: " if report.place.member else ""
    file, message = _escape_annotation(report.place.shown[0], ",:"), _escape_annotation(f"{member}{finding.message}")
    typer.echo(f"::{level} file={file}{place},title={finding.code}::{message}")


def _escape_annotation(text: str, more: str = "") -> str:
    """A text in which nothing ends the annotation."""
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def print_json(json_object: dict[str, Any], target: TextIO = sys.stdout) -> None:
    """Print an object as a line."""
    target.write(json.dumps(json_object, ensure_ascii=False) + "\n")
