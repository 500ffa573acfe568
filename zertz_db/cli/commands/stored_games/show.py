"""`zertz show`: print one game, its board or its review."""

from __future__ import annotations

from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.game_text import format_game
from zertz_db.cli.interrupt import stop_on_signal
from zertz_db.cli.options import (
    DEFAULT_DATABASE,
    DatabaseFolder,
    Json,
    open_for_query,
)
from zertz_db.cli.review_text import format_review
from zertz_db.cli.safe_output import Force, open_text_output
from zertz_db.cli.tables import (
    print_json,
)
from zertz_db.export.rows import game_object
from zertz_db.plurals import format_count
from zertz_db.queries.games.novelty import find_novelty
from zertz_db.queries.games.one_game import Game, find_game
from zertz_db.queries.tactics.review import review_game, value_review
from zertz_db.rules.svg.board_svg import svg
from zertz_db.store.folder.database import Database


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("show")(show_game)


def show_game(
    game_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the game, or its first letters (at least 4).")],
    ply: Annotated[
        int | None, typer.Option("--ply", min=0, help="Number of plies before the board (default: all).")
    ] = None,
    picture: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Write the board to this SVG file; -: standard output."),
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="Show the plies with win chances, missed wins, blunders, mistakes.")
    ] = False,
    lines: Annotated[
        bool, typer.Option("--lines", help="Add the line of each missed win to --review; it is searched now.")
    ] = False,
    as_json: Json = False,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Show a game: its tags, moves, a board, its findings and its sightings.

    A * marks the first move that leads to positions of no earlier game.

    --review needs the analysis of zertz analyse. "Let a forced win go" does not mean that the game was lost by it; "none was found" is
    within the limits of the search. The first number of a line is the number of plies before the move, as --ply takes it.

    Examples:  zertz show 3T7K0V9QZ4M1A  ·  zertz show 3T7K --ply 12  ·  zertz show 3T7K --ply 12 --svg board.svg
    ·  zertz show 3T7K --review --lines
    """
    if (ply is not None or picture is not None) and review:
        raise Stop("--review shows all plies: omit --ply and --svg")
    if lines and (as_json or not review):
        raise Stop("--lines belongs to --review as text")
    with open_for_query(folder) as database:
        if review:
            _print_review(database, game_id, lines, as_json)
            return
        game = find_game(database, game_id)
        if as_json:
            print_json({**game_object(database, game.id), "novelty": find_novelty(database, game).as_json()})
            return
        if ply is not None and ply > len(game.moves):
            plies = len(game.moves)
            raise Stop(
                f"the game has {format_count(plies, 'ply', 'plies')}: --ply takes 0 (the start) to {plies} (the end)"
            )
        if picture is not None:
            _write_svg(game, len(game.moves) if ply is None else ply, picture, force)
            return
        for line in format_game(game, ply, find_novelty(database, game)):
            typer.echo(line)


def _print_review(database: Database, game_id: str, has_lines: bool, as_json: bool) -> None:
    found = review_game(database, game_id)
    if found.problem and not as_json:
        typer.echo(found.problem, err=True)
        return
    game = find_game(database, game_id)
    with stop_on_signal(lambda: "the search was stopped"):
        found = value_review(found, game.positions)
        if as_json:
            print_json(found.as_json())
            return
        for line in format_review(game, found, has_lines):
            typer.echo(line)


def _write_svg(game: Game, ply: int, output: str, force: bool) -> None:
    """Write the board after a number of plies, with the captures, as SVG."""
    with open_text_output(output, force) as file:
        file.write(svg(game.positions[ply], game.moves[ply - 1] if ply else None, racks=True) + "\n")
