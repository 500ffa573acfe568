"""`zertz export`: write games in any format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.export_targets import (
    ExportFormat,
    export_database,
    export_dataset,
    export_site,
    take_path,
    write_export,
)
from zertz_db.cli.filter_options import add_filter_options, join_words
from zertz_db.cli.options import (
    DEFAULT_DATABASE,
    DatabaseFolder,
    Sort,
    open_for_query,
)
from zertz_db.cli.safe_output import STANDARD_OUTPUT, Force
from zertz_db.queries.filters.terms import join_filters


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(export_games)


@add_filter_options
def export_games(
    *,
    filters: str,
    words: list[str],
    output: Annotated[
        str, typer.Option("--output", "-o", help="Output file or folder; -: standard output.")
    ] = STANDARD_OUTPUT,
    to: Annotated[
        ExportFormat | None,
        typer.Option(
            "--to",
            help="Format to write (default: by the suffix of the file; .txt is gipf, .sgf boardspace). For web, dataset, parquet, "
            "sqlite and duckdb, the first argument is the path if --output is omitted. --raw-csv: unchanged texts.",
        ),
    ] = None,
    to_database: Annotated[
        Path | None,
        typer.Option("--to-db", metavar="FOLDER", help="Create a database of these games and all their records."),
    ] = None,
    title: Annotated[str | None, typer.Option(help="Title of a website.")] = None,
    checker: Annotated[
        Path | None,
        typer.Option(
            metavar="PYODIDE", help="Add a page that checks records to a website: the folder of Pyodide's package."
        ),
    ] = None,
    licence: Annotated[
        str | None,
        typer.Option("--licence", metavar="TEXT", help="Licence of the records, for a data set: CC-BY-4.0."),
    ] = None,
    sort: Sort = "date",
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Write games to a file or a folder: official notation, other dialects, JSON lines, tables, a database, a website, a data set.

    Official notation (gipf) preserves clocks, comments, marks and variations of the records. csv and parquet have the table of games,
    sqlite also that of plies. dataset is a folder to publish: tables, arrays for learning, a dictionary of columns, checksums.
    web is a folder for any file host: openings, games, search and statistics in a browser, without a server.
    If a dialect can't express a game, the game is omitted, and the exit status is 1. If no games match, zertz writes nothing, and the
    exit status is 1.

    Examples:  zertz export -o games.txt board:37 player:ada  ·  zertz export -o games.sqlite  ·
    zertz export player:ada --to-db ada.zertz  ·  zertz export --to web site board:37  ·
    zertz export --to dataset my-games
    """
    if licence is not None and to is not ExportFormat.dataset:
        raise Stop("--licence belongs to --to dataset")
    if to_database is None:
        output, words = take_path(to, output, words)
    filters = join_filters(filters, join_words(words))
    with open_for_query(folder) as database:
        if to is not ExportFormat.web and (title or checker):
            raise Stop(f"{'--title' if title else '--checker'} needs --to web")
        if to is ExportFormat.web and to_database is None:
            export_site(database, output, filters, force, title, checker)
        elif to is ExportFormat.dataset and to_database is None:
            export_dataset(database, output, filters, licence, force)
        elif to_database is None:
            write_export(database, output, to, filters, sort, force)
        elif output != STANDARD_OUTPUT or to is not None:
            raise Stop("--to-db creates a database, not a file: omit --output and --to")
        else:
            export_database(database, to_database, filters)
