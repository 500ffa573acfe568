"""`zertz relays`: list games with the same moves at about the same time."""

from __future__ import annotations

from typing import Annotated

import typer

from zertz_db.cli.filter_options import add_filter_options
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Limit, Parquet, SortRows, open_for_query
from zertz_db.cli.safe_output import Force
from zertz_db.cli.tables import Form, choose_form, write_rows
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.games.game_list import count_games
from zertz_db.queries.games.relays import HOURS, PERMUTATIONS, SHORTEST, compare_with_chance, list_relays

_NOTHING = "no games with the same moves at about the same time"
_LEGEND = (
    f"pairs: those close in time. expected, most: their mean number in {PERMUTATIONS} permutations of the dates, "
    "and the number that 95 % of them don't exceed"
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("relays")(show_relays)


@add_filter_options
def show_relays(
    *,
    filters: str,
    hours: Annotated[
        float, typer.Option("--hours", min=0, metavar="N", help="Maximum number of hours between the games.")
    ] = HOURS,
    shortest: Annotated[
        int, typer.Option("--shortest", min=1, metavar="N", help="Minimum number of plies that both games share.")
    ] = SHORTEST,
    chance: Annotated[
        bool, typer.Option("--chance", help="Count the pairs, and those in games whose dates are permuted.")
    ] = False,
    sort: SortRows = None,
    limit: Limit = 20,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List games with the same moves at about the same time, for a person to judge; the least expected by chance first.

    A player can answer one opponent with the moves of another opponent in a second game. Both games then reach the same positions, turned
    or mirrored perhaps. Relations: relayed (a player is on the other side in the other game); swapped (two players on each other's sides);
    elsewhere (other players); repeated (a player on the same side against another opponent). Games of the same players on the same sides
    are left out; see zertz duplicates.

    A pair proves nothing: players repeat lines, bots answer alike, and a game can be recorded twice. The column `expected` is the number of
    pairs of the relation, at least as deep and as close in time, in games whose dates are permuted. --chance compares all pairs with that.
    A filter selects pairs with one game at least; chance is counted in all games.

    Examples:  zertz relays  ·  zertz relays player:ada --hours 2  ·  zertz relays --chance
    """
    form = choose_form(as_json, as_csv, parquet)
    with open_for_query(folder) as database:
        found = (
            compare_with_chance(database, hours=hours, shortest=shortest)
            if chance
            else list_relays(database, filters, hours=hours, shortest=shortest)
        )
        matched = bool(found.rows) or count_games(database, filters)
        nothing = _NOTHING if matched else absence(database, filters)
    if form is Form.text and not found.rows:
        typer.echo(nothing, err=True)
        return
    write_rows(found, limit, form, parquet, force, sort=sort)
    if chance and form is Form.text:
        typer.echo(_LEGEND, err=True)
