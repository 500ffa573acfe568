"""`zertz pairings`: who plays whom in a round robin."""

from __future__ import annotations

from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.options import Csv, Json, Parquet
from zertz_db.cli.safe_output import Force, decode_argument, open_text_output
from zertz_db.cli.tables import Form, choose_form, write_result
from zertz_db.export.pairings_page import format_pairings_page
from zertz_db.queries.errors import QueryError
from zertz_db.queries.tournaments.round_robin import list_pairings, pair_players


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("pairings")(show_pairings)


def show_pairings(
    *,
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="The players, in the order of their numbers.")],
    double: Annotated[
        bool, typer.Option("--double", help="Let each pair play twice, with the other player first in the second game.")
    ] = False,
    html: Annotated[
        str | None,
        typer.Option("--html", metavar="FILE", help="Write the rounds as an HTML page to print; -: standard output."),
    ] = None,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
) -> None:
    """Print the pairings of a round robin by Berger tables: player1 moves first.

    With an odd number of players, one has a bye in each round: no game. Give the tags Event and Round to the records of the games; zertz
    tournaments then prints the crosstable. For a Swiss, use a pairing program: zertz tournaments NAME --trf writes a file for it.

    Examples:  zertz pairings Ada Ben Cy Dan  ·  zertz pairings Ada Ben Cy --double --csv  ·  zertz pairings Ada Ben Cy --html rounds.html
    """
    form = choose_form(as_json, as_csv, parquet)
    players = [decode_argument(name) for name in names]
    if html is not None and form is not Form.text:
        raise Stop("--html writes one file: omit the options of tables")
    try:
        if html is None:
            write_result(list_pairings(players, double=double), form, parquet, force)
            return
        page = format_pairings_page(pair_players(players, double=double))
    except QueryError as error:
        raise Stop(str(error)) from error
    with open_text_output(html, force) as file:
        file.write(page)
