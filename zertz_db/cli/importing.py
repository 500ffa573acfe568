"""`zertz import`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zertz_db.cli.errors import FINDINGS, INTERRUPTED, Stop
from zertz_db.cli.interrupting import ending_soon
from zertz_db.cli.progress import ticking
from zertz_db.cli.reading import Letters, require_language
from zertz_db.cli.waiting import waiting

if TYPE_CHECKING:
    from zertz_db.ingest.balance import Balance

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
    wait: Annotated[
        float, typer.Option("--wait", min=0, metavar="SECONDS", help="How long to wait for another import to end.")
    ] = 10,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", metavar="ADDRESS", help="Let a Dask cluster do the work: tcp://HOST:PORT, or local:N."
        ),
    ] = None,
    letters: Letters = None,
) -> None:
    """Check records and store their games; nothing is lost: each is stored, a duplicate, or rejected with its reason.

    Importing the same again changes nothing, but with other --letters files are read again; what was said of their letters holds until
    something else is said. The database is replaced as a whole when the import is done: a failure or Ctrl-C leaves
    it as it was, and the same command then goes on where it stopped. Exit status: 0, 1 if records were rejected, 2 for trouble,
    130 for Ctrl-C.

    Examples:  zertz import archive/  ·  zertz import games.txt more.zip --db club.zertz  ·  zertz import notes.txt --letters it
    """
    require_language(letters)
    balance = _import(paths, db, wait, cluster, letters)
    _print(balance, db)
    if balance.rejected:
        raise typer.Exit(FINDINGS)


def _import(paths: list[str], db: Path, wait: float, cluster: str | None, letters: str | None) -> Balance:
    so_far: Balance | None = None

    command = shlex.join(["zertz", "import", *paths, "--db", str(db), *(["--letters", letters] if letters else [])])

    def stopped() -> str:
        return f"stopped, and {db} is as it was. {_what_is_done(so_far, command)}"

    try:
        with ending_soon(stopped), ticking("importing", "files") as progress:
            from zertz_db.ingest.importing import import_paths
            from zertz_db.ingest.pipeline import WorkerDied
            from zertz_db.store.errors import DiskFull

            def watch(balance: Balance) -> None:
                nonlocal so_far
                so_far = balance
                progress.show(balance.done, balance.places)

            try:
                return import_paths(paths, db, watch, waiting(wait), cluster, letters=letters)
            except (WorkerDied, DiskFull) as error:
                raise Stop(f"{error} {_what_is_done(so_far, command)}") from error
    except KeyboardInterrupt as error:
        raise Stop(stopped(), INTERRUPTED) from error


def _what_is_done(balance: Balance | None, command: str) -> str:
    if not balance or not balance.done:
        return f"Nothing is done yet; to begin again: {command}"
    return (
        f"Done: {balance.done:,} of {balance.places:,} files, {_sum(balance)}.\n"
        f"To go on from here, give the same command: {command}"
    )


def _sum(balance: Balance) -> str:
    noun = "record" if balance.read == 1 else "records"
    return (
        f"{balance.read:,} {noun} read = {balance.stored:,} stored + {balance.duplicate:,} duplicate "
        f"+ {balance.rejected:,} rejected"
    )


def _print(balance: Balance, db: Path) -> None:
    from zertz_db.check.findings import catalogue

    typer.echo(_sum(balance))
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
            typer.echo(f"  {passed.place.name}: {passed.message}")
        if len(balance.passed) > _MOST_NAMED:
            typer.echo(f"  … and {len(balance.passed) - _MOST_NAMED:,} more")
    state = f"import {balance.run}" if balance.run else "nothing new: unchanged"
    typer.echo(f"database {db}: {state}")
