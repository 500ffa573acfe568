"""`zertz dialects`: list the dialects that zertz reads and writes."""

from __future__ import annotations

from typing import Annotated

import typer

from zertz_db.cli.tables import Form, print_result
from zertz_db.parser.dialects import DIALECTS, WRITERS
from zertz_db.parser.json_lines import SCHEMA
from zertz_db.queries.result import Column, Result


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("dialects")(show_dialects)


def show_dialects(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON Schema of a line of jsonl.")] = False,
) -> None:
    """List the dialects: what each is, how it is detected, and whether zertz can write it.

    `zertz check --dialect NAME` reads all records as one dialect. Experimental dialects are known from programs only.

    Examples:  zertz dialects  ·  zertz dialects --schema
    """
    if schema:
        typer.echo(SCHEMA.read_text("utf-8"), nl=False)
        return

    columns = ("dialect", "written", "experimental", "what it is", "told by")
    rows = [
        (
            dialect.name,
            "yes" if dialect.name in WRITERS else "no",
            "yes" if dialect.is_experimental else "no",
            dialect.description,
            dialect.described_by,
        )
        for dialect in DIALECTS
    ]
    print_result(Result(tuple(map(Column, columns)), rows), Form.json if as_json else Form.text)
