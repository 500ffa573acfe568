"""`zertz mark`, `marks` and `duplicates`: annotate games; find duplicate games."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.completion import complete_values
from zertz_db.cli.errors import Stop
from zertz_db.cli.filter_options import add_filter_options
from zertz_db.cli.options import (
    DEFAULT_DATABASE,
    DEFAULT_SECONDS,
    Author,
    Csv,
    DatabaseFolder,
    Json,
    Limit,
    Parquet,
    SortRows,
    WaitOption,
    build_wait,
    open_for_query,
)
from zertz_db.cli.safe_output import Force, decode_argument
from zertz_db.cli.tables import Form, choose_form, select_columns, write_rows
from zertz_db.edit import marks
from zertz_db.edit.merge_games import merge_game, separate_games, split_game, undo_separation
from zertz_db.queries import duplicates
from zertz_db.queries.duplicates import evidence
from zertz_db.queries.filters.close_texts import close_to
from zertz_db.queries.filters.compile import condition
from zertz_db.queries.games.one_game import find_game, find_id
from zertz_db.queries.marks import list_marks
from zertz_db.store.folder.database import Database
from zertz_db.store.folder.lock import Wait
from zertz_db.store.ids import to_text

BOOKMARK = "bookmark"
"""Label of a mark without label and note."""
_TEXT_COLUMNS = ("mark", "label", "note", "about", "game", "ply", "filter", "author", "made_at")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("mark")(create_mark)
    app.command("marks")(show_marks)
    app.command("duplicates")(show_duplicates)


def create_mark(
    game_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Id of the game, or its first letters.", show_default=False)
    ] = None,
    ply: Annotated[
        int | None, typer.Option("--ply", min=0, help="Mark the position after this number of plies.")
    ] = None,
    words: Annotated[
        str | None, typer.Option("--filter", metavar="FILTER", help="Save this filter under the label.")
    ] = None,
    label: Annotated[
        str,
        typer.Option("--label", metavar="LABEL", help="Label: a word or two.", autocompletion=complete_values("label")),
    ] = "",
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="Text of a note.")] = "",
    author: Author = None,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Mark a game or a position in it, with a label, a note, or as a bookmark; or save a filter under a name.

    Marks are lines of marks.jsonl in the database's folder, fit for version control. They count at once, and imports don't change them.
    The filter label:LABEL finds the games.

    Examples:  zertz mark 3T7K --label study --note 'why not b4?'  ·  zertz mark 3T7K --ply 12  ·  zertz games label:study
    ·  zertz mark --filter 'player:ada board:48' --label 'ada at large'
    """
    label, note, by = (
        decode_argument(label).strip(),
        decode_argument(note),
        decode_argument(author or getpass.getuser()),
    )
    if (game_id is None) == (words is None):
        raise Stop("mark a game: zertz mark ID; or save a filter: zertz mark --filter FILTER --label NAME")
    position = None
    with open_for_query(folder) as database:
        if words is not None:
            if not label or ply is not None:
                raise Stop("a saved filter needs a name: zertz mark --filter FILTER --label NAME")
            condition(decode_argument(words))
        else:
            found = find_game(database, game_id or "")
            game_id = found.id
            if ply is not None:
                if ply > len(found.moves):
                    raise Stop(
                        f"the game has {len(found.moves)} plies: --ply takes 0 (the start) to {len(found.moves)}"
                    )
                position = found.positions[ply].text
    made = marks.add_mark(
        folder,
        by,
        label=label or (BOOKMARK if not note else ""),
        text=note,
        game=game_id,
        ply=ply,
        position=position,
        words=words and decode_argument(words),
    )
    typer.echo(f"mark {made.id}; to remove it: zertz marks --remove {made.id}")


def show_marks(
    label: Annotated[
        str | None,
        typer.Option(
            "--label", metavar="LABEL", help="Only marks with this label.", autocompletion=complete_values("label")
        ),
    ] = None,
    remove: Annotated[
        str | None, typer.Option("--remove", metavar="MARK", help="Remove the mark with this id.")
    ] = None,
    author: Author = None,
    sort: SortRows = None,
    limit: Limit = 0,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List marks of games and positions, and saved filters, latest first; or remove a mark.

    Examples:  zertz marks  ·  zertz marks --label study --csv  ·  zertz marks --remove A05S
    """
    if remove is not None:
        gone = marks.remove_mark(folder, remove, decode_argument(author or getpass.getuser()))
        typer.echo(f"removed mark {gone.id}: {gone.label or gone.text}")
        return
    form = choose_form(as_json, as_csv, parquet)
    with open_for_query(folder) as database:
        label = label and decode_argument(label)
        found = list_marks(database, label)
        close = _suggest_label(database, label) if label and not found.rows else ""
    if form is Form.text and not found.rows:
        typer.echo(close or "no marks yet: zertz mark ID --label LABEL", err=True)
    else:
        shown = select_columns(found, _TEXT_COLUMNS) if form is Form.text else found
        write_rows(shown, limit, form, parquet, force, sort=sort)


def _suggest_label(database: Database, label: str) -> str:
    known = sorted({row["label"] for row in list_marks(database).dicts() if row["label"]})
    close = close_to(label, known)
    return "no marks match" + (f"; did you mean {close[0]}?" if close else "")


@add_filter_options
def show_duplicates(
    *,
    filters: str,
    shortest: Annotated[int, typer.Option("--shortest", min=0, metavar="N", help="Minimum number of plies.")] = 8,
    merge: Annotated[str | None, typer.Option("--merge", metavar="ID", help="Merge this game into --into.")] = None,
    into: Annotated[
        str | None, typer.Option("--into", metavar="ID", help="Game whose id stays; the best record represents it.")
    ] = None,
    split: Annotated[str | None, typer.Option("--split", metavar="ID", help="Split off a merged game.")] = None,
    separate: Annotated[
        str | None, typer.Option("--separate", metavar="ID", help="Record that this game is not --from.")
    ] = None,
    origin: Annotated[str | None, typer.Option("--from", metavar="ID", help="The other game of --separate.")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Undo --separate ID --from ID.")] = False,
    merged: Annotated[bool, typer.Option("--merged", help="List merged games.")] = False,
    author: Author = None,
    wait: WaitOption = DEFAULT_SECONDS,
    sort: SortRows = None,
    limit: Limit = 20,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List games that may be duplicates, with evidence, surest first; merge two games, or split them.

    Tiers: bytes (records with equal bytes); game (same players, compatible dates, same moves); moves (same moves, but other players or
    another time); contained (one game begins with all moves of the other). Moves that are turned or mirrored count as the same. Equal
    records are one game already: `zertz show ID` lists its sightings.

    A merged game keeps all records of both. A game that ends early can be merged into one that goes on: the longest record represents
    the game. --split undoes a merge. --separate ID --from ID notes that two games are two, so they are not listed again. Both are lines
    of unions.jsonl in the database's folder, fit for version control; after you edit merges there, run `zertz recheck`.

    Examples:  zertz duplicates  ·  zertz duplicates since:2020 --csv  ·  zertz duplicates --merge A05S --into 3T7K
    ·  zertz duplicates --split A05S
    """
    if (
        (merge is None) != (into is None)
        or (separate is None) != (origin is None)
        or (undo and separate is None)
        or sum((merge is not None, split is not None, separate is not None, merged)) > 1
    ):
        raise Stop("give --merge ID --into ID, or --split ID, or --separate ID --from ID, or --merged")
    by = decode_argument(author or getpass.getuser())
    if merge is not None and into is not None:
        _merge(folder, merge, into, by, build_wait(wait))
        return
    if split is not None:
        undone = split_game(folder, split, by, build_wait(wait))
        typer.echo(f"{undone.game} is split from {undone.of}")
        return
    if separate is not None and origin is not None:
        _separate(folder, separate, origin, by, undo=undo)
        return
    form = choose_form(as_json, as_csv, parquet)
    with open_for_query(folder) as database:
        found = (
            duplicates.merged(database) if merged else duplicates.list_duplicates(database, filters, shortest=shortest)
        )
    if form is Form.text and not found.rows:
        typer.echo("no merged games" if merged else "no duplicates found", err=True)
    else:
        write_rows(found, limit, form, parquet, force, sort=sort)


def _merge(folder: Path, merge: str, into: str, author: str, wait: Wait) -> None:
    with open_for_query(folder) as database:
        game, of = (to_text(find_id(database.connection(), text)) for text in (merge, into))
        why = evidence(database, game, of)
    merge_game(folder, game, of, author, why, wait)
    typer.echo(
        f"merged {game} into {of} ({why or 'no evidence but yours'}); to undo it: zertz duplicates --split {game}"
    )


def _separate(folder: Path, separate: str, origin: str, author: str, *, undo: bool) -> None:
    with open_for_query(folder) as database:
        game, other = (to_text(find_id(database.connection(), text)) for text in (separate, origin))
        why = evidence(database, game, other)
    if undo:
        undo_separation(folder, game, other, author)
        typer.echo(f"{game} and {other} may be one game or two")
        return
    separate_games(folder, game, other, author, why)
    typer.echo(f"{game} and {other} are two games")
