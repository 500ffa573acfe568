"""`zertz games`, `info`, `imports` and `sql`: query a database."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from zertz_db.cli.filter_options import add_filter_options, report_coverage
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
from zertz_db.cli.safe_output import Force, decode_argument
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
from zertz_db.plurals import format_count
from zertz_db.queries import database_info
from zertz_db.queries.database_info import summarise
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.games import game_list
from zertz_db.queries.result import Result, sort_rows
from zertz_db.queries.user_sql import run_sql


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("games")(show_games)
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
