"""`zertz solve`: search a position for a forced win."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from zertz_db.cli.game_text import draw_position
from zertz_db.cli.interrupt import stop_on_signal
from zertz_db.cli.options import DEFAULT_DATABASE, DatabaseFolder, Json
from zertz_db.cli.position_options import BoardOption, Game, Line, Ply, PositionText, Rules, find_start
from zertz_db.cli.safe_output import decode_argument
from zertz_db.cli.tables import print_json, print_result
from zertz_db.queries.result import Column, Result
from zertz_db.tactics.limits import LARGEST_DEPTH, LARGEST_NODES
from zertz_db.tactics.solver import DEPTH, NODES_LIMIT, solve

if TYPE_CHECKING:
    from zertz_db.rules.position import Position
    from zertz_db.tactics.solver import Solution


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("solve")(solve_position)


def solve_position(
    position: PositionText = None,
    line: Line = "",
    board: BoardOption = None,
    rules: Rules = None,
    game: Game = None,
    ply: Ply = None,
    depth: Annotated[
        int,
        typer.Option("--depth", min=1, max=LARGEST_DEPTH, help="Maximum length of the win in plies, an odd number."),
    ] = DEPTH,
    nodes: Annotated[
        int, typer.Option("--nodes", min=1, max=LARGEST_NODES, help="Maximum number of positions to examine.")
    ] = NODES_LIMIT,
    as_json: Json = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Search a position for a forced win of the player to move, and print the line and all winning moves.

    A forced win beats every legal defence: each move of the winner leaves the opponent a compulsory capture, until the last one wins.
    The length counts the plies of both players; a chain of jumps is one ply. The winning moves are grouped: placements by marble and
    ring, captures by start, landing and jumped marbles. "None found" is not "none": the answer names what was searched. Only --game
    needs a database.

    Examples:  zertz solve --moves 'Wd4,d1 Bd3,a1'  ·  zertz solve --game 3T7K --ply 2 --depth 7  ·  zertz solve --board 61 --json
    """
    start, _ = find_start(
        position and decode_argument(position), decode_argument(line), board, rules, game, ply, folder
    )
    with stop_on_signal(lambda: "the search was stopped"):
        found = solve(start, depth, nodes)
    if as_json:
        print_json(found.as_json())
    else:
        _print(found, start)


def _print(found: Solution, start: Position) -> None:
    for text in draw_position(start):
        typer.echo(text)
    typer.echo(f"\nPlayer {start.side}: {found.verdict}. {found.nodes:,} positions examined.")
    if not found.forced:
        return
    _print_line(found, start)
    typer.echo("\nwinning moves" + ("" if found.winning_is_complete else " (not all: the limit was reached)"))
    columns = (Column("move", "one of the winning moves of its class"), Column("plies", "length of the win"))
    print_result(Result(columns, [(one.example, one.plies) for one in found.winning]))


def _print_line(found: Solution, start: Position) -> None:
    """Print the moves of the win, each with the board after it."""
    for number, move in enumerate(found.line, 1):
        typer.echo(f"\n{number}. {move}")
        start = start.play(start.move(move))
        for text in draw_position(start):
            typer.echo(text)
    if not found.line_is_whole:
        typer.echo("\nThe limit was reached before the rest of the line was found; try more --nodes.")
