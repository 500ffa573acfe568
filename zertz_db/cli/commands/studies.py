"""`zertz studies`: list studies, print one, write it to a file, remove one."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.options import (
    DEFAULT_DATABASE,
    Author,
    Csv,
    DatabaseFolder,
    Json,
    Limit,
    Parquet,
    SortRows,
    open_for_query,
)
from zertz_db.cli.safe_output import Force, decode_argument, open_text_output
from zertz_db.cli.tables import Form, choose_form, print_json, write_rows
from zertz_db.edit.studies import remove_study
from zertz_db.queries.studies import find_study, list_studies
from zertz_db.store.annotations.studies import Study
from zertz_db.variations.notation import read_tree
from zertz_db.variations.printed_tree import print_tree


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("studies")(show_studies)


def show_studies(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Name or id of a study.", show_default=False)
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write it in official notation; -: standard output."),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove it.")] = False,
    author: Author = None,
    sort: SortRows = None,
    limit: Limit = 0,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List studies, latest first; print one with its variations, write it to a file, or remove it.

    The analysis board of the dashboard saves studies: moves from any position with variations, comments and marks.

    Examples:  zertz studies  ·  zertz studies "Ada's trap"  ·  zertz studies "Ada's trap" -o trap.txt
    """
    if name is None:
        if output is not None or remove:
            raise Stop("name a study: zertz studies NAME; all studies: zertz studies")
        form = choose_form(as_json, as_csv, parquet)
        with open_for_query(folder) as database:
            found = list_studies(database)
        if form is Form.text and not found.rows:
            typer.echo("no studies yet: the analysis board of zertz dashboard --allow-import saves them", err=True)
        else:
            write_rows(found, limit, form, parquet, force, sort=sort)
        return
    if as_csv or parquet is not None:
        raise Stop("--csv and --parquet are for the list; a study is printed, or written with --output")
    with open_for_query(folder) as database:
        study = find_study(database, decode_argument(name))
    if remove:
        gone = remove_study(folder, study.id, decode_argument(author or getpass.getuser()))
        typer.echo(f"removed the study {gone.name}")
    elif output is not None:
        with open_text_output(output, force) as file:
            file.write(study.record)
    elif as_json:
        print_json({**study._asdict(), "made_at": study.made_at.isoformat()})
    else:
        _print_study(study)


def _print_study(study: Study) -> None:
    found = read_tree(study.record, "gipf")
    typer.echo(f"{study.name} (by {study.author}, {study.made_at:%Y-%m-%d})")
    typer.echo(f"from {found.tree.start}")
    typer.echo("")
    typer.echo(print_tree(found.tree) or "no moves")
