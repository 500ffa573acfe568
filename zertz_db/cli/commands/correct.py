"""`zertz correct`: correct the tags of stored games, and list corrections."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.options import (
    DEFAULT_DATABASE,
    DEFAULT_SECONDS,
    Author,
    Csv,
    DatabaseFolder,
    Json,
    Parquet,
    WaitOption,
    build_wait,
    open_for_query,
)
from zertz_db.cli.safe_output import Force, decode_argument
from zertz_db.cli.tables import Form, choose_form, write_result
from zertz_db.edit.correct_tags import correct_games, revert_corrections
from zertz_db.queries.corrections import HISTORY, list_corrections
from zertz_db.queries.games.one_game import find_id
from zertz_db.queries.result import Result
from zertz_db.store.folder.lock import Wait
from zertz_db.store.ids import to_text


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("correct")(correct_tags)


def correct_tags(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME… TAG=VALUE…",
            help="Ids of games, or their first letters, and new values of tags; TAG= removes a tag.",
            show_default=False,
        ),
    ] = None,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Reason for the correction.")] = "",
    undo: Annotated[
        list[str] | None,
        typer.Option("--undo", metavar="TAG", help="Revert the last correction of this tag; can be repeated."),
    ] = None,
    history: Annotated[
        bool, typer.Option("--history", help="List corrections and reversions of these games, or of all.")
    ] = False,
    author: Author = None,
    wait: WaitOption = DEFAULT_SECONDS,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Correct the tags of stored games: Event, Site, Date, Round, Player1, Player2, and tags that a database only stores.

    A correction counts everywhere: lists, filters, players, ratings, tournaments and exports, where the tag Corrected names it. Ids and
    records of games stay unchanged; `zertz show` prints the records' own values. Result, board and similar facts follow from a record
    and its moves: to change them, correct the record and import it.

    Corrections are lines of corrections.jsonl in the database's folder, fit for version control. Recheck, undo and imports preserve
    them; merge and export --to-db copy them. After you edit the file, run `zertz recheck`.

    Examples:  zertz correct 3T7K event='Club night' round=3 --why 'the scoresheet'  ·  zertz correct 3T7K 9NHW date=2010.05.??
    ·  zertz correct 3T7K site=  ·  zertz correct 3T7K --undo round  ·  zertz correct 3T7K --history  ·  zertz correct --history --csv
    """
    words = [decode_argument(one) for one in what or []]
    asked = [one for one in words if "=" not in one]
    values = dict(_parse_assignment(one) for one in words if "=" in one)
    _require_one(asked, values, undo or [], history)
    with open_for_query(folder) as database:
        games = [to_text(find_id(database.connection(), one)) for one in asked]
    by = decode_argument(author or getpass.getuser())
    if values:
        _correct(folder, games, values, by, decode_argument(why), build_wait(wait))
    elif undo:
        _revert(folder, games, [decode_argument(tag) for tag in undo], by, build_wait(wait))
    else:
        _list_corrections(folder, games, as_json, as_csv, parquet, force)


def _parse_assignment(word: str) -> tuple[str, str]:
    tag, _, value = word.partition("=")
    return tag.strip(), value


def _require_one(games: Sequence[str], values: dict[str, str], undo: Sequence[str], history: bool) -> None:
    if sum((bool(values), bool(undo), history)) > 1:
        raise Stop("correct tags, revert corrections (--undo TAG), or list them (--history): one at a time")
    if not history and not games:
        raise Stop("name a game: zertz correct GAME TAG=VALUE; `zertz games` lists ids in its first column")
    if not history and not values and not undo:
        raise Stop("give a tag a value: zertz correct GAME event='Club night'; --history lists corrections")


def _correct(folder: Path, games: Sequence[str], values: dict[str, str], author: str, why: str, wait: Wait) -> None:
    made = correct_games(folder, games, values, author, why, wait)
    for one in made:
        typer.echo(f"{one.game} {one.tag}: {_quote_value(one.old)} → {_quote_value(one.new)}")
    if made:
        typer.echo(f"to revert it: zertz correct {made[0].game} --undo {made[0].tag}", err=True)
    else:
        typer.echo("nothing to correct: the tags have these values already", err=True)


def _revert(folder: Path, games: Sequence[str], tags: Sequence[str], author: str, wait: Wait) -> None:
    for game in games:
        for one in revert_corrections(folder, game, tags, author, wait):
            typer.echo(f"{game} {one.tag}: reverted {_quote_value(one.new)}")


def _quote_value(value: str | None) -> str:
    return "nothing" if value is None else f"“{value}”"


def _list_corrections(
    folder: Path, games: Sequence[str], as_json: bool, as_csv: bool, parquet: Path | None, force: bool
) -> None:
    form = choose_form(as_json, as_csv, parquet)
    with open_for_query(folder) as database:
        found = list_corrections(database)
    if games:
        found = Result(HISTORY, [row for row in found.rows if row[0] in games])
    if form is Form.text and not found.rows:
        typer.echo("no corrections yet: zertz correct GAME TAG=VALUE", err=True)
    else:
        write_result(_shorten_times(found) if form is Form.text else found, form, parquet, force)


def _shorten_times(found: Result) -> Result:
    rows = [
        tuple(f"{value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else value for value in row)
        for row in found.rows
    ]
    return Result(found.columns, rows)
