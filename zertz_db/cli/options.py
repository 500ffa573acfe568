"""Options that several commands share, and the opening of a database for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.queries.errors import QueryError
from zertz_db.store.errors import LockHeld
from zertz_db.store.folder.lock import Wait

if TYPE_CHECKING:
    from zertz_db.store.folder.database import Database

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Csv = Annotated[
    bool,
    typer.Option(
        "--csv",
        help="Print CSV; an apostrophe precedes texts that a spreadsheet would run as formulas (--raw-csv: not).",
    ),
]
Parquet = Annotated[Path | None, typer.Option("--parquet", metavar="FILE", help="Write a Parquet file.")]

Limit = Annotated[int, typer.Option("--limit", min=0, help="Maximum number of rows (0: no limit).")]
SortRows = Annotated[
    str | None, typer.Option("--sort", metavar="COLUMN", help="Sort column of the list; -COLUMN: descending.")
]
Sort = Annotated[str, typer.Option("--sort", metavar="COLUMN", help="Sort column; -COLUMN: descending.")]

TEXT_COLUMNS = ("id", "date", "player1", "player2", "result", "ending", "board", "plies")
"""Columns for a terminal; --json, --csv and --parquet have more."""


@contextmanager
def open_for_query(folder: Path) -> Iterator[Database]:
    """Yield an open database; a QueryError stops the command."""
    from zertz_db.store.open_database import open_database  # DuckDB, which `zertz import` loads later

    with open_database(folder) as database:
        try:
            yield database
        except QueryError as error:
            raise Stop(str(error)) from error


DEFAULT_DATABASE = Path("games.zertz")

DatabaseFolder = Annotated[
    Path, typer.Option("--db", metavar="FOLDER", envvar="ZERTZ_DB", help="Folder of the database.", show_envvar=True)
]


Author = Annotated[str | None, typer.Option("--author", metavar="NAME", help="Author (default: your user name).")]


DEFAULT_SECONDS = 600.0
"""Default of --wait: long enough for most imports. Ctrl-C ends the wait."""

WaitOption = Annotated[
    float,
    typer.Option(
        "--wait", min=0, metavar="SECONDS", help="Seconds to wait while another command changes the database."
    ),
]


def build_wait(seconds: float) -> Wait:
    """Return how to wait: at most this many seconds, with one line on standard error that names the other command."""

    def report(held: LockHeld) -> None:
        typer.echo(f"zertz: waiting up to {seconds:g} s for {held.holder}, which is changing the database", err=True)

    return Wait(seconds, report)
