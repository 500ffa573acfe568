"""`zertz moves`, `solve`: list the legal moves of a position, and search it for a forced win."""

from __future__ import annotations

from typing import Annotated

import typer

from zertz_db.cli.commands.board.start import BoardOption, Game, Line, Ply, PositionText, Rules, find_start
from zertz_db.cli.game_text import draw_position
from zertz_db.cli.interrupt import stop_on_signal
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Parquet
from zertz_db.cli.safe_output import Force, decode_argument
from zertz_db.cli.tables import Form, choose_form, print_json, print_result, write_result
from zertz_db.plurals import format_count
from zertz_db.queries.legal_moves import moves_table, sections, sentences
from zertz_db.queries.result import Column, Result
from zertz_db.rules.moves import Moves, list_moves
from zertz_db.rules.position import Position
from zertz_db.tactics.bounded_search import Answer
from zertz_db.tactics.limits import LARGEST_DEPTH, LARGEST_NODES
from zertz_db.tactics.solver import DEPTH, NODES_LIMIT, Refutation, Solution, refute, solve

REPLIES_NODES = 50
"""Factor of the limit of nodes for all replies to a move together."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("moves")(print_moves)
    app.command("solve")(solve_position)


def print_moves(
    position: PositionText = None,
    line: Line = "",
    board: BoardOption = None,
    rules: Rules = None,
    game: Game = None,
    ply: Ply = None,
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="Maximum number of rows of a table as text (0: no limit).")
    ] = 20,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List the legal moves of a position: captures, or placements with their claims; and what each player lacks.

    The command reports the jumps that make a capture compulsory, the free rings, the moves that end the game, and the number of moves
    after which the opponent must capture. It counts placements; --json, --csv and --parquet list all. Only --game needs a database.

    Examples:  zertz moves --moves 'Wd4,d1 Bd3,a1'  ·  zertz moves --game 3T7K --ply 2  ·  zertz moves --board 61 --csv
    """
    form = choose_form(as_json, as_csv, parquet)
    start, end = find_start(
        position and decode_argument(position), decode_argument(line), board, rules, game, ply, folder
    )
    found = list_moves(start)
    if form is Form.json:
        print_json(found.as_json())
    elif form is Form.text:
        _print_moves(found, end, limit or None)
    else:
        write_result(moves_table(found), form, parquet, force)


def _print_moves(found: Moves, end: str | None, limit: int | None) -> None:
    ended = [f"The game ended here: {end} By the rules it could continue."] if end else []
    for line in (*draw_position(found.position), "", *ended, *sentences(found)):
        typer.echo(line)
    for heading, table in sections(found, limit):
        typer.echo(f"\n{heading}")
        print_result(Result(table.columns, table.rows[:limit]))
        if limit and len(table.rows) > limit:
            typer.echo(f"… {len(table.rows) - limit:,} more; --limit 0 lists all")


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
        int, typer.Option("--nodes", min=1, max=LARGEST_NODES, help="Maximum number of nodes (positions to examine).")
    ] = NODES_LIMIT,
    move: Annotated[
        str | None,
        typer.Option("--refute", metavar="MOVE", help="Search for replies that refute this move.", show_default=False),
    ] = None,
    as_json: Json = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Search a position for a forced win of the player to move, and print the line and all winning moves.

    A forced win beats every legal defence: each move of the winner leaves the opponent a compulsory capture, until the last one wins.
    The length counts the plies of both players; a chain of jumps is one ply. The winning moves are grouped: placements by marble and
    ring, captures by start, landing and jumped marbles. "None found" is not "none": the answer names what was searched. Only --game
    needs a database. --refute judges a move: whether it wins by force, and which replies prevent that.

    Examples:  zertz solve --moves 'Wd4,d1 Bd3,a1'  ·  zertz solve --game 3T7K --ply 2 --depth 7  ·  zertz solve --board 61 --json
    """
    start, _ = find_start(
        position and decode_argument(position), decode_argument(line), board, rules, game, ply, folder
    )
    with stop_on_signal(lambda: "the search was stopped"):
        found = solve(start, depth, nodes)
        refuted = None if move is None else refute(start, decode_argument(move), depth, nodes, REPLIES_NODES * nodes)
    if as_json:
        print_json(Answer(found, refuted).as_json())
        return
    _print_solution(found, start)
    if refuted:
        _print_refutation(refuted, depth)


def _print_solution(found: Solution, start: Position) -> None:
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


def _print_refutation(found: Refutation, depth: int) -> None:
    """Print whether a move wins by force, and what is wrong with it otherwise."""
    if found.wins:
        typer.echo(f"\n{found.move}: wins by force in {format_count(found.wins, 'ply', 'plies')}.")
        return
    typer.echo(f"\n{found.move}: no forced win within {format_count(depth, 'ply', 'plies')} was found.")
    if not found.leaves_jump:
        typer.echo("It leaves the opponent no capture, so it belongs to no forced win.")
    if found.opponent_wins:
        typer.echo(f"The opponent then has a forced win in {format_count(found.opponent_wins, 'ply', 'plies')}.")
    if found.replies:
        typer.echo("\nreplies after which no forced win was found")
        columns = Column("reply", "one reply of each class"), Column("proven", "whether the search was complete")
        print_result(Result(columns, [(one.notation, one.is_proven) for one in found.replies]))
    if not found.replies_are_complete:
        typer.echo("The limit was reached before all replies were searched; try more --nodes.")
