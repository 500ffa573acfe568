"""`zertz ratings`: rate players by their games."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.filter_options import add_filter_options
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Limit, Parquet, SortRows, open_for_query
from zertz_db.cli.safe_output import Force, decode_argument
from zertz_db.cli.share_bars import DEVIATIONS, draw_curve, format_deviations
from zertz_db.cli.tables import Form, choose_form, print_json, print_result, write_result, write_rows
from zertz_db.plurals import format_count
from zertz_db.queries.errors import QueryError
from zertz_db.queries.filters.ranges import days
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.filters.terms import join_filters
from zertz_db.queries.games.game_list import count_games
from zertz_db.queries.players.player_list import find_player
from zertz_db.queries.players.player_rating import PlayerRating, rate_player
from zertz_db.queries.players.ratings import rate_players, rating_history
from zertz_db.queries.players.whole_history import list_years, rate_at, rate_whole_history
from zertz_db.queries.result import Result, sort_rows
from zertz_db.store.folder.database import Database

_LEGEND = f"{DEVIATIONS}. at_least: the rating minus ±"
WHOLE = "whole"
"""The value of --history that is not a player."""


class Kind(StrEnum):
    """The kinds of players that are rated."""

    human = "human"
    bot = "bot"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ratings")(show_ratings)


@add_filter_options
def show_ratings(
    *,
    filters: str,
    words: str,
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="Print only humans or only bots; the ratings use both.")
    ] = None,
    history: Annotated[
        list[str] | None,
        typer.Option(
            "--history",
            metavar="NAME",
            help="List this player's rating game by game; can be repeated. whole: rate each day by all games before and after it.",
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="DATE", help="Day of --history whole; the last day of a year or a month."),
    ] = None,
    sort: SortRows = None,
    limit: Limit = 20,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Rate players by their games, with deviations: humans first, then bots, each sorted by the lower bound of the rating.

    A game is rated if it has a result and a full date, and if its two players differ and are not guests. A new player has 1500; 400
    points more are odds of ten to one; the true strength is within two deviations with 95 % confidence. Humans and bots play each other,
    so they share one scale; for humans among themselves use kind:human-human.

    A filter selects the rated games: player:ada rates everyone by the games with Ada alone. Such ratings differ from those stored with
    the games, which the filter field rating uses. A player's name in place of a filter prints this player's row of the full ratings,
    with the rank, the best rating, and the course over the years.

    --history whole rates each player on each day by the games of all time (Coulom's whole-history rating). It estimates best how strong
    a player was in an earlier year. With a name it lists the years of this player.

    Examples:  zertz ratings  ·  zertz ratings ada  ·  zertz ratings board:37 since:2020 --limit 0 --csv  ·
    zertz ratings --history ada --history ben --csv  ·  zertz ratings --history whole ada --at 2010
    """
    form = choose_form(as_json, as_csv, parquet)
    is_whole = WHOLE in (history or ())
    if is_whole and history != [WHOLE]:
        raise Stop(f"--history {WHOLE} rates all players: omit the other --history")
    if at is not None and not is_whole:
        raise Stop(f"--at belongs to --history {WHOLE}")
    with open_for_query(folder) as database:
        if is_whole:
            _require_known(database, words)
            _write(_rate_whole(database, filters, words, kind, at), limit, form, parquet, force, sort)
            return
        player = None if history or filters else _find_player(database, words)
        if player is not None:
            found_rating = rate_player(database, player)
            if form is Form.text:
                _print_rating(found_rating)
            elif form is Form.json:
                print_json(found_rating.as_json())
            else:
                write_result(found_rating.rating, form, parquet, force)
            return
        _require_known(database, words)
        filters = join_filters(filters, words)
        matched = count_games(database, filters)
        names = [decode_argument(name) for name in history or ()]
        found = rating_history(database, filters, names) if names else rate_players(database, filters, kind)
        nothing = "No game that matches can be rated." if matched else absence(database, filters)
    if filters and matched:
        typer.echo(
            f"Ratings from the {format_count(matched, 'game')} that match the filter alone, not the stored ones.",
            err=form is not Form.text,
        )
    if not found.rows and form is Form.text:
        typer.echo(nothing, err=True)
        return
    _write(found, limit, form, parquet, force, sort, last=bool(history))


def _rate_whole(database: Database, filters: str, words: str, kind: Kind | None, at: str | None) -> Result:
    """Return the whole-history ratings: of all players, or the years of one, or one day of one."""
    day = None if at is None else days(at)[1]
    player = _find_player(database, words)
    if player is None:
        return rate_whole_history(database, join_filters(filters, words), at=day, kind=kind)
    return list_years(database, player, filters) if day is None else rate_at(database, player, day, filters)


def _write(
    found: Result, limit: int, form: Form, parquet: Path | None, force: bool, sort: str | None, *, last: bool = False
) -> None:
    """Print a table of ratings; for people with two deviations and a legend."""
    if form is not Form.text:
        write_rows(found, limit, form, parquet, force, last=last, sort=sort)
        return
    found = format_deviations(sort_rows(found, sort))
    write_rows(found, limit, form, parquet, force, last=last and sort is None)
    typer.echo(_LEGEND if "at_least" in found.names else DEVIATIONS, err=True)


def _print_rating(found: PlayerRating) -> None:
    print_result(format_deviations(found.rating))
    typer.echo(f"\n{draw_curve(found.curve)}  {min(found.curve)} to {max(found.curve)}, game by game\n")
    print_result(format_deviations(found.years))
    typer.echo(_LEGEND if "at_least" in found.rating.names else DEVIATIONS, err=True)


def _require_known(database: Database, words: str) -> None:
    """Raise QueryError for a word in place of a filter that is neither a player nor in any game."""
    name = words.strip().strip('"')
    if name and _is_name(name) and not count_games(database, words):
        find_player(database.connection(), name)


def _is_name(words: str) -> bool:
    """Check if a filter consists of words without fields."""
    return not set(words) & set(':()"') and not {"and", "or", "not"} & {*words.casefold().split()}


def _find_player(database: Database, words: str) -> str | None:
    """Return the player whose name is in place of a filter, or None."""
    name = words.strip().strip('"')
    if not name:
        return None
    try:
        return find_player(database.connection(), name).name
    except QueryError:
        return None
