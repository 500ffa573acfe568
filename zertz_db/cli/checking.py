"""`zertz check` and `zertz convert`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from zertz_db.cli.errors import FINDINGS, Stop
from zertz_db.cli.output import STANDARD_OUTPUT, Force, for_programs, text_output
from zertz_db.cli.progress import ticking
from zertz_db.cli.words import counted

if TYPE_CHECKING:
    from zertz_db.check.findings import Finding
    from zertz_db.ingest.reports import Excerpt, Report, Wanted

Paths = Annotated[
    list[str], typer.Argument(metavar="PATH", help="Files, folders, zip archives, or - for standard input.")
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect", help="Read everything as this dialect (gipf, boardspace) instead of guessing by content."
    ),
]


class Format(StrEnum):
    """How findings are printed."""

    text = "text"
    jsonl = "jsonl"
    github = "github"


class Target(StrEnum):
    """What records are converted to."""

    gipf = "gipf"
    jsonl = "jsonl"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("check")(check)
    app.command("convert")(convert)


def check(
    paths: Paths,
    form: Annotated[
        Format, typer.Option("--format", help="text; jsonl: an object a record; github: annotations.")
    ] = Format.text,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 for warnings too.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the balance.")] = False,
    dialect: Dialect = None,
) -> None:
    """Say whether records are legal, and exactly what is wrong where.

    Each finding is printed as PATH!MEMBER:LINE:COLUMN: CODE message, with the source line, and at the end how many records were
    verified, unfinished, illegal and unreadable. Exit status: 0 clean, 1 a record is illegal or unreadable, 2 wrong usage.

    Examples:  zertz check game.txt  ·  zertz check archive/ --quiet  ·  zertz check - --format jsonl < games.txt
    """
    from zertz_db.ingest.reports import Wanted

    balance: Counter[str] = Counter()
    warned = False
    objects = for_programs() if form is Format.jsonl else sys.stdout
    for report in _reports(paths, Wanted(dialect, json=form is Format.jsonl)):
        if report.passed is not None:
            balance["passed over"] += 1
            if form is Format.text and not quiet:
                typer.echo(f"{_where(report)}: passed over: {report.passed}", err=True)
            continue
        balance[report.verdict] += 1
        warned = warned or report.has_warnings
        if form is Format.jsonl:
            _print_json(report.json, objects)
        elif not quiet:
            for finding, line in sorted(report.findings, key=_place_in_text):
                _PRINTERS[form](report, finding, line)
    _require_some(balance, paths)
    typer.echo(_balance(balance), err=form is not Format.text)
    if balance["illegal"] or balance["unreadable"] or (strict and warned):
        raise typer.Exit(FINDINGS)


def convert(
    paths: Paths,
    to: Annotated[
        Target, typer.Option("--to", help="gipf: canonical official notation; jsonl: an object a record.")
    ] = Target.gipf,
    output: Annotated[
        str, typer.Option("--output", "-o", help="The file to write; - is standard output.")
    ] = STANDARD_OUTPUT,
    force: Force = False,
    legal_counts: Annotated[
        bool, typer.Option("--legal-counts", help="jsonl: the number of legal moves before each ply.")
    ] = False,
    dialect: Dialect = None,
) -> None:
    """Write verified and unfinished games in canonical form: every claim, every jumped marble, every result.

    Records that are illegal or unreadable are left out of gipf (and named on standard error); in jsonl they have their findings and
    the moves before the fault. Exit status 1 if there were any.

    Examples:  zertz convert archive.zip -o games.txt  ·  zertz convert game.sgf --to jsonl --legal-counts
    """
    from zertz_db.ingest.reports import Wanted

    objects = to is Target.jsonl
    wanted = Wanted(dialect, json=objects, moves=objects, legal_counts=legal_counts, notation=not objects)
    if output != STANDARD_OUTPUT and Path(output).resolve() in {Path(path).resolve() for path in paths}:
        raise Stop(f"{output} is one of the files to read; choose another --output")
    balance: Counter[str] = Counter()
    written = 0
    with text_output(output, force) as target:
        for report in _reports(paths, wanted):
            if report.passed is not None:
                balance["passed over"] += 1
                continue
            balance[report.verdict] += 1
            if to is Target.jsonl:
                _print_json(report.json, target)
            elif report.converted is not None:
                target.write(("\n" if written else "") + report.converted)
            else:
                _print_finding(report, *_gravest(report), err=True)
                continue
            written += 1
        _require_some(balance, paths)
    typer.echo(_balance(balance), err=True)
    place = "standard output" if output == STANDARD_OUTPUT else output
    typer.echo(f"{counted(written, 'record')} written to {place}", err=True)
    if balance["illegal"] or balance["unreadable"]:
        raise typer.Exit(FINDINGS)


def _reports(paths: list[str], wanted: Wanted) -> Iterator[Report]:
    from parser.dialects import DIALECTS
    from zertz_db.ingest.reports import report_all

    known = [dialect.name for dialect in DIALECTS]
    if wanted.dialect and wanted.dialect not in known:
        raise Stop(f"there is no dialect {wanted.dialect!r}; there are {' and '.join(known)}")
    with ticking("checking", "records") as tick:
        for lot in report_all(list(paths), wanted):
            yield from lot
            tick(len(lot))


def _require_some(balance: Counter[str], paths: list[str]) -> None:
    if not balance.total() - balance["passed over"]:
        passed = balance["passed over"]
        files = f"; {counted(passed, 'file is no record', 'files are no records')}" if passed else ""
        raise Stop(f"no records found in {', '.join(paths)}{files}")


def _balance(balance: Counter[str]) -> str:
    from zertz_db.check.checked import VERDICTS

    read = sum(balance[verdict] for verdict in VERDICTS)
    parts = " + ".join(f"{balance[verdict]:,} {verdict}" for verdict in VERDICTS)
    passed = f"; {counted(balance['passed over'], 'other file')} passed over" if balance["passed over"] else ""
    return f"{counted(read, 'record')} read = {parts}{passed}"


def _gravest(report: Report) -> tuple[Finding, Excerpt | None]:
    return next(pair for pair in report.findings if pair[0].severity == "error")


def _place_in_text(pair: tuple[Finding, Excerpt | None]) -> int:
    return pair[0].span.start if pair[0].span else 0


def _where(report: Report) -> str:
    return report.place.name


_STYLES: dict[str, dict[str, Any]] = {
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow"},
    "note": {"fg": "cyan"},
}


def _print_finding(report: Report, finding: Finding, line: Excerpt | None, err: bool = False) -> None:
    place = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
    style = _STYLES[finding.severity]
    about = [f"ply {finding.ply}"] if finding.ply else []
    about += [f"rule {finding.rule}"] if finding.rule and finding.severity == "error" else []
    suffix = f" ({', '.join(about)})" if about else ""
    typer.echo(f"{_where(report)}{place}: {typer.style(finding.code, **style)} {finding.message}{suffix}", err=err)
    if line is not None:
        typer.echo(f"    {line.line}", err=err)
        typer.echo("    " + " " * line.begin + typer.style("^" * max(1, line.end - line.begin), **style), err=err)
    if finding.suggestion:
        typer.echo(f"    suggestion: {finding.suggestion}", err=err)


def _print_annotation(report: Report, finding: Finding, _line: Excerpt | None) -> None:
    """The form in which GitHub's workflows take findings to the lines of a change."""
    level = {"error": "error", "warning": "warning", "note": "notice"}[finding.severity]
    place = f",line={finding.span.line},col={finding.span.column}" if finding.span and not report.place.member else ""
    message = finding.message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    member = f"{report.place.shown[1]}: " if report.place.member else ""
    typer.echo(f"::{level} file={report.place.shown[0]}{place},title={finding.code}::{member}{message}")


_PRINTERS: dict[Format, Callable[..., None]] = {Format.text: _print_finding, Format.github: _print_annotation}


def _print_json(json_object: dict[str, Any] | None, target: TextIO) -> None:
    import json

    target.write(json.dumps(json_object, ensure_ascii=False) + "\n")
