"""Find the position that options state: a position string, the position of a game, or an empty board, and moves from there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.options import open_for_query
from zertz_db.queries.errors import QueryError
from zertz_db.queries.games.one_game import course, find_game
from zertz_db.queries.openings.line import after, start_of
from zertz_db.rules.position import Position

PositionText: TypeAlias = Annotated[
    str | None,
    typer.Argument(metavar="[POSITION]", help="Position string (default: the empty board).", show_default=False),
]
Line: TypeAlias = Annotated[
    str, typer.Option("--moves", metavar="TEXT", help="Play these moves first: 'Wd4,d1 Bd3,a1'.", show_default=False)
]
BoardOption: TypeAlias = Annotated[
    str | None, typer.Option("--board", metavar="BOARD", help="Board that is empty (default: 37).")
]
Rules: TypeAlias = Annotated[str | None, typer.Option("--rules", metavar="RULES", help="Rule set (default: standard).")]
Game: TypeAlias = Annotated[
    str | None, typer.Option("--game", metavar="ID", help="Use a position of this game: see --ply.")
]
Ply: TypeAlias = Annotated[
    int | None, typer.Option("--ply", min=0, help="Number of plies before the position of --game (default: all).")
]


def find_start(
    position: str | None,
    line: str,
    board: str | None,
    rules: str | None,
    game: str | None,
    ply: int | None,
    folder: Path,
) -> tuple[Position, str | None]:
    """Return the position; and if it is the last of a game, what ended the game. Raise Stop."""
    if sum((position is not None, game is not None, board is not None or rules is not None)) > 1:
        raise Stop("give one start: a position string, or --game with --ply, or --board with --rules")
    if ply is not None and game is None:
        raise Stop("--ply belongs to --game")
    try:
        if game is None:
            return after(start_of(position, board or "37", rules or "standard"), line), None
        begun, end = _of_game(game, ply, folder)
        return after(begun, line), None if line else end
    except QueryError as error:
        raise Stop(str(error)) from error


def _of_game(game: str, ply: int | None, folder: Path) -> tuple[Position, str | None]:
    with open_for_query(folder) as database:
        found = find_game(database, game)
        position = course(database, game).position(ply)
    return position, found.end if ply in (None, len(found.moves)) and not position.is_over else None
