"""`zertz games`, `show`, `export`, `info`, `imports` and `sql`: query a database."""

from __future__ import annotations

import sys
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
from zertz_db.cli.filter_options import add_filter_options, join_words, report_coverage
from zertz_db.cli.game_text import format_game
from zertz_db.cli.interrupt import stop_after, stop_on_signal
from zertz_db.cli.options import (
    DEFAULT_DATABASE,
    TEXT_COLUMNS,
    Csv,
    DatabaseFolder,
    Json,
    Limit,
    Parquet,
    Sort,
    SortRows,
    open_for_query,
)
from zertz_db.cli.review_text import format_review
from zertz_db.cli.safe_output import STANDARD_OUTPUT, Force, decode_argument, open_text_output
from zertz_db.cli.tables import (
    Form,
    choose_form,
    print_json,
    print_query_result,
    print_result,
    select_columns,
    write_result,
    write_rows,
)
from zertz_db.export.rows import game_object
from zertz_db.plurals import format_count
from zertz_db.queries import database_info
from zertz_db.queries.database_info import summarise
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.filters.terms import join_filters
from zertz_db.queries.games import game_list
from zertz_db.queries.games.novelty import find_novelty
from zertz_db.queries.games.one_game import Game, find_game
from zertz_db.queries.result import Result, sort_rows
from zertz_db.queries.tactics.review import review_game, value_review
from zertz_db.queries.user_sql import run_sql
from zertz_db.rules.svg.board_svg import svg
from zertz_db.store.folder.database import Database


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("games")(show_games)
    app.command("show")(show_game)
    app.command("export")(export_games)
    app.command("info")(show_info)
    app.command("imports")(show_imports)
    app.command("sql")(query_sql)


@add_filter_options
def show_games(
    *,
    filters: str,
    sort: Sort = "-date",
    limit: Limit = 20,
    offset: Annotated[int, typer.Option("--offset", min=0, help="Start after this many rows.")] = 0,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List games, latest first.

    --sort rating sorts by the lower rating of both players before the game, and prints both ratings.

    Examples:  zertz games player:anna vs:ben date:2010..2012  ·  zertz games board:48 not kind:bot 'plies:<20'  ·
    zertz games '(won:anna or lost:anna) sets:4W,6B'  ·  zertz games 'rating:>1900' --sort -rating  ·
    zertz games --player 'anna*' --since 2010 --limit 0 --csv
    """
    form = choose_form(as_json, as_csv, parquet)
    with open_for_query(folder) as database:
        rated = game_list.RATINGS if sort.removeprefix("-") == game_list.BY_RATING else ()
        columns = (*game_list.SUMMARY, *rated)
        found = game_list.list_games(database, filters, sort=sort, limit=limit or None, offset=offset, columns=columns)
        total = game_list.count_games(database, filters)
        missing = "" if total else absence(database, filters)
        if total:
            report_coverage(database, filters)
    if missing:
        typer.echo(missing, err=True)
    if total or form is not Form.text:
        write_result(
            select_columns(found, (*TEXT_COLUMNS, *rated)) if form is Form.text else found, form, parquet, force
        )
    if len(found.rows) < total:
        typer.echo(f"{len(found.rows):,} of {format_count(total, 'game')}; --limit 0 lists all", err=True)


def show_game(
    game_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the game, or its first letters (at least 4).")],
    ply: Annotated[
        int | None, typer.Option("--ply", min=0, help="Number of plies before the board (default: all).")
    ] = None,
    picture: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Write the board to this SVG file; -: standard output."),
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="Show the plies with win chances, missed wins, blunders, mistakes.")
    ] = False,
    lines: Annotated[
        bool, typer.Option("--lines", help="Add the line of each missed win to --review; it is searched now.")
    ] = False,
    as_json: Json = False,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Show a game: its tags, moves, a board, its findings and its sightings.

    A * marks the first move that leads to positions of no earlier game.

    --review needs the analysis of zertz analyse. "Let a forced win go" does not mean that the game was lost by it; "none was found" is
    within the limits of the search. The first number of a line is the number of plies before the move, as --ply takes it.

    Examples:  zertz show 3T7K0V9QZ4M1A  ·  zertz show 3T7K --ply 12  ·  zertz show 3T7K --ply 12 --svg board.svg
    ·  zertz show 3T7K --review --lines
    """
    if (ply is not None or picture is not None) and review:
        raise Stop("--review shows all plies: omit --ply and --svg")
    if lines and (as_json or not review):
        raise Stop("--lines belongs to --review as text")
    with open_for_query(folder) as database:
        if review:
            _print_review(database, game_id, lines, as_json)
            return
        game = find_game(database, game_id)
        if as_json:
            print_json({**game_object(database, game.id), "novelty": find_novelty(database, game).as_json()})
            return
        if ply is not None and ply > len(game.moves):
            plies = len(game.moves)
            raise Stop(
                f"the game has {format_count(plies, 'ply', 'plies')}: --ply takes 0 (the start) to {plies} (the end)"
            )
        if picture is not None:
            _write_svg(game, len(game.moves) if ply is None else ply, picture, force)
            return
        for line in format_game(game, ply, find_novelty(database, game)):
            typer.echo(line)


def _print_review(database: Database, game_id: str, has_lines: bool, as_json: bool) -> None:
    found = review_game(database, game_id)
    if found.problem and not as_json:
        typer.echo(found.problem, err=True)
        return
    game = find_game(database, game_id)
    with stop_on_signal(lambda: "the search was stopped"):
        found = value_review(found, game.positions)
        if as_json:
            print_json(found.as_json())
            return
        for line in format_review(game, found, has_lines):
            typer.echo(line)


def _write_svg(game: Game, ply: int, output: str, force: bool) -> None:
    """Write the board after a number of plies, with the captures, as SVG."""
    with open_text_output(output, force) as file:
        file.write(svg(game.positions[ply], game.moves[ply - 1] if ply else None, racks=True) + "\n")


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


def show_info(as_json: Json = False, folder: DatabaseFolder = DEFAULT_DATABASE) -> None:
    """Summarise a database, and print the path of its live file.

    Examples:  zertz info --db my.zertz  ·  duckdb -readonly "$(zertz info --json | jq -r .path)"
    """
    with open_for_query(folder) as database:
        found = summarise(database)
    if as_json:
        print_json(found.as_json())
        return
    records = ", ".join(f"{count:,} {status}" for status, count in found.records.rows)
    games = sum(count for *_, count in found.games.rows)
    sums = (
        format_count(games, "game"),
        format_count(found.plies, "ply", "plies"),
        format_count(found.positions, "position"),
    )
    typer.echo(", ".join(sums))
    if found.games.rows:
        print_result(found.games)
    origin = f"from {format_count(found.sources, 'file')} in {format_count(found.imports, 'import')}"
    typer.echo(f"records     {records or 'none'}; {origin}")
    typer.echo(f"live file   {found.path}")
    typer.echo(f"            {found.size / 1e6:,.1f} MB, generation {found.generation} of {found.created} UTC")
    typer.echo(f"versions    schema {found.schema_version}, rules {found.rules_version or 'not noted'}")


def show_imports(
    rejects: Annotated[
        int | None, typer.Option("--rejects", metavar="N", help="List the records that import N rejected.")
    ] = None,
    sort: SortRows = None,
    limit: Limit = 0,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List the imports with their tallies: records = stored + duplicate + rejected.

    Examples:  zertz imports  ·  zertz imports --rejects 3
    """
    form = choose_form(as_json, as_csv, parquet)
    with open_for_query(folder) as database:
        found = (
            database_info.list_imports(database) if rejects is None else database_info.list_rejects(database, rejects)
        )
    if form is Form.text and not found.rows:
        typer.echo("no imports yet" if rejects is None else f"import {rejects} rejected no records", err=True)
    elif form is Form.text and rejects is not None:
        _print_rejects(sort_rows(found, sort), limit)
    else:
        write_rows(found, limit, form, parquet, force, sort=sort)


def _print_rejects(found: Result, limit: int) -> None:
    """Print at most this number of rejected records (0: all) in the format of `zertz check`."""
    for reject in found.dicts()[: limit or None]:
        member = f"!{reject['member']}" if reject["member"] else ""
        place = "".join(f":{reject[name]}" for name in ("line", "col") if reject[name] is not None)
        typer.echo(f"{reject['path']}{member}{place}: {reject['reason']} {reject['message'] or ''}".rstrip())


def query_sql(
    text: Annotated[str, typer.Argument(metavar="SELECT", help="SELECT statement; -: read it from standard input.")],
    seconds: Annotated[
        float, typer.Option("--seconds", min=0, max=1e6, help="Maximum time in seconds (0: no limit).")
    ] = 60,
    memory: Annotated[
        str, typer.Option("--memory", metavar="SIZE", help="Maximum memory, for example 500MB or 4GB.")
    ] = "1GB",
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Query the database in DuckDB SQL, read-only: the views games, plies, positions, records, findings, ….

    A query beyond its limit of time or memory stops with exit status 2 and prints nothing. The limit of memory counts twice: once for
    DuckDB's work, once for the result.

    Examples:  zertz sql 'select board, count(*) from games group by board'  ·  zertz sql 'describe games'  ·
    zertz sql 'from positions' --seconds 600 --memory 8GB --parquet positions.parquet
    """
    form = choose_form(as_json, as_csv, parquet)
    question = sys.stdin.buffer.read().decode("utf-8", "replace") if text == "-" else decode_argument(text)
    stopped = f"stopped after {seconds:g} s; select less, or allow more time (--seconds)"
    with open_for_query(folder) as database, stop_on_signal(lambda: "interrupted"), stop_after(seconds, stopped):
        found = run_sql(database, question, seconds=seconds, memory=memory)
    if form is Form.text:
        print_query_result(found)
    else:
        write_result(found, form, parquet, force)
