"""`zertz mark`, `marks` and `duplicates`: what people note about games, and which games may be one."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.filtering import with_filters
from zertz_db.cli.importing import DEFAULT_DATABASE, DatabaseFolder
from zertz_db.cli.looking import Csv, Json, Parquet, opened
from zertz_db.cli.output import Force, as_text
from zertz_db.queries.filters import Filters

BOOKMARK = "bookmark"
"""The label of a mark that has nothing to say."""
_TEXT_COLUMNS = ("mark", "label", "note", "about", "game", "ply", "filter", "author", "made_at")

Author = Annotated[str | None, typer.Option("--author", metavar="NAME", help="Who says so; else your name here.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("mark")(mark)
    app.command("marks")(marks)
    app.command("duplicates")(duplicates)


def mark(
    game_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The game's id, or its first letters.", show_default=False)
    ] = None,
    ply: Annotated[int | None, typer.Option("--ply", min=0, help="Mark the position after so many plies.")] = None,
    words: Annotated[
        str | None, typer.Option("--filter", metavar="FILTER", help="Save this filter under the label, instead.")
    ] = None,
    label: Annotated[str, typer.Option("--label", metavar="LABEL", help="A word or two, to find it by.")] = "",
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="What there is to say.")] = "",
    author: Author = None,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Mark a game or a position in it, with a label, a note, or as a bookmark; or save a filter under a name.

    Marks are lines of marks.jsonl in the database's folder, fit for version control; they count at once, and no import touches them.
    Games are found again by label:LABEL.

    Examples:  zertz mark 3T7K --label study --note 'why not b4?'  ·  zertz mark 3T7K --ply 12  ·  zertz games label:study
    ·  zertz mark --filter 'player:ada board:48' --label 'ada at large'
    """
    from zertz_db.ingest import marking
    from zertz_db.queries.filters import condition
    from zertz_db.queries.game import game as find

    label, note, by = as_text(label).strip(), as_text(note), as_text(author or getpass.getuser())
    if (game_id is None) == (words is None):
        raise Stop("mark a game, zertz mark ID, or save a filter, zertz mark --filter FILTER --label NAME")
    position = None
    with opened(folder) as database:
        if words is not None:
            if not label or ply is not None:
                raise Stop("a filter is saved under a name: zertz mark --filter FILTER --label NAME")
            condition(as_text(words))
        else:
            found = find(database, game_id or "")
            game_id = found.id
            if ply is not None:
                if ply > len(found.moves):
                    raise Stop(
                        f"the game has {len(found.moves)} plies: --ply takes 0 (the start) to {len(found.moves)}"
                    )
                position = found.positions[ply].text
    made = marking.mark(
        folder,
        by,
        label=label or (BOOKMARK if not note else ""),
        text=note,
        game=game_id,
        ply=ply,
        position=position,
        words=words and as_text(words),
    )
    typer.echo(f"mark {made.id}; to take it back: zertz marks --remove {made.id}")


def marks(
    label: Annotated[str | None, typer.Option("--label", metavar="LABEL", help="Only those with this label.")] = None,
    remove: Annotated[
        str | None, typer.Option("--remove", metavar="MARK", help="Take back the mark with this id.")
    ] = None,
    author: Author = None,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List what was marked, the latest first: games, positions, saved filters; or take a mark back.

    Examples:  zertz marks  ·  zertz marks --label study --csv  ·  zertz marks --remove A05S
    """
    from zertz_db.cli.tables import Form, deliver, form_of, pick
    from zertz_db.ingest import marking
    from zertz_db.queries.marks import marks as ask

    if remove is not None:
        gone = marking.take_back(folder, remove, as_text(author or getpass.getuser()))
        typer.echo(f"mark {gone.id} is taken back: {gone.label or gone.text}")
        return
    form = form_of(as_json, as_csv, parquet)
    with opened(folder) as database:
        found = ask(database, label and as_text(label))
    if form is Form.text and not found.rows:
        typer.echo("nothing is marked so" if label else "nothing is marked yet: zertz mark ID --label LABEL", err=True)
    else:
        deliver(pick(found, _TEXT_COLUMNS) if form is Form.text else found, form, parquet, force)


@with_filters
def duplicates(
    *,
    filters: Filters,
    shortest: Annotated[
        int, typer.Option("--shortest", min=0, metavar="N", help="Only games of at least N plies.")
    ] = 8,
    as_json: Json = False,
    as_csv: Csv = False,
    parquet: Parquet = None,
    force: Force = False,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """List games that may be one, with what speaks for it, the surest first.

    Tiers: bytes (records with the same bytes); game (the same players, dates that can be the same, the same moves); moves (the same
    moves, by others or at another time); contained (all moves of one begin the other). Moves are the same though they are noted turned
    round or mirrored. Records of one game that say the same are one game already: `zertz show ID` lists where it was found.

    Examples:  zertz duplicates  ·  zertz duplicates since:2020 --csv  ·  zertz duplicates player:ada --shortest 4
    """
    from zertz_db.cli.tables import Form, deliver, form_of
    from zertz_db.queries.duplicates import duplicates as ask

    form = form_of(as_json, as_csv, parquet)
    with opened(folder) as database:
        found = ask(database, filters, shortest=shortest)
    if form is Form.text and not found.rows:
        typer.echo("no games look like one", err=True)
    else:
        deliver(found, form, parquet, force)
