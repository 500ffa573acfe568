"""`zertz import`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zertz_db.cli.errors import FINDINGS, INTERRUPTED, Stop
from zertz_db.cli.interrupt import stop_on_signal
from zertz_db.cli.options import DEFAULT_DATABASE, DatabaseFolder, build_wait
from zertz_db.cli.progress import show_progress
from zertz_db.cli.read_options import Letters, require_language
from zertz_db.plurals import format_count

if TYPE_CHECKING:
    from zertz_db.ingest.tally import Tally
_MAX_LISTED = 5


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import")(import_records)


def import_records(
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
    command = _build_command(paths, db, letters, replace=replace)
    balance = _import(paths, db, wait, cluster, letters, command, replace=replace)
    _print_tally(balance)
    if balance.missing:
        _print_missing(balance, _build_command(paths, db, letters, replace=True))
    state = f"import {balance.run}" if balance.run else "nothing new: unchanged"
    typer.echo(f"database {db}: {state}")
    if balance.rejected:
        raise typer.Exit(FINDINGS)


def _build_command(paths: list[str], db: Path, letters: str | None, *, replace: bool) -> str:
    options = [*(["--letters", letters] if letters else []), *(["--replace"] if replace else [])]
    return shlex.join(["zertz", "import", *paths, "--db", str(db), *options])


def _import(
    paths: list[str], db: Path, wait: float, cluster: str | None, letters: str | None, command: str, *, replace: bool
) -> Tally:
    so_far: Tally | None = None

    def stopped() -> str:
        return f"stopped, and {db} is as it was. {_describe_progress(so_far, command)}"

    try:
        with stop_on_signal(stopped), show_progress("importing", "files") as progress:
            from zertz_db.ingest.import_paths import import_paths
            from zertz_db.ingest.worker_pool import WorkerDied
            from zertz_db.store.errors import DiskFull

            def watch(balance: Tally) -> None:
                nonlocal so_far
                so_far = balance
                progress.show(balance.done, balance.places)

            try:
                return import_paths(paths, db, watch, build_wait(wait), cluster, letters=letters, replace=replace)
            except (WorkerDied, DiskFull) as error:
                raise Stop(f"{error} {_describe_progress(so_far, command)}") from error
    except KeyboardInterrupt as error:
        raise Stop(stopped(), INTERRUPTED) from error


def _describe_progress(balance: Tally | None, command: str) -> str:
    if not balance or not balance.done:
        return f"Nothing is done yet; to begin again: {command}"
    return (
        f"Done: {balance.done:,} of {balance.places:,} files, {_format_tally(balance)}.\n"
        f"To go on from here, give the same command: {command}"
    )


def _format_tally(balance: Tally) -> str:
    noun = "record" if balance.read == 1 else "records"
    return (
        f"{balance.read:,} {noun} read = {balance.stored:,} stored + {balance.duplicate:,} duplicate "
        f"+ {balance.rejected:,} rejected"
    )


def _print_tally(balance: Tally) -> None:
    from zertz_db.check.findings import catalogue

    typer.echo(_format_tally(balance))
    for code, count in sorted(balance.reasons.items()):
        typer.echo(f"  {count:>7,} {code}  {catalogue()[code].title}")
    if balance.skipped:
        files = (
            "1 other file is no record"
            if len(balance.skipped) == 1
            else f"{len(balance.skipped):,} other files are no records"
        )
        typer.echo(f"{files} and passed over:")
        for passed in balance.skipped[:_MAX_LISTED]:
            typer.echo(f"  {passed.place.name}: {passed.message}")
        if len(balance.skipped) > _MAX_LISTED:
            typer.echo(f"  … and {len(balance.skipped) - _MAX_LISTED:,} more")


def _print_missing(balance: Tally, command: str) -> None:
    """The stored records that the files no longer hold, and what became of them. `command` withdraws them."""
    missing, withdrawn = balance.missing, balance.withdrawn
    games = len({one.game for one in missing if one.is_last})
    records = format_count(len(missing), "stored record")
    they = "it" if len(missing) == 1 else "them"
    typer.echo(
        f"withdrawn: {records} that the files no longer hold, {format_count(games, 'game')} with {they}"
        if withdrawn
        else f"the files no longer hold {records}; {format_count(games, 'game')} would go with {they}:"
    )
    for one in missing[:_MAX_LISTED]:
        typer.echo(f"  {one.name}")
    if len(missing) > _MAX_LISTED:
        typer.echo(f"  … and {len(missing) - _MAX_LISTED:,} more")
    if withdrawn is None:
        typer.echo(f"to withdraw {they}: {command}")
    elif withdrawn.annotations:
        typer.echo(
            f"{format_count(withdrawn.annotations, 'annotation')} on these games stay on file and count again if the games come back"
        )
