"""`zertz match`: play many games between two players, and print the score."""

from __future__ import annotations

import datetime
import io
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.commands.board.game_storage import check_target, store_games
from zertz_db.cli.commands.board.loading import load_engine
from zertz_db.cli.commands.board.start import BoardOption, Line, Rules, find_start
from zertz_db.cli.errors import INTERRUPTED, Stop
from zertz_db.cli.interrupt import stop_on_signal
from zertz_db.cli.options import DEFAULT_DATABASE, Json
from zertz_db.cli.progress import show_progress
from zertz_db.cli.safe_output import decode_argument
from zertz_db.cli.tables import print_json
from zertz_db.engine.choose import SECONDS
from zertz_db.engine.matches.elo import Difference
from zertz_db.engine.matches.match import OPENING_PLIES, MatchOptions, MatchResult, run_match
from zertz_db.engine.strengths import STRENGTHS
from zertz_db.play.write_files import write_text
from zertz_db.plurals import format_count

_MOST_FAULTS = 10


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("match")(play_match)


def play_match(
    first: Annotated[
        str, typer.Argument(metavar="A", help='Player: random, greedy, easy, medium, hard, or "cmd:COMMAND".')
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="The other player.")],
    games: Annotated[int, typer.Option("--games", "-n", min=1, max=100_000, help="Number of games.")] = 20,
    board: BoardOption = None,
    rules: Rules = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--position", help="Position string to start from; it states board and rules.", show_default=False
        ),
    ] = None,
    line: Line = "",
    opening: Annotated[
        int, typer.Option("--opening", min=0, max=20, help="Random plies at the beginning of each pair of games.")
    ] = OPENING_PLIES,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the openings and of choices between equal moves.")] = 1,
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, max=3600, help="Maximum time for a move.")] = SECONDS,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="Node limit to send to programs.", show_default=False)
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Games that are played at once.")] = 1,
    as_json: Json = False,
    db: Annotated[
        Path | None,
        typer.Option("--db", metavar="FOLDER", help="Store the games in this database.", show_default=False),
    ] = None,
) -> None:
    """Play many games between two players, and print the score and the difference of ratings with its interval.

    The players take turns to begin; two games in a row have the same random opening. A player can be a program that speaks the protocol
    of `zertz engine`, given as "cmd:python adapter.py": one that is late, crashes or plays an illegal move loses the game, and is named.

    Examples:  zertz match easy greedy --games 4  ·  zertz match random greedy --board 48 --jobs 2 --db club.zertz
    """
    start, _ = find_start(
        position and decode_argument(position), decode_argument(line), board, rules, None, None, DEFAULT_DATABASE
    )
    if start.is_over:
        raise Stop("the game is over: start from a position before its last move")
    specs = decode_argument(first), decode_argument(second)
    if db:
        check_target(db)
    options = MatchOptions(*specs, games, start, seed, opening, seconds, nodes, jobs)
    try:
        with (
            stop_on_signal(lambda: "the match was stopped; nothing was stored"),
            show_progress("playing", "games", games) as tick,
        ):
            if any(spec in STRENGTHS for spec in specs):
                load_engine()
            result = run_match(options, tick)
    except KeyboardInterrupt as error:
        raise Stop("the match was stopped; nothing was stored", INTERRUPTED) from error
    if as_json:
        print_json(result.as_json())
    else:
        _print_result(result)
    if db:
        text = io.StringIO()
        write_text((game.record for game in result.games), text)
        now = datetime.datetime.now().astimezone()
        store_games(text.getvalue(), db, f"zertz-match-{now:%Y%m%d-%H%M%S}.txt")


def _print_result(result: MatchResult) -> None:
    first, second = result.names
    score, other = result.wins + result.ties / 2, result.losses + result.ties / 2
    typer.echo(f"{first} {score:g} : {other:g} {second}")
    typer.echo(
        f"{format_count(len(result.games), 'game')}: {format_count(result.wins, 'win')} of {first}, "
        f"{format_count(result.losses, 'win')} of {second}, {format_count(result.ties, 'tie')}; "
        f"{format_count(result.wins_of_beginners, 'win')} of the player who began"
    )
    if result.elo:
        stronger, elo = (first, result.elo) if result.elo.elo >= 0 else (second, result.elo.reversed())
        typer.echo(f"{stronger} is stronger by {_describe(elo)}" if elo.elo else f"equal scores: {_describe(elo)}")
    for game in result.faults[:_MOST_FAULTS]:
        typer.echo(f"game {game.number}: {game.fault}")
    if len(result.faults) > _MOST_FAULTS:
        typer.echo(f"… and {len(result.faults) - _MOST_FAULTS:,} more such games")


def _describe(elo: Difference) -> str:
    def signed(points: float) -> str:
        return f"{points:+.0f}" if abs(points) < float("inf") else "∞" if points > 0 else "-∞"

    return f"{signed(elo.elo)} Elo points (95 % interval: {signed(elo.low)} to {signed(elo.high)})"
