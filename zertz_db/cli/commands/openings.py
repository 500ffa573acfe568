"""`zertz openings`: print the opening tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.filter_options import add_filter_options, report_absence
from zertz_db.cli.game_text import draw_position
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Parquet, open_for_query
from zertz_db.cli.safe_output import Force, decode_argument, style
from zertz_db.cli.share_bars import format_interval, to_percent
from zertz_db.cli.tables import Form, choose_form, print_json, print_result, write_result
from zertz_db.plurals import format_count
from zertz_db.queries.openings.tree import Openings, find_openings
from zertz_db.queries.result import Column, Result

_BAR_WIDTH = 20
"""Cells from a score of 0 % to one of 100 %."""
_MAX_ENDINGS = 5
"""Maximum number of endings on a terminal, most frequent first."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("openings")(show_openings)


@add_filter_options
def show_openings(
    *,
    filters: str,
    moves: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MOVES]...", help="Moves so far, in official notation: Wd4,d1 Bd3,a1 x d3Wd5."),
    ] = None,
    position: Annotated[
        str | None, typer.Option("--position", metavar="TEXT", help="Position string to start from.")
    ] = None,
    sort: Annotated[
        str,
        typer.Option("--sort", metavar="COLUMN", help="Sort key: games, result, date, rating, performance or first."),
    ] = "games",
    limit: Annotated[int, typer.Option("--limit", min=0, help="Maximum number of continuations (0: no limit).")] = 20,
    board_only: Annotated[bool, typer.Option("--board-only", help="Ignore side to move, pool and captures.")] = False,
    endings: Annotated[bool, typer.Option("--endings", help="Print endings, with an interval for each share.")] = False,
    ways: Annotated[
        bool, typer.Option("--ways", hidden=True, help="Old name of --endings; its table calls the column ending way.")
    ] = False,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List the continuations of a position, up to the board's symmetry, with their games and scores.

    The score is of the side to move; a tie is half a win. Its interval has the true score with 95 % confidence; fewer than ten games have
    none. The rating is the mean of the players who made the move, before their games; the performance is the rating that their score
    suggests. Without --position, the moves start from the empty board of --board (default: 37) and --rules.

    Examples:  zertz openings  ·  zertz openings Wd4,d1 Bd3,a1 --player ada  ·  zertz openings --board 48 --sort result --csv
    """
    form = choose_form(as_json, as_csv, parquet)
    if (endings or ways) and form is Form.json:
        raise Stop(f"--json has the endings: omit {'--endings' if endings else '--ways'}")
    asked = " ".join(map(decode_argument, moves or ()))
    begin = position and decode_argument(position)
    with open_for_query(folder) as database:
        found = find_openings(
            database,
            asked,
            position=begin,
            filters=filters,
            order=sort,
            limit=limit or None,
            board_only=board_only,
        )
        if not found.games and report_absence(database, filters) and form is Form.text:
            return
    table = found.endings if endings else found.ways if ways else found.continuations
    if form is Form.json:
        print_json(found.as_json())
    elif form is Form.text:
        _print(found, table if endings or ways else None)
    else:
        write_result(table, form, parquet, force)
    if limit and found.choices > limit:
        typer.echo(f"{limit:,} of {format_count(found.choices, 'continuation')}; --limit 0 lists all", err=True)


def _print(found: Openings, table: Result | None) -> None:
    for line in (*_heading(found), *draw_position(found.position), ""):
        typer.echo(line)
    if found.absence:
        typer.echo(found.absence, err=True)
    else:
        print_result(table or format_continuations(found))


def _heading(found: Openings) -> Iterator[str]:
    if found.name:
        yield style(found.name, bold=True)
    turn = "the game is over" if found.position.is_over else f"player {found.position.side} is to move"
    by_line = "" if found.by_line is None else f", {found.by_line:,} by these moves"
    after = f"After {' '.join(found.moves)}: " if found.moves else ""
    yield f"{after}{format_count(found.games, 'game')}{by_line}; {turn}"


def format_continuations(found: Openings) -> Result:
    """Return continuations for a terminal: percentages, a bar for each score, no empty columns."""
    shares = {(row["move"], row["ending"]): row["share"] for row in found.endings.dicts()}
    rows = found.continuations.dicts()
    columns = {
        "move": [row["move"] or "(ended here)" for row in rows],
        "games": [row["games"] for row in rows],
        "by line": [row["by_line"] for row in rows],
        "wins": [row["wins"] for row in rows],
        "ties": [row["ties"] or None for row in rows],
        "losses": [row["losses"] for row in rows],
        "unknown": [row["unknown"] or None for row in rows],
        "score": [to_percent(row["score"]) for row in rows],
        "interval": [format_interval(row["score_low"], row["score_high"]) for row in rows],
        "0 %" + "50 %".center(_BAR_WIDTH - 7) + "100 %": [_draw_interval(row) for row in rows],
        **{ending: [to_percent(shares.get((row["move"], ending))) for row in rows] for ending in _count_endings(found)},
        "rating": [row["rating"] for row in rows],
        "performance": [row["performance"] for row in rows],
        "plies": [row["mean_plies"] for row in rows],
        "first": [row["first_date"] for row in rows],
        "by": [row["first_player"] for row in rows],
        "last": [row["last_date"] for row in rows],
        "name": [row["name"] for row in rows],
    }
    filled = {name: values for name, values in columns.items() if any(value is not None for value in values)}
    return Result(tuple(map(Column, filled)), list(zip(*filled.values(), strict=True)))


def _count_endings(found: Openings) -> Sequence[str]:
    """Return the endings, most frequent first."""
    games: dict[str, int] = {}
    for row in found.endings.dicts():
        games[row["ending"]] = games.get(row["ending"], 0) + row["games"]
    return sorted(games, key=lambda ending: -games[ending])[:_MAX_ENDINGS]


def _draw_interval(row: dict[str, Any]) -> str | None:
    """Return the interval as a line on a scale from 0 to 100 %, with the score as a point."""
    if row["score"] is None:
        return None
    low, point, high = (round(row[name] * _BAR_WIDTH) for name in ("score_low", "score", "score_high"))
    line = "".join("─" if low <= cell <= high else "·" for cell in range(_BAR_WIDTH + 1))
    return f"{line[:point]}●{line[point + 1 :]}"
