"""`zertz stats` and `times`: statistics of many games."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.filter_options import add_filter_options, report_absence, report_coverage
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Parquet, open_for_query
from zertz_db.cli.safe_output import Force, style
from zertz_db.cli.tables import Form, choose_form, print_json, print_meanings, print_result, write_result
from zertz_db.plurals import format_count
from zertz_db.queries.filters.terms import join_filters
from zertz_db.queries.result import Column, Result
from zertz_db.queries.statistics.grouping import Statistic
from zertz_db.queries.statistics.registry import STATISTICS
from zertz_db.queries.statistics.thinking_time import TIMES
from zertz_db.store.folder.database import Database

_LONG_TABLES = ("histogram", "lead-changes", "captures", "captures-by-ply", "isolations", "first-rings")
"""Tables with many rows for every group: the overview has them only if the games are not divided."""
_DETAIL_TABLES = ("lead-changes", "captures-by-ply", "tactics")
"""Tables that the overview never has."""
_MAX_ROWS = 20
"""Maximum number of rows of a table in the overview."""
_AT_ONCE = 2
_BAR_WIDTH = 40
"""Number of cells of the bar for a share of 1."""

By = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="GROUPS",
        help="Groups of games: board, rules, year, era, kind, side, length; separate several with commas. era:10 is ten years.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("stats")(show_statistics)
    app.command("times")(show_times)


@add_filter_options
def show_statistics(
    *,
    filters: str,
    words: Annotated[str, STATISTICS],
    by: By = None,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Print statistics of games: endings, wins of the first mover, length, leads, captures and sacrifices.

    If the first word names a table, only that table is printed: first-mover, sets, endings, lengths, histogram, minutes, leads,
    lead-changes, captures, captures-by-ply, sacrifices, isolations, tactics, first-moves or first-rings. tactics counts forced wins kept
    and missed and proven blunders in games that zertz analyse has searched; it also divides the moves by player, rating, phase (of the
    game), mover (first or second) and mover-kind.

    A share has an interval that has the true share with 95 % confidence. Fewer than ten games have no share.

    Examples:  zertz stats  ·  zertz stats player:ada --by side  ·  zertz stats sets board:48 --by kind,era:10 --csv
    ·  zertz stats tactics kind:human-human --by rating
    """
    query = _parse_query(STATISTICS, filters, words, by)
    _print(folder, "stats", query, as_json, as_csv, parquet, force)


@add_filter_options
def show_times(
    *,
    filters: str,
    words: Annotated[str, TIMES],
    by: By = None,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Print thinking times of records with clocks: by phase of the game, kind of turn and player; and who ran short of time.

    If the first word names a table, only that table is printed: clocks, phases, turns, players or trouble. Times from clocks of unknown
    direction are omitted: the direction is known for the game server, and for records with the tag Clock.

    Examples:  zertz times  ·  zertz times players board:37 --csv  ·  zertz times phases --by kind
    """
    query = _parse_query(TIMES, filters, words, by)
    _print(folder, "times", query, as_json, as_csv, parquet, force)


@dataclass(frozen=True, slots=True)
class _StatisticsQuery:
    """A query: the tables to choose from, the named table, the filter, and the groups."""

    tables: Mapping[str, Statistic]
    name: str | None
    filters: str
    by: list[str]

    def table(self, database: Database, name: str) -> Result:
        return self.tables[name].ask(database, self.filters, self.by)

    @property
    def overview(self) -> list[str]:
        """Tables of the overview: all that can be divided by these groups, without the long ones."""
        hidden = {*_DETAIL_TABLES, *(_LONG_TABLES if self.by else ())}
        return [name for name, table in self.tables.items() if name not in hidden and not {*table.not_by} & {*self.by}]


def _parse_query(tables: Mapping[str, Statistic], filters: str, words: str, by: str | None) -> _StatisticsQuery:
    """Return the query; the first word may name a table."""
    word, _, rest = words.partition(" ")
    groups = [group.strip() for group in (by or "").split(",") if group.strip()]
    if word in tables:
        return _StatisticsQuery(tables, word, join_filters(filters, rest), groups)
    return _StatisticsQuery(tables, None, join_filters(filters, words), groups)


def _print(
    folder: Path, verb: str, query: _StatisticsQuery, as_json: bool, as_csv: bool, parquet: Path | None, force: bool
) -> None:
    form = choose_form(as_json, as_csv, parquet)
    if query.name is None and form in (Form.csv, Form.parquet):
        raise Stop(f"--{form} has one table: zertz {verb} TABLE --{form}; valid: {', '.join(query.tables)}")
    with open_for_query(folder) as database:
        if query.name is not None:
            found = query.table(database, query.name)
            if report_absence(database, query.filters):
                if form is Form.text:
                    return
            else:
                report_coverage(database, query.filters, is_needed=query.name == "tactics")
            write_result(add_bars(found) if form is Form.text else found, form, parquet, force)
            if form is Form.text:
                print_meanings(found)
        elif form is Form.json:
            print_json({name: query.table(database, name).dicts() for name in query.overview})
        else:
            _print_overview(database, verb, query)


def _print_overview(database: Database, verb: str, query: _StatisticsQuery) -> None:
    if report_absence(database, query.filters):
        return
    report_coverage(database, query.filters)
    # One query at a time uses one core up to some hundred thousand games, so two are asked at once.
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        tables = list(pool.map(partial(query.table, database), query.overview))
    for number, (name, found) in enumerate(zip(query.overview, tables, strict=True)):
        typer.echo("\n" * bool(number) + style(f"{query.tables[name].title}  ({verb} {name})", bold=True))
        print_result(add_bars(replace(found, rows=found.rows[:_MAX_ROWS])))
        if len(found.rows) > _MAX_ROWS:
            typer.echo(f"… {format_count(len(found.rows) - _MAX_ROWS, 'row')} more: zertz {verb} {name}")
    typer.echo("\nThe command in parentheses prints that table alone; --by board,era divides the games.", err=True)


def add_bars(result: Result) -> Result:
    """Return a statistic for a terminal: with a bar for its share, without the column `of`."""
    if "share" not in result.names:
        return result
    at = result.names.index("share")
    shown = [index for index, name in enumerate(result.names) if name != "of"]
    columns = *(result.columns[index] for index in shown), Column("")
    rows = [(*(row[index] for index in shown), "█" * round(_BAR_WIDTH * (row[at] or 0))) for row in result.rows]
    return Result(columns, rows)
