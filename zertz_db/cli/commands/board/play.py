"""`zertz play`: play a game against the engine."""

from __future__ import annotations

import datetime
import getpass
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.commands.board.dialogue import Dialogue, DialogueOptions
from zertz_db.cli.commands.board.game_storage import check_target, store_games
from zertz_db.cli.commands.board.loading import load_engine
from zertz_db.cli.commands.board.start import BoardOption, Line, PositionText, Rules, find_start
from zertz_db.cli.errors import INTERRUPTED, Stop
from zertz_db.cli.interrupt import stop_on_signal
from zertz_db.cli.options import DEFAULT_DATABASE
from zertz_db.cli.safe_output import decode_argument
from zertz_db.engine.choose import SECONDS
from zertz_db.engine.strengths import MEDIUM, strength_named


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play")(play_game)


def play_game(
    position: PositionText = None,
    line: Line = "",
    board: BoardOption = None,
    rules: Rules = None,
    strength: Annotated[
        str, typer.Option("--strength", "-s", help="Strength of the engine: easy, medium or hard.")
    ] = MEDIUM.name,
    is_first: Annotated[bool, typer.Option("--first/--second", help="Who begins: you, or the engine.")] = True,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=60, help="Maximum time of the engine for a move.")
    ] = SECONDS,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Seed of the engine's choices between equal moves.", show_default=False)
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", help="Your name in the record (default: your user name).", show_default=False),
    ] = None,
    db: Annotated[
        Path | None,
        typer.Option("--db", metavar="FOLDER", help="Store the finished game in this database.", show_default=False),
    ] = None,
) -> None:
    """Play a game against the engine: type moves in official notation, and help for more.

    The game can be taken back (undo), saved (save FILE), given up (resign) and, with --db, stored as a checked record once it is over.

    Examples:  zertz play  ·  zertz play --strength hard --second --board 48  ·  zertz play --rules blitz --db club.zertz
    """
    strength_named(strength)
    start, _ = find_start(
        position and decode_argument(position), decode_argument(line), board, rules, None, None, DEFAULT_DATABASE
    )
    if start.is_over:
        raise Stop("the game is over: start from a position before its last move")
    if db:
        check_target(db)
    now = datetime.datetime.now().astimezone()
    side = start.side if is_first else 3 - start.side
    you, engine = decode_argument(name or getpass.getuser()), f"{strength}-bot"
    options = DialogueOptions(
        start,
        side,
        strength,
        seed or secrets.token_hex(4),
        seconds,
        (you, engine) if side == 1 else (engine, you),
        now.strftime("%Y.%m.%d"),
    )
    dialogue = Dialogue(options, sys.stdin)
    try:
        with stop_on_signal(lambda: "the game was left unfinished"):
            load_engine()
            dialogue.run()
    except KeyboardInterrupt as error:
        raise Stop("the game was left unfinished", INTERRUPTED) from error
    if db and dialogue.finish:
        store_games(dialogue.record_text(), db, f"zertz-play-{now:%Y%m%d-%H%M%S}.txt")
