"""`zertz convert`: write records in another dialect."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Annotated

import typer

from zertz_db.check.findings import Finding
from zertz_db.check.output_schema import build_convert_schema
from zertz_db.cli.check_report import format_tally, print_finding, print_json
from zertz_db.cli.errors import FINDINGS, Stop
from zertz_db.cli.read_options import Dialect, Jobs, Letters, Paths, check_with_progress, require_records
from zertz_db.cli.safe_output import STANDARD_OUTPUT, Force, open_text_output
from zertz_db.ingest.check_files import CheckOptions, Excerpt, Report
from zertz_db.parser.dialects import FORMS, WRITERS
from zertz_db.parser.losses import CHANGED
from zertz_db.parser.vocabulary.terms import Severity, Verdict
from zertz_db.plurals import format_count

JSON_LINES = "jsonl"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("convert")(convert_games)


def _print_schema(wanted: bool) -> None:
    if wanted:
        typer.echo(json.dumps(build_convert_schema(), indent=2))
        raise typer.Exit


def convert_games(
    paths: Paths,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORM",
            help="Dialect to write: gipf (canonical official notation), zen, boardspace (the server's SGF) or jsonl.",
        ),
    ] = "gipf",
    output: Annotated[str, typer.Option("--output", "-o", help="Output file; -: standard output.")] = STANDARD_OUTPUT,
    force: Force = False,
    legal_counts: Annotated[
        bool, typer.Option("--legal-counts", help="With jsonl: add the number of legal moves before each ply.")
    ] = False,
    jobs: Jobs = None,
    dialect: Dialect = None,
    letters: Letters = None,
    _schema: Annotated[
        bool,
        typer.Option(
            "--schema", callback=_print_schema, is_eager=True, help="Print the JSON Schema of a line of jsonl."
        ),
    ] = False,
) -> None:
    """Write verified and unfinished games in canonical form: every claim, every jumped marble, every result.

    Illegal and unreadable records are omitted, and so are games that the dialect can't express; standard error lists them. With jsonl
    they are written with their findings and the moves before the fault. The exit status is 1 if there are any. Standard error also
    counts the records that lose clocks, marks, variations or tags, because the dialect has no place for them.

    Examples:  zertz convert archive.zip -o games.txt  ·  zertz convert game.sgf --to jsonl --legal-counts
    ·  zertz convert notes.txt --letters it  ·  zertz convert games.txt --to zen
    """
    if to not in WRITERS:
        raise Stop(f"can't write {to!r}; valid: {', '.join(WRITERS)}")
    if output != STANDARD_OUTPUT and os.path.realpath(output) in map(
        os.path.realpath, paths
    ):  # `resolve` fails on loops
        raise Stop(f"{output} is one of the files to read; choose another --output")
    objects = to == JSON_LINES
    wanted = CheckOptions(
        dialect, letters, json=objects, moves=objects, legal_counts=legal_counts, form=None if objects else to
    )
    tally: Counter[str] = Counter()
    losses: Counter[str] = Counter()
    written = left_out = 0
    with open_text_output(output, force) as target:
        for report in check_with_progress(paths, wanted, jobs):
            tally[report.verdict or "skipped"] += 1
            losses.update(report.losses)
            if report.json is not None:
                print_json(report.json, target)
                written += 1
            elif report.conversion is not None:
                target.write(("\n" if written else "") + report.conversion)
                written += 1
            elif report.skipped is None:
                left_out += 1
                _print_cause(report, to)
        require_records(tally, paths)
    typer.echo(format_tally(tally), err=True)
    place = "standard output" if output == STANDARD_OUTPUT else output
    typer.echo(f"{format_count(written, 'record')} written to {place}", err=True)
    _print_losses(losses, to)
    if left_out or tally[Verdict.ILLEGAL] or tally[Verdict.UNREADABLE]:
        raise typer.Exit(FINDINGS)


def _print_losses(losses: Counter[str], form: str) -> None:
    for kind, records in losses.most_common():
        done = "changed" if kind in CHANGED else "dropped"
        typer.echo(
            f"{FORMS[form].title} has no place for {kind}: {done} in {format_count(records, 'record')}", err=True
        )


def _print_cause(report: Report, form: str) -> None:
    if report.unwritable is not None:
        typer.echo(f"{report.place.name}: can't be written as {form}: {report.unwritable}", err=True)
    else:
        print_finding(report, *_get_worst_finding(report), err=True)


def _get_worst_finding(report: Report) -> tuple[Finding, Excerpt | None]:
    return next(pair for pair in report.findings if pair[0].severity == Severity.ERROR)
