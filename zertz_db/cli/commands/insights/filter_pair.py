"""`zertz compare`: compare the games of two filters."""

from __future__ import annotations

from typing import Annotated

import typer

from zertz_db.cli.completion import complete_choices, complete_filter_words
from zertz_db.cli.errors import NO_GAMES, Stop
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Parquet, open_for_query
from zertz_db.cli.safe_output import Force, decode_argument, style
from zertz_db.cli.share_bars import format_interval, to_percent
from zertz_db.cli.tables import Form, choose_form, print_result, write_result
from zertz_db.plurals import format_count
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.insights.comparison import SUBJECTS, Comparison, Line, compare_filters
from zertz_db.queries.insights.significance import LEVEL
from zertz_db.queries.openings.tree import BOARD, RULES
from zertz_db.queries.result import Column, Result
from zertz_db.queries.wilson import ENOUGH

Subject = Annotated[
    str,
    typer.Argument(
        metavar="SUBJECT", help=f"What is compared: {', '.join(SUBJECTS)}.", autocompletion=complete_choices(SUBJECTS)
    ),
]
First = Annotated[
    str,
    typer.Argument(
        metavar="A", help="Filter of the first games; '' for all games.", autocompletion=complete_filter_words
    ),
]
Second = Annotated[
    str, typer.Argument(metavar="B", help="Filter of the second games.", autocompletion=complete_filter_words)
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(compare)


def compare(
    subject: Subject,
    a: First,
    b: Second,
    moves: Annotated[str, typer.Option("--moves", help="For continuations: moves from the start.")] = "",
    board: Annotated[str, typer.Option("--board", help="For continuations: empty board to start from.")] = BOARD,
    rules: Annotated[str, typer.Option("--rules", help="For continuations: rule set.")] = RULES,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Compare the games of two filters: who wins, which sets win, how games end, or what is played in a position.

    SUBJECT is first-mover, sets, endings or continuations. A star marks a significant difference: the test compares two proportions, with
    Holm's correction for all rows of the table. It needs ten games of each filter, and assumes that no game passes both.

    Examples:  zertz compare sets kind:human-human kind:human-bot  ·  zertz compare first-mover board:37 board:48
    ·  zertz compare continuations date:2010 date:2020 --moves 'Wd4,d1' --csv
    """
    form = choose_form(as_json, as_csv, parquet)
    one, other = decode_argument(a), decode_argument(b)
    with open_for_query(folder) as database:
        found = compare_filters(database, subject, one, other, Line(decode_argument(moves), board, rules))
        empty = [
            f"{name}: {absence(database, text)}"
            for name, text, games in zip("ab", (one, other), found.games, strict=True)
            if not games
        ]
    if empty:
        raise Stop(" ".join(empty), NO_GAMES)
    if form is not Form.text:
        write_result(found.table, form, parquet, force)
        return
    typer.echo(style(found.subject.title, bold=True))
    for name, text, games in zip("ab", (one, other), found.games, strict=True):
        typer.echo(f"{name}: {text or 'all games'}, {format_count(games, 'game')}")
    print_result(_format_for_people(found))
    typer.echo(f"interval: the true share, with 95 % confidence; empty for fewer than {ENOUGH} games", err=True)
    if any(row["significant"] for row in found.table.dicts()):
        typer.echo(f"* significant: the chance of any false star is below {100 * LEVEL:.0f} %", err=True)
    if found.common:
        typer.echo(f"{format_count(found.common, 'game')} pass both filters; exclude them from one", err=True)


def _format_for_people(found: Comparison) -> Result:
    """Return the table with shares in per cent, each interval in one column, and a star for significance."""
    category = found.subject.category
    parts = [Column(f"{part}_{which}") for which in "ab" for part in ("games", "of", "share", "interval")]
    rows = [
        (
            row[category],
            *(
                value
                for which in "ab"
                for value in (
                    row[f"games_{which}"],
                    row[f"of_{which}"],
                    to_percent(row[f"share_{which}"]),
                    format_interval(row[f"low_{which}"], row[f"high_{which}"]),
                )
            ),
            "*" if row["significant"] else None,
        )
        for row in found.table.dicts()
    ]
    return Result((Column(category), *parts, Column("significant")), rows)
