"""`zertz check`: check if records are legal, and locate each fault."""

from __future__ import annotations

import json
from collections import Counter
from typing import Annotated

import typer

from zertz_db.check.findings import catalogue
from zertz_db.cli.check_report import Format, create_printer, format_tally
from zertz_db.cli.errors import FINDINGS, Stop
from zertz_db.cli.read_options import Dialect, Jobs, Letters, Paths, check_with_progress, require_records
from zertz_db.ingest.check_files import CheckOptions
from zertz_db.ingest.sources.discover import STANDARD_INPUT
from zertz_db.ingest.sources.place import Place, escape_unprintable
from zertz_db.parser.vocabulary.terms import Severity, Verdict
from zertz_db.plurals import format_count
from zertz_db.rules.rule_sets import RuleSet, RuleSetError, rule_set


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check")(check_records)


def _print_schema(wanted: bool) -> None:
    if wanted:
        from zertz_db.check.output_schema import build_check_schema  # it imports all that a record can have

        typer.echo(json.dumps(build_check_schema(), indent=2))
        raise typer.Exit


def check_records(
    paths: Paths,
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="Output: text; json, an array of records; jsonl, one record per line; github, annotations of a workflow; "
            "sarif, for editors and code hosts.",
        ),
    ] = Format.text,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="CODES", help="Only these codes or prefixes: E302, E3, W7, or E,W4."),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar="CODES", help="Omit these codes or prefixes; the longest match wins."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 1 for warnings too.")] = False,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit with status 0 even if there are findings.")
    ] = False,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Count each code instead of printing findings.")
    ] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board before an illegal ply.")] = False,
    fix: Annotated[
        bool,
        typer.Option(
            "--fix",
            help="Write a repaired copy next to the file, with a comment at each repair; never overwrite a file.",
        ),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the tally.")] = False,
    jobs: Jobs = None,
    dialect: Dialect = None,
    letters: Letters = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="RULES",
            help="Rules for records that don't state them: standard, blitz, tournament, standard+written, +noties, +repetition2.",
        ),
    ] = None,
    _schema: Annotated[
        bool,
        typer.Option(
            "--schema", callback=_print_schema, is_eager=True, help="Print the JSON Schema of a record of jsonl."
        ),
    ] = False,
) -> None:
    """Check if records are legal, and locate each fault.

    Each finding is printed as PATH!MEMBER:LINE:COLUMN: CODE message, with the source line. The last line counts verified, unfinished,
    illegal and unreadable records. Codes with E are errors, W warnings, N notes; `zertz explain CODE` explains one. Exit status:
    0 no errors, 1 errors, 2 wrong usage. Use --format github or sarif in a workflow, --statistics for a first look at an archive, and
    --ignore for findings that you accept.

    Examples:  zertz check game.txt --boards  ·  zertz check archive/ --statistics  ·  zertz check - --format jsonl < games.txt
    ·  zertz check games/ --strict --ignore W7,N  ·  zertz check game.txt --fix
    """
    wanted = CheckOptions(
        dialect,
        letters,
        json=form in (Format.json, Format.jsonl),
        boards=boards and form is Format.text,
        repairs=True,
        select=_parse_prefixes(select),
        ignore=_parse_prefixes(ignore),
        rules=_rule_set(rules),
    )
    tally: Counter[str] = Counter()
    failed = False
    illegal: dict[Place, None] = {}
    out = create_printer(form, quiet, statistics)
    for report in check_with_progress(paths, wanted, jobs):
        tally[report.verdict or "skipped"] += 1
        failed = failed or report.has(Severity.ERROR) or (strict and report.has(Severity.WARNING))
        if report.verdict == Verdict.ILLEGAL:
            illegal[report.place] = None
        out.report(report)
    require_records(tally, paths)
    out.end(format_tally(tally))
    if fix:
        for place in illegal:
            _write_repaired_copy(place, wanted)
    if failed and not exit_zero:
        raise typer.Exit(FINDINGS)


def _rule_set(text: str | None) -> RuleSet | None:
    try:
        return rule_set(text) if text else None
    except RuleSetError as error:
        raise Stop(str(error)) from error


def _parse_prefixes(given: list[str] | None) -> tuple[str, ...]:
    """Return the prefixes of codes that an option names. Raise Stop for a prefix of no code."""
    prefixes = tuple(part.strip().upper() for text in given or () for part in text.split(",") if part.strip())
    for prefix in prefixes:
        if not any(code.startswith(prefix) for code in catalogue()):
            raise Stop(f"no code begins with {prefix!r}; zertz explain lists all codes")
    return prefixes


def _write_repaired_copy(place: Place, wanted: CheckOptions) -> None:
    """Write the repaired copy of the record at a place, and report the repairs."""
    if place.path == STANDARD_INPUT:
        raise Stop("--fix writes next to a file; name a file instead of standard input")
    from zertz_db.ingest.fix_files import get_copy_name, repair_file

    target = get_copy_name(place)
    if target.exists():
        typer.echo(
            f"{escape_unprintable(str(target))} exists and stays unchanged: no repaired copy of {place.name}", err=True
        )
        return
    copy = repair_file(place, wanted)
    for line, repair in copy.repairs:
        typer.echo(f"{place.name}:{line}: repaired: {repair}", err=True)
    if copy.left:
        typer.echo(f"{place.name}: {format_count(copy.left, 'record')} without a repair that makes it legal", err=True)
    if copy.repairs:
        with target.open("x", encoding="utf-8", newline="\n") as file:
            file.write(copy.text)
        typer.echo(
            f"{format_count(len(copy.repairs), 'repaired record')} in {escape_unprintable(str(target))}", err=True
        )
