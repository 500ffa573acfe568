"""`zertz winchance`: the win chance of a position, how good such chances are, and the fit to one's own games."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.filter_options import add_filter_options
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, open_for_query
from zertz_db.cli.safe_output import Force, write_atomically
from zertz_db.cli.tables import choose_form, print_result
from zertz_db.queries.result import Column, Result
from zertz_db.queries.training_positions import read_samples
from zertz_db.tactics.win_chance.fit import TREES, fit_model
from zertz_db.tactics.win_chance.model import Model, read_model, shipped_model

_COLUMNS = (
    Column("group", "which of the held-out positions"),
    Column("positions", "number of positions"),
    Column("games", "number of games"),
    Column("log_loss", "mean of -log of the chance of what happened; 0.693 for a coin"),
    Column("auc", "how often a won position has a higher chance than a lost one"),
    Column("calibration_error", "mean distance of chance and share of wins, in points of 100"),
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("winchance")(show_win_chance)


@add_filter_options
def show_win_chance(
    *,
    filters: str,
    fit: Annotated[bool, typer.Option("--fit", help="Fit a win chance to the games of the database.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write the fitted numbers to this file, with --fit.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="FILE", help="Print the table of this file (default: the shipped numbers)."),
    ] = None,
    trees: Annotated[
        int, typer.Option("--trees", min=1, max=2000, help="Number of decision trees, with --fit.")
    ] = TREES,
    half_life: Annotated[
        float | None,
        typer.Option(
            "--half-life", metavar="YEARS", min=0.1, max=100, help="A game this old weighs half as much, with --fit."
        ),
    ] = None,
    as_json: Json = False,
    as_csv: Csv = False,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Print how good the win chance is on games that were held out of the fit; with --fit, fit it to your own games.

    The win chance says how often the side to move won from such positions. --fit takes the games of a filter (default: all of the
    database): a fifth of them is held out and measured. `zertz winchance --fit board:37 --output chance.json` needs LightGBM, some minutes
    for a million positions, and 20 games or more. Only --fit needs a database.

    Examples:  zertz winchance  ·  zertz winchance --json
    """
    form = choose_form(as_json, as_csv)
    if not fit and (filters or output):
        raise Stop("a filter and --output belong to --fit")
    if not fit and trees != TREES:
        raise Stop("--trees belongs to --fit")
    if not fit and half_life is not None:
        raise Stop("--half-life belongs to --fit")
    if fit and model:
        raise Stop("--model and --fit can't be combined; choose one")
    found = (
        _fit(folder, filters, trees, half_life, output, force)
        if fit
        else read_model(model)
        if model
        else shipped_model()
    )
    rows = [tuple(row[column.name] for column in _COLUMNS) for row in found.card]
    print_result(Result(_COLUMNS, rows), form)


def _fit(folder: Path, filters: str, trees: int, half_life: float | None, output: Path | None, force: bool) -> Model:
    with ExitStack() as stack:
        part = stack.enter_context(write_atomically(output, force)) if output else None  # an error costs no fit
        with open_for_query(folder) as database:
            samples = read_samples(database, filters)
        found = fit_model(
            samples,
            trees=trees,
            half_life=half_life,
            report=lambda doing: typer.echo(f"zertz: {doing} …", err=True),
        )
        if part:
            found.write(part)
    return found
