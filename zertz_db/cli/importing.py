"""`zertz import`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zertz_db.cli.errors import FINDINGS
from zertz_db.cli.progress import ticking

if TYPE_CHECKING:
    from zertz_db.ingest.importing import Balance

DEFAULT_DATABASE = Path("games.zertz")
_MOST_NAMED = 5

DatabaseFolder = Annotated[
    Path, typer.Option("--db", metavar="FOLDER", envvar="ZERTZ_DB", help="The database: a folder.", show_envvar=True)
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_)


def import_(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH", help="Files, folders, zip archives, or - for standard input.")
    ],
    db: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Check records and store their games; nothing is lost: each is stored, a duplicate, or rejected with its reason.

    Importing the same again changes nothing. The database is replaced as a whole when the import is done: a failure or Ctrl-C leaves
    it as it was. Exit status: 0, 1 if records were rejected, 2 for trouble.

    Examples:  zertz import archive/  ·  zertz import games.txt more.zip --db club.zertz
    """
    from zertz_db.ingest.importing import import_paths

    with ticking("importing", "files") as tick:
        balance = import_paths(paths, db, tick)
    _print(balance, db)
    if balance.rejected:
        raise typer.Exit(FINDINGS)


def _print(balance: Balance, db: Path) -> None:
    from zertz_db.check.findings import catalogue

    noun = "record" if balance.read == 1 else "records"
    typer.echo(
        f"{balance.read:,} {noun} read = {balance.stored:,} stored + {balance.duplicate:,} duplicate "
        f"+ {balance.rejected:,} rejected"
    )
    for code, count in sorted(balance.reasons.items()):
        typer.echo(f"  {count:>7,} {code}  {catalogue()[code].title}")
    if balance.passed:
        files = (
            "1 other file is no record"
            if len(balance.passed) == 1
            else f"{len(balance.passed):,} other files are no records"
        )
        typer.echo(f"{files} and passed over:")
        for passed in balance.passed[:_MOST_NAMED]:
            name = f"{passed.place.path}!{passed.place.member}" if passed.place.member else passed.place.path
            typer.echo(f"  {name}: {passed.message}")
        if len(balance.passed) > _MOST_NAMED:
            typer.echo(f"  … and {len(balance.passed) - _MOST_NAMED:,} more")
    state = f"import {balance.run}" if balance.run else "nothing new: unchanged"
    typer.echo(f"database {db}: {state}")
