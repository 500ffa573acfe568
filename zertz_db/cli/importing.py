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
from zertz_db.cli.words import counted

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
    replace: Annotated[
        bool, typer.Option("--replace", help="Withdraw stored records that the files no longer hold.")
    ] = False,
) -> None:
    """Check records and store their games; nothing is lost: each is stored, a duplicate, or rejected with its reason.

    Importing the same again changes nothing, but with other --letters files are read again; what was said of their letters holds until
    something else is said. If a file was changed, the import lists the stored records that it no longer holds; --replace withdraws
    them, and the games that no other record has. The database is replaced as a whole when the import is done: a failure or Ctrl-C leaves
    it as it was, and the same command then goes on where it stopped. Exit status: 0, 1 if records were rejected, 2 for trouble,
    130 for Ctrl-C.

    Examples:  zertz import archive/  ·  zertz import games.txt more.zip --db club.zertz  ·  zertz import notes.txt --letters it  ·
    zertz import corrected.txt --replace
    """
    require_language(letters)
    command = _command(paths, db, letters, replace=replace)
    balance = _import(paths, db, wait, cluster, letters, command, replace=replace)
    _print(balance)
    if balance.missing:
        _print_missing(balance, _command(paths, db, letters, replace=True))
    state = f"import {balance.run}" if balance.run else "nothing new: unchanged"
    typer.echo(f"database {db}: {state}")
    if balance.rejected:
        raise typer.Exit(FINDINGS)


def _command(paths: list[str], db: Path, letters: str | None, *, replace: bool) -> str:
    options = [*(["--letters", letters] if letters else []), *(["--replace"] if replace else [])]
    return shlex.join(["zertz", "import", *paths, "--db", str(db), *options])


def _import(
    paths: list[str], db: Path, wait: float, cluster: str | None, letters: str | None, command: str, *, replace: bool
) -> Balance:
    so_far: Balance | None = None

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
                return import_paths(paths, db, watch, waiting(wait), cluster, letters=letters, replace=replace)
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


def _print(balance: Balance) -> None:
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


def _print_missing(balance: Balance, command: str) -> None:
    """The stored records that the files no longer hold, and what became of them. `command` withdraws them."""
    missing, withdrawn = balance.missing, balance.withdrawn
    games = len({one.game for one in missing if one.is_last})
    records = counted(len(missing), "stored record")
    they = "it" if len(missing) == 1 else "them"
    typer.echo(
        f"withdrawn: {records} that the files no longer hold, {counted(games, 'game')} with {they}"
        if withdrawn
        else f"the files no longer hold {records}; {counted(games, 'game')} would go with {they}:"
    )
    for one in missing[:_MOST_NAMED]:
        typer.echo(f"  {one.name}")
    if len(missing) > _MOST_NAMED:
        typer.echo(f"  … and {len(missing) - _MOST_NAMED:,} more")
    if withdrawn is None:
        typer.echo(f"to withdraw {they}: {command}")
    elif withdrawn.annotations:
        typer.echo(
            f"{counted(withdrawn.annotations, 'annotation')} on these games stay on file and count again if the games come back"
        )
