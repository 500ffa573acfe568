"""`zertz insights`: print a metric of games or moves for each group of a dimension."""

from __future__ import annotations

from typing import Annotated

import typer

from zertz_db.cli.completion import complete_choices, complete_values
from zertz_db.cli.errors import Stop
from zertz_db.cli.filter_options import add_filter_options, report_absence
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Parquet, open_for_query
from zertz_db.cli.safe_output import Force, decode_argument, style
from zertz_db.cli.share_bars import format_interval, to_percent
from zertz_db.cli.tables import Form, choose_form, print_meanings, print_result, write_result
from zertz_db.queries.filters.terms import join_filters
from zertz_db.queries.insights.dimensions import DIMENSIONS
from zertz_db.queries.insights.metrics import METRICS
from zertz_db.queries.insights.one_insight import Insight, find_insight
from zertz_db.queries.insights.presets import OF_ALL, OF_ONE
from zertz_db.queries.result import Column, Result

By = Annotated[
    str,
    typer.Option(
        "--by",
        metavar="DIMENSION",
        help=f"What divides the games or moves: {', '.join(DIMENSIONS)}.",
        autocompletion=complete_choices(DIMENSIONS),
    ),
]
Of = Annotated[
    str | None,
    typer.Option(
        "--of",
        metavar="NAME",
        help="Player whose sides of games count; default: all players.",
        autocompletion=complete_values("player"),
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("insights")(show_insight)


@add_filter_options
def show_insight(
    *,
    filters: str,
    words: Annotated[str, METRICS],
    by: By = "side",
    of: Of = None,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Print the mean of a metric for each group of a dimension, beside the mean of all players.

    The first word names the metric: points, missed, blunders, accuracy, sacrifices, captures, length or time. A filter may follow. --by
    is side, opponent (its rating), rating (the player's own), board, rules, opening, year, hour, phase, ending or kind; phase divides
    metrics of moves only. With --of, one player's sides of games count; the percentile is the share of other players with a lower mean.
    Means need ten games. missed, blunders and accuracy count games that zertz analyse has searched; time needs clocks. Without a
    metric, questions are listed.

    Examples:  zertz insights  ·  zertz insights points --by side  ·  zertz insights missed --by phase --of ada board:37
    ·  zertz insights length --by year kind:human-human --csv
    """
    name, _, rest = words.strip().partition(" ")
    form = choose_form(as_json, as_csv, parquet)
    if not name:
        write_result(_list_questions(), form, parquet, force)
        return
    if name not in METRICS:
        raise Stop(f"the first word must be a metric, not {name!r}; valid: {', '.join(METRICS)}")
    with open_for_query(folder) as database:
        text = join_filters(filters, rest)
        found = find_insight(database, name, by, text, decode_argument(of) if of else None)
        if report_absence(database, text) and form is Form.text:
            return
        if found.coverage:
            typer.echo(found.coverage, err=True)
    if form is not Form.text:
        write_result(found.table, form, parquet, force)
        return
    typer.echo(style(found.title, bold=True))
    print_result(_format_for_people(found))
    print_meanings(found.table)


def _list_questions() -> Result:
    columns = Column("question"), Column("command")
    rows = [(one.question, f"zertz insights {one.metric} --by {one.by}") for one in OF_ALL]
    rows += [(one.question, f"zertz insights {one.metric} --by {one.by} --of NAME") for one in OF_ONE]
    return Result(columns, rows)


def _format_for_people(found: Insight) -> Result:
    """Return the table with shares in per cent and the interval in one column."""
    names = found.table.names
    at, is_share = names.index("low") - 1, found.metric.is_share
    columns = (
        *found.table.columns[: at + 1],
        Column("interval"),
        *(column for column in found.table.columns[at + 3 :]),
    )
    rows = []
    for row in found.table.rows:
        mean, low, high, field, *rest = row[at:]
        if found.player is not None:
            rest[0] = to_percent(rest[0])
        shown = (
            (to_percent(mean), format_interval(low, high), to_percent(field))
            if is_share
            else (_round(mean), None if low is None else f"{low:.1f}–{high:.1f}", _round(field))
        )
        rows.append((*row[:at], *shown, *rest))
    return Result(columns, rows)


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
