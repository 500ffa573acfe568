"""`zertz tactics`: list missed wins, combinations and quick forced wins."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from zertz_db.cli.filter_options import add_filter_options, report_absence, report_coverage
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Parquet, SortRows, open_for_query
from zertz_db.cli.safe_output import Force, style
from zertz_db.cli.tables import Form, choose_form, print_json, print_result, write_result
from zertz_db.queries.result import Result, sort_rows
from zertz_db.queries.tactics.examples import KINDS, TOP, find_tactics
from zertz_db.store.folder.database import Database

_SHORT = 5
"""Number of rows of each list if all are printed as text."""


class Kind(StrEnum):
    """The lists."""

    missed = "missed"
    played = "played"
    quickest = "quickest"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("tactics")(list_tactics)


@add_filter_options
def list_tactics(
    *,
    filters: str,
    kind: Annotated[
        Kind | None,
        typer.Option("--kind", help="Print one list (default: the first rows of each).", show_default=False),
    ] = None,
    sort: SortRows = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            min=0,
            help=f"Maximum number of rows of a list (0: no limit; default: {TOP}, or {_SHORT} of each list).",
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List forced wins of the analysed games: the longest that were missed, the longest that were played, and the quickest.

    missed: moves that let a forced win go. played: forced wins that were kept to the end; of each game the longest. quickest: the first
    forced win of a game, the earliest first. The length counts the plies of both players. ply is the number of plies before the
    position: continue with zertz show ID --ply N or zertz solve --game ID --ply N.

    Examples:  zertz tactics  ·  zertz tactics kind:human-human --kind missed --limit 20  ·  zertz tactics --player ada --json
    """  # fmt: skip
    form = choose_form(as_json, as_csv, parquet)
    chosen = kind or (Kind.missed if form in (Form.csv, Form.parquet) else None)
    most = limit if limit is not None else _SHORT if chosen is None and form is Form.text else TOP
    with open_for_query(folder) as database:
        names = [str(chosen)] if chosen else [*KINDS]
        lists = {name: _find(database, name, filters, most, sort) for name in names}
        if report_absence(database, filters):
            if form is Form.text:
                return
        else:
            report_coverage(database, filters, is_needed=True)
    if chosen and form is not Form.text:
        write_result(lists[chosen], form, parquet, force)
    elif form is Form.json:
        print_json({name: found.dicts() for name, found in lists.items()})
    else:
        for number, (name, found) in enumerate(lists.items()):
            typer.echo("\n" * bool(number) + style(f"{KINDS[name].meaning}  (--kind {name})", bold=True))
            if found.rows:
                print_result(found)
            else:
                typer.echo("none found")


def _find(database: Database, name: str, filters: str, most: int, sort: str | None) -> Result:
    """Return at most this number of rows of a list (0: all); if they are sorted, the first of all rows."""
    if sort is None:
        return find_tactics(database, name, filters, most or None)
    found = sort_rows(find_tactics(database, name, filters, None), sort)
    return Result(found.columns, found.rows[: most or None])
