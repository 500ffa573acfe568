"""`zertz puzzles`: list puzzles, write them to a file, or to a sheet to print."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.errors import NO_GAMES, Stop
from zertz_db.cli.filter_options import add_filter_options, report_absence, report_coverage
from zertz_db.cli.options import DEFAULT_DATABASE, Csv, DatabaseFolder, Json, Parquet, SortRows, open_for_query
from zertz_db.cli.safe_output import Force, decode_argument, write_atomically
from zertz_db.cli.tables import Form, choose_form, write_result
from zertz_db.export.puzzle_sheet import write_sheet
from zertz_db.export.puzzles import WRITERS
from zertz_db.plurals import format_count
from zertz_db.queries.puzzles.one_puzzle import find_puzzles
from zertz_db.queries.puzzles.puzzle_list import TOP, list_puzzles
from zertz_db.queries.puzzles.selection import Selection
from zertz_db.queries.result import Result, sort_rows
from zertz_db.store.folder.database import Database
from zertz_db.tactics.puzzles.themes import THEMES

_SHEET = 24
"""Default number of puzzles of a sheet: four pages with six boards each."""
_NOTHING = "no puzzles match. Nothing written. zertz analyse makes puzzles of games that it has not searched yet."


class Grade(StrEnum):
    """Grades of puzzles."""

    best = "A+"
    good = "A"
    any = "B"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("puzzles")(show_puzzles)


@add_filter_options
def show_puzzles(
    *,
    filters: str,
    theme: Annotated[
        list[str] | None,
        typer.Option(
            "--theme", metavar="THEME", help=f"What happens in the solution; all of several: {', '.join(THEMES)}."
        ),
    ] = None,
    grade: Annotated[Grade, typer.Option("--grade", help="This grade or a better one.")] = Grade.any,
    length: Annotated[int | None, typer.Option("--length", help="Plies of the forced win: 3, 5, 7, ….")] = None,
    missed_by: Annotated[
        str,
        typer.Option("--missed-by", metavar="NAME", help="Only puzzles that this player had in a game and missed."),
    ] = "",
    sort: SortRows = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            min=0,
            help=f"Maximum number (0: no limit; default: {TOP} of a list, {_SHEET} of a sheet, all of an export).",
        ),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option("--export", metavar="FILE", help=f"Write position and solution to a file: {', '.join(WRITERS)}."),
    ] = None,
    sheet: Annotated[
        Path | None, typer.Option("--sheet", metavar="FILE", help="Write a page to print, as HTML.")
    ] = None,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List puzzles of the analysed games: positions where the player to move can win by force, and where to place is unique.

    zertz analyse makes them. A+: one colour and ring wins, and no other within two plies more. A: one colour and ring wins within the
    length. B: one ring wins. The length counts the plies of both players. --export writes official notation (.txt), JSON lines (.jsonl)
    or CSV (.csv); the solution is the line against the longest defence.

    Examples:  zertz puzzles --grade A --length 5  ·  zertz puzzles --theme isolation --limit 5  ·  zertz puzzles --missed-by ada --json
    """
    form = choose_form(as_json, as_csv, parquet)
    selection = Selection(filters, tuple(theme or ()), str(grade), length, decode_argument(missed_by))
    with open_for_query(folder) as database:
        if export or sheet:
            if export:
                _export(database, selection, limit or None, export, force)
            if sheet:
                _write_sheet(database, selection, _SHEET if limit is None else limit or None, sheet, force)
            return
        most = TOP if limit is None else limit or None
        found = sort_rows(list_puzzles(database, selection, None if sort else most), sort)
        found = Result(found.columns, found.rows[:most])
        if report_absence(database, filters):
            if form is Form.text:
                return
        else:
            if not found.rows:
                typer.echo("No puzzles match.", err=True)
            report_coverage(database, filters, is_needed=True)
    write_result(found, form, parquet, force)


def _export(database: Database, selection: Selection, limit: int | None, path: Path, force: bool) -> None:
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        raise Stop(f"can't tell the format from {str(path)!r}; the name ends in {', '.join(WRITERS)}")
    with write_atomically(path, force) as part:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            count = writer(file, find_puzzles(database, selection, limit))
        if not count:
            raise Stop(_NOTHING, NO_GAMES)
    typer.echo(f"{format_count(count, 'puzzle')} written to {path}", err=True)


def _write_sheet(database: Database, selection: Selection, limit: int | None, path: Path, force: bool) -> None:
    puzzles = [*find_puzzles(database, selection, limit)]
    if not puzzles:
        raise Stop(_NOTHING, NO_GAMES)
    with write_atomically(path, force) as part:
        part.write_text(write_sheet(puzzles, "ZÈRTZ puzzles"), "utf-8")
    typer.echo(f"{format_count(len(puzzles), 'puzzle')} written to {path}", err=True)
