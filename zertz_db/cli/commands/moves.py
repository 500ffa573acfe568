"""`zertz moves`: list the legal moves of a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from zertz_db.cli.game_text import draw_position
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Parquet
from zertz_db.cli.position_options import BoardOption, Game, Line, Ply, PositionText, Rules, find_start
from zertz_db.cli.safe_output import Force, decode_argument
from zertz_db.cli.tables import Form, choose_form, print_json, print_result, write_result
from zertz_db.queries.legal_moves import moves_table, sections, sentences
from zertz_db.queries.result import Result
from zertz_db.rules.moves import list_moves

if TYPE_CHECKING:
    from zertz_db.rules.moves import Moves


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("moves")(print_moves)


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
        _print(found, end, limit or None)
    else:
        write_result(moves_table(found), form, parquet, force)


def _print(found: Moves, end: str | None, limit: int | None) -> None:
    ended = [f"The game ended here: {end} By the rules it could continue."] if end else []
    for line in (*draw_position(found.position), "", *ended, *sentences(found)):
        typer.echo(line)
    for heading, table in sections(found, limit):
        typer.echo(f"\n{heading}")
        print_result(Result(table.columns, table.rows[:limit]))
        if limit and len(table.rows) > limit:
            typer.echo(f"… {len(table.rows) - limit:,} more; --limit 0 lists all")
