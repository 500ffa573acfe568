"""`zertz explain`: explain the codes of findings."""

from __future__ import annotations

from textwrap import wrap
from typing import Annotated

import typer

from zertz_db.check.catalogue import explanations
from zertz_db.check.findings import Kind, catalogue
from zertz_db.cli.check_report import STYLES
from zertz_db.cli.errors import Stop
from zertz_db.cli.safe_output import style
from zertz_db.cli.tables import Form, print_json, print_result
from zertz_db.parser.vocabulary.terms import Severity
from zertz_db.queries.result import Column, Result

SECTIONS = {
    "1": "boards and the names of rings",
    "1a": "start and position",
    "2": "rule sets",
    "3": "a turn",
    "3.1": "a capture is compulsory",
    "3.2": "placing a marble",
    "3.3": "removing a free ring",
    "3.4": "jumps and chains",
    "3.5": "passing",
    "4": "isolated groups and claims",
    "5": "the end of the game",
    "7": "the truth of a result",
}
"""By number, the titles of sections of the rules."""

CONSEQUENCES = {
    Severity.ERROR: "The record is not accepted: check ends with status 1, import rejects it.",
    Severity.WARNING: "The record is accepted; check --strict ends with status 1.",
    Severity.NOTE: "The record is accepted; a note is not a fault.",
}


_WIDTH = 100


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain")(explain_code)


def explain_code(
    code: Annotated[
        str | None, typer.Argument(metavar="[CODE]", help="Code of a finding, for example E302 (default: list all).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Explain the code of a finding: its meaning, its severity, the rule that it refers to, and a record that has it.

    Examples:  zertz explain E302  ·  zertz explain
    """
    if code is not None:
        kind = _find_kind(code, catalogue())
        if as_json:
            explained = explanations()[kind.code]
            print_json({**_build_object(kind), "explanation": explained.text, "example": explained.example})
            return
        _print_kind(kind)
        return
    kinds = [_build_object(kind) for _, kind in sorted(catalogue().items())]
    table = Result(tuple(map(Column, kinds[0])), [tuple(kind.values()) for kind in kinds])
    print_result(table, Form.json if as_json else Form.text)


def _build_object(kind: Kind) -> dict[str, str | None]:
    return {"code": kind.code, "severity": kind.severity, "rule": kind.rule, "title": kind.title}


def _print_kind(kind: Kind) -> None:
    rule = f", rule {kind.rule}: {SECTIONS[kind.rule]}" if kind.rule else ""
    explained = explanations()[kind.code]
    typer.echo(f"{style(kind.code, **STYLES[kind.severity])} {kind.severity}{rule}")
    typer.echo(kind.title)
    typer.echo("\n" + "\n".join(wrap(explained.text, _WIDTH, break_on_hyphens=False)))
    typer.echo(f"\n{CONSEQUENCES[kind.severity]}\n\nFor example:\n")
    typer.echo("".join(f"    {line}\n" for line in explained.example.splitlines()), nl=False)


def _find_kind(code: str, kinds: dict[str, Kind]) -> Kind:
    kind = kinds.get(code.strip().upper())
    if kind is None:
        raise Stop(f"no finding has the code {code!r}; zertz explain lists all codes")
    return kind
