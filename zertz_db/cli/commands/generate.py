"""`zertz generate`: generate random records."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.progress import show_progress
from zertz_db.ingest.worker_pool import count_cores
from zertz_db.parser.boardspace.writer import NoServerForm
from zertz_db.parser.record import Record
from zertz_db.play.generate import generate_games
from zertz_db.play.write_files import GenerateOptions, write_archive, write_folder, write_text
from zertz_db.rules.board import BoardError
from zertz_db.rules.errors import PositionError
from zertz_db.rules.position import Position
from zertz_db.rules.rule_sets import RuleSetError


class PlayerKind(StrEnum):
    """Kinds of generated players."""

    random = "random"
    greedy = "greedy"


class Form(StrEnum):
    """Dialects of generated games."""

    gipf = "gipf"
    boardspace = "boardspace"


_Player = "random: any legal move; greedy: one move of lookahead."


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("generate")(generate_records)


def generate_records(
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="Number of games.")] = 10,
    board: Annotated[
        str, typer.Option("--board", help="Board: 37, 40, 43, 44, 48 or 61; zertz+11 and 48 rings are 48.")
    ] = "37",
    rules: Annotated[
        str,
        typer.Option(
            "--rules",
            help="Rule set: standard or blitz; options: +tournament, +written (claims), +noties, +repetition2.",
        ),
    ] = "standard",
    position: Annotated[
        str | None, typer.Option("--position", help="Position string to start from; it states board and rules.")
    ] = None,
    first: Annotated[PlayerKind, typer.Option("--first", help=f"First player. {_Player}")] = PlayerKind.random,
    second: Annotated[PlayerKind, typer.Option("--second", help="Second player.")] = PlayerKind.random,
    seed: Annotated[int, typer.Option("--seed", help="Seed; one seed gives the same games on every machine.")] = 1,
    annotated: Annotated[bool, typer.Option("--annotated", help="Add clocks and comments.")] = False,
    to: Annotated[
        Form,
        typer.Option(
            "--to", help="Dialect: gipf, the official notation; boardspace, a zip with one SGF file per game."
        ),
    ] = Form.gipf,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            help="Output file; -: standard output; NAME/: a folder of files with 100 games each.",
        ),
    ] = "-",
) -> None:
    """Generate legal games: most end with a winning set, some by resignation or on time.

    Examples:  zertz generate --games 100 --board 48 -o games.txt  ·  zertz generate --first greedy --to boardspace -o games.zip
    ·  zertz generate --games 1000000 --to boardspace -o games/
    """
    start = _start(board, rules, position)
    if output.endswith("/") or Path(output).is_dir():
        _write_folder(GenerateOptions(games, seed, first, second, start.text, annotated, to), Path(output))
        return
    records = generate_games(games, seed=seed, first=first, second=second, start=start, annotated=annotated)
    if to is Form.gipf:
        _write_text(records, output)
    else:
        _write_archive(records, output)


def _start(board: str, rules: str, position: str | None) -> Position:
    try:
        return Position.start(board, rules) if position is None else Position.parse(position)
    except (BoardError, RuleSetError, PositionError) as error:
        raise Stop(str(error)) from error


def _write_text(records: Iterable[Record], output: str) -> None:
    if output == "-":
        write_text(records, sys.stdout)
        return
    with Path(output).open("w", encoding="utf-8", newline="\n") as target:
        write_text(records, target)


def _write_archive(records: Iterable[Record], output: str) -> None:
    if output == "-" and sys.stdout.isatty():
        raise Stop("can't write a zip to a terminal; name a file with --output")
    archive = io.BytesIO()
    try:
        write_archive(records, archive)
    except NoServerForm as error:
        raise Stop(f"{error}; write --to gipf instead") from error
    if output == "-":
        sys.stdout.buffer.write(archive.getvalue())
    else:
        Path(output).write_bytes(archive.getvalue())


def _write_folder(wanted: GenerateOptions, folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()):
        raise Stop(f"{folder} is not empty; name a new folder")
    try:
        with show_progress("writing", "games", wanted.games) as tick:
            write_folder(wanted, folder, count_cores(), tick)
    except NoServerForm as error:
        raise Stop(f"{error}; write --to gipf instead") from error
