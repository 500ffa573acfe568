"""`zertz tournaments`: list them, print one, write it to files, compare it with a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.completion import complete_values
from zertz_db.cli.errors import FINDINGS, NO_GAMES, Stop
from zertz_db.cli.filter_options import add_filter_options
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Limit, Parquet, SortRows, open_for_query
from zertz_db.cli.safe_output import Force, decode_argument, open_text_output
from zertz_db.cli.tables import Form, choose_form, write_rows
from zertz_db.export.standings_page import format_standings_page
from zertz_db.export.trf import format_trf
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.games.game_list import count_games
from zertz_db.queries.result import Result
from zertz_db.queries.tournaments.crosstable import build_crosstable, build_rounds
from zertz_db.queries.tournaments.file_comparison import compare_with_file
from zertz_db.queries.tournaments.tournament_games import Tournament, list_tournaments, read_tournament
from zertz_db.queries.tournaments.trf_file import MAX_BYTES, parse_trf

_LEGEND = (
    "numbered columns: 1 won, = tied, 0 lost, * without a result. Tie-breaks in their order: sonneborn_berger, buchholz, direct, wins. "
    "performance: the rating that the points suggest"
)
_ROUNDS_LEGEND = "3+ is a win against number 3, 3= a tie, 3- a loss, 3* a game without a result; an empty cell is a round without a game"
_NO_PAIRS = "no game of this tournament has two known players"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("tournaments")(show_tournaments)


@add_filter_options
def show_tournaments(
    *,
    filters: str,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="Tournament whose crosstable to print.", autocompletion=complete_values("edition")
        ),
    ] = None,
    rounds: Annotated[bool, typer.Option("--rounds", help="Print the opponents of each round instead.")] = False,
    trf: Annotated[
        str | None,
        typer.Option("--trf", metavar="FILE", help="Write the tournament as TRF16 of FIDE; -: standard output."),
    ] = None,
    html: Annotated[
        str | None,
        typer.Option(
            "--html", metavar="FILE", help="Write the standings as an HTML page to print; -: standard output."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="Read the tournament from a TRF file; with NAME, compare that with the file."
        ),
    ] = None,
    sort: SortRows = None,
    limit: Limit = 0,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List tournaments, latest first, or print the crosstable of one: 1 is a win, = a tie, 0 a loss, * a game without a result.

    A game belongs to its event. A game without an event that the server marks as a tournament game belongs to the tournament of its
    month. If an event resumes in another year, more than 60 days after its last game, it is a new edition: its name gets the year.
    The column filter selects the games of a tournament in any command.

    Players are ranked by points, then Sonneborn-Berger, Buchholz, direct encounter and wins. Players who are equal in all of them share a
    rank.

    A TRF file has no moves, so its games can't be imported. --from prints its crosstable, its rounds or its page, without a database.
    With NAME, --from lists what differs: players who are not matched, missing games, results. The exit status is 1 if anything differs.

    Examples:  zertz tournaments --since 2010  ·  zertz tournaments 'tournament 2010.05'
    ·  zertz tournaments 'tournament 2010.05' --trf may.trf  ·  zertz export 'edition:"tournament 2010.05"' -o may.txt
    ·  zertz tournaments 'tournament 2010.05' --html may.html  ·  zertz tournaments 'tournament 2010.05' --from may.trf
    """
    form = choose_form(as_json, as_csv, parquet)
    outputs = {"--rounds": rounds or None, "--trf": trf, "--html": html}
    chosen = [option for option, value in outputs.items() if value is not None]
    _require_possible(chosen, name, report, has_table_options=bool(form is not Form.text or limit or sort))
    name = name and decode_argument(name)
    if report is None:
        with open_for_query(folder) as database:
            if name is None:
                found = list_tournaments(database, filters)
                matched = count_games(database, filters)
                nothing = "no tournaments among these games" if matched else absence(database, filters)
                _write_table(found, nothing, limit, form, parquet, force, sort)
                return
            tournament = read_tournament(database, name, filters)
    elif name is None:
        if filters:
            raise Stop("--from reads a file, which has no filter: omit the filter, or name a tournament to compare")
        tournament = _read_file(report)
    else:
        file = _read_file(report)
        with open_for_query(folder) as database:
            differences = compare_with_file(database, name, file, filters)
        _write_differences(differences, file, report, limit, form, parquet, force, sort)
        return
    if trf is not None or html is not None:
        _write_file(tournament, trf, html, force)
        return
    found = (build_rounds if rounds else build_crosstable)(tournament)
    legend = _ROUNDS_LEGEND if rounds else _LEGEND
    if rounds and not any(column.startswith("round ") for column in found.names):
        typer.echo("no game of this tournament states its round", err=True)
    _write_table(found, _NO_PAIRS, limit, form, parquet, force, sort)
    if found.rows and form is Form.text:
        typer.echo(legend, err=True)


def _require_possible(chosen: list[str], name: str | None, source: Path | None, *, has_table_options: bool) -> None:
    """Raise Stop for options that contradict each other, and for those that lack a tournament."""
    if len(chosen) > 1:
        raise Stop(f"{' and '.join(chosen)} can't be combined; choose one")
    if chosen and name is None and source is None:
        raise Stop(f"{chosen[0]} needs the name of a tournament; zertz tournaments lists them")
    if chosen and name is not None and source is not None:
        raise Stop(f"NAME with --from compares both: omit {chosen[0]}, or omit NAME")
    if chosen and chosen[0] != "--rounds" and has_table_options:
        raise Stop(f"{chosen[0]} writes one file: omit the options of tables")


def _read_file(source: Path) -> Tournament:
    """Return the tournament of a TRF file; print its doubts. Raise Stop."""
    with source.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    try:
        tournament = parse_trf(data)
    except QueryError as error:
        raise Stop(f"{source}: {error}") from error
    for doubt in tournament.doubts:
        typer.echo(f"{source}: {doubt}", err=True)
    return tournament._replace(name=tournament.name or source.stem)


def _write_table(
    found: Result, nothing: str, limit: int, form: Form, parquet: Path | None, force: bool, sort: str | None
) -> None:
    if form is Form.text and not found.rows:
        typer.echo(nothing, err=True)
        return
    write_rows(found, limit, form, parquet, force, sort=sort)


def _write_differences(
    found: Result,
    file: Tournament,
    source: Path,
    limit: int,
    form: Form,
    parquet: Path | None,
    force: bool,
    sort: str | None,
) -> None:
    """Print the differences. Raise Stop with exit status 1 if there are any."""
    games = format_count(len(file.games), "game")
    if found.rows or form is not Form.text:
        write_rows(found, limit, form, parquet, force, sort=sort)
    if found.rows:
        raise Stop(f"{format_count(len(found.rows), 'difference')}; {source} has {games}", FINDINGS)
    typer.echo(f"{source} and the database agree on {games}", err=form is not Form.text)


def _write_file(tournament: Tournament, trf: str | None, html: str | None, force: bool) -> None:
    if not tournament.games:
        raise Stop(f"{_NO_PAIRS}. Nothing written.", NO_GAMES)
    try:
        text = format_trf(tournament) if html is None else format_standings_page(tournament)
    except ValueError as error:
        raise Stop(str(error)) from error
    with open_text_output(html or trf or "-", force) as file:
        file.write(text)
    typer.echo(format_count(len(tournament.games), "game"), err=True)
