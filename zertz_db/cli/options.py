"""Options that several commands share, and the opening of a database for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zertz_db.cli.errors import Stop

if TYPE_CHECKING:
    from zertz_db.store.errors import LockHeld
    from zertz_db.store.folder.database import Database
    from zertz_db.store.folder.lock import Wait


Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Csv = Annotated[
    bool,
    typer.Option(
        "--csv", help="Print CSV; texts that a spreadsheet would run as a formula begin with an apostrophe, only there."
    ),
]
Parquet = Annotated[Path | None, typer.Option("--parquet", metavar="FILE", help="Write a Parquet file instead.")]

Limit = Annotated[int, typer.Option("--limit", min=0, help="At most so many; 0 for all.")]
Sort = Annotated[str, typer.Option("--sort", metavar="COLUMN", help="A column; -COLUMN for the greatest first.")]

TEXT_COLUMNS = ("id", "date", "player1", "player2", "result", "ending", "board", "plies")
"""What fits on a terminal; --json, --csv and --parquet have more."""


@contextmanager
def open_for_query(folder: Path) -> Iterator[Database]:
    """A database to ask; what can't be answered as asked stops the command."""
    from zertz_db.queries.errors import QueryError
    from zertz_db.store.open_database import open_database

    with open_database(folder) as database:
        try:
            yield database
        except QueryError as error:
            raise Stop(str(error)) from error


DEFAULT_DATABASE = Path("games.zertz")

DatabaseFolder = Annotated[
    Path, typer.Option("--db", metavar="FOLDER", envvar="ZERTZ_DB", help="The database: a folder.", show_envvar=True)
]


Author = Annotated[str | None, typer.Option("--author", metavar="NAME", help="Who says so; else your name here.")]


DEFAULT_SECONDS = 600.0
"""Long enough for most imports. Who asks for a change mostly prefers to wait; Ctrl-C ends it."""

WaitOption = Annotated[
    float,
    typer.Option(
        "--wait", min=0, metavar="SECONDS", help="How long to wait while another command changes the database."
    ),
]


def build_wait(seconds: float) -> Wait:
    """Return how to wait: for so long, with one line on standard error that says for whom."""
    from zertz_db.store.folder.lock import Wait

    def tell(held: LockHeld) -> None:
        typer.echo(f"zertz: waiting up to {seconds:g} s for {held.holder}, which is changing the database", err=True)

    return Wait(seconds, tell)
