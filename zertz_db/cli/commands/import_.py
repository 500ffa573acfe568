"""`zertz import`: check records and store their games."""

from __future__ import annotations

import shlex
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.check.findings import catalogue
from zertz_db.cli.errors import FINDINGS, INTERRUPTED, Stop
from zertz_db.cli.interrupt import stop_on_signal
from zertz_db.cli.options import DEFAULT_DATABASE, DatabaseFolder, build_wait
from zertz_db.cli.progress import show_progress
from zertz_db.cli.read_options import Letters, require_language
from zertz_db.ingest.early_workers import start_for_first_import
from zertz_db.ingest.tally import Tally
from zertz_db.ingest.worker_pool import WorkerDied
from zertz_db.plurals import format_count
from zertz_db.rules import compiled
from zertz_db.store.errors import DiskFull

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
        float, typer.Option("--wait", min=0, metavar="SECONDS", help="Seconds to wait for another import.")
    ] = 10,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster", metavar="ADDRESS", help="Address of a Dask cluster to use: tcp://HOST:PORT, or local:N."
        ),
    ] = None,
    letters: Letters = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Withdraw stored records that the files no longer have.")
    ] = False,
) -> None:
    """Check records and store their games. Each record is stored, a duplicate, or rejected with its reason.

    Importing a file again changes nothing. With other --letters its records are read again, and the new --letters stays in force.
    If a file has changed, the import lists the stored records that it no longer has; --replace withdraws them, and the games that no
    other record has. The database changes only at the end of the import. After a failure or Ctrl-C it is unchanged, and the same
    command resumes the import. Exit status: 0, 1 if records were rejected, 2 for other failures, 130 for Ctrl-C.

    Examples:  zertz import archive/  ·  zertz import games.txt more.zip --db club.zertz  ·  zertz import notes.txt --letters it  ·
    zertz import corrected.txt --replace
    """
    require_language(letters)
    command = _build_command(paths, db, letters, replace=replace)
    tally = _import(paths, db, wait, cluster, letters, command, replace=replace)
    _print_tally(tally)
    if tally.missing:
        _print_missing(tally, _build_command(paths, db, letters, replace=True))
    state = f"import {tally.run}" if tally.run else "nothing new: unchanged"
    typer.echo(f"database {db}: {state}")
    if tally.rejected:
        raise typer.Exit(FINDINGS)


def _build_command(paths: list[str], db: Path, letters: str | None, *, replace: bool) -> str:
    options = [*(["--letters", letters] if letters else []), *(["--replace"] if replace else [])]
    return shlex.join(["zertz", "import", *paths, "--db", str(db), *options])


def _import(
    paths: list[str], db: Path, wait: float, cluster: str | None, letters: str | None, command: str, *, replace: bool
) -> Tally:
    so_far: Tally | None = None

    def stopped() -> str:
        return f"stopped; {db} is unchanged. {_describe_progress(so_far, command)}"

    try:
        compiled.load_lean()
        early_workers = nullcontext() if cluster else start_for_first_import(paths, db)
        with early_workers, stop_on_signal(stopped), show_progress("importing", "files") as progress:
            from zertz_db.ingest.import_paths import import_paths  # loads DuckDB, whose threads prevent a fork

            def watch(tally: Tally) -> None:
                nonlocal so_far
                if so_far is None and tally.resumed:
                    records = f"{format_count(tally.resumed, 'record')} {'is' if tally.resumed == 1 else 'are'} done"
                    typer.echo(f"Going on with an import that was stopped: {records}.", err=True)
                so_far = tally
                progress.show(tally.done, tally.places)

            try:
                return import_paths(paths, db, watch, build_wait(wait), cluster, letters=letters, replace=replace)
            except (WorkerDied, DiskFull) as error:
                raise Stop(f"{error} {_describe_progress(so_far, command)}") from error
    except KeyboardInterrupt as error:
        raise Stop(stopped(), INTERRUPTED) from error


def _describe_progress(tally: Tally | None, command: str) -> str:
    if not tally or not tally.done:
        return f"No file is done yet; to start again: {command}"
    return (
        f"Done: {tally.done:,} of {tally.places:,} files, {_format_tally(tally)}.\n"
        f"To resume, run the same command: {command}"
    )


def _format_tally(tally: Tally) -> str:
    noun = "record" if tally.read == 1 else "records"
    return (
        f"{tally.read:,} {noun} read = {tally.stored:,} stored + {tally.duplicate:,} duplicate "
        f"+ {tally.rejected:,} rejected"
    )


def _print_tally(tally: Tally) -> None:
    typer.echo(_format_tally(tally))
    for code, count in sorted(tally.reasons.items()):
        typer.echo(f"  {count:>7,} {code}  {catalogue()[code].title}")
    if tally.skipped:
        files = (
            "1 other file has no records"
            if len(tally.skipped) == 1
            else f"{len(tally.skipped):,} other files have no records"
        )
        typer.echo(f"{files}; skipped:")
        for passed in tally.skipped[:_MAX_LISTED]:
            typer.echo(f"  {passed.place.name}: {passed.message}")
        if len(tally.skipped) > _MAX_LISTED:
            typer.echo(f"  … and {len(tally.skipped) - _MAX_LISTED:,} more")


def _print_missing(tally: Tally, command: str) -> None:
    """Print the stored records that the files no longer have, and what happens to them. `command` withdraws them."""
    missing, withdrawn = tally.missing, tally.withdrawn
    games = len({one.game for one in missing if one.is_last})
    records = format_count(len(missing), "stored record")
    they = "it" if len(missing) == 1 else "them"
    typer.echo(
        f"withdrawn: {records} that the files no longer have, and {format_count(games, 'game')} with {they}"
        if withdrawn
        else f"the files no longer have {records}; {format_count(games, 'game')} would go with {they}:"
    )
    for one in missing[:_MAX_LISTED]:
        typer.echo(f"  {one.name}")
    if len(missing) > _MAX_LISTED:
        typer.echo(f"  … and {len(missing) - _MAX_LISTED:,} more")
    if withdrawn is None:
        typer.echo(f"to withdraw {they}: {command}")
    elif withdrawn.annotations:
        typer.echo(
            f"{format_count(withdrawn.annotations, 'annotation')} of these games stay stored, and count again after another import"
        )
