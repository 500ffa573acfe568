"""`zertz doctor`, `recheck`, `undo`, `merge` and `migrate`: maintain a database."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from zertz_db.cli.errors import FINDINGS
from zertz_db.cli.options import DEFAULT_DATABASE, DEFAULT_SECONDS, DatabaseFolder, WaitOption, build_wait
from zertz_db.cli.progress import show_progress
from zertz_db.maintain import recheck
from zertz_db.maintain.differences import Difference
from zertz_db.maintain.doctor import examine
from zertz_db.maintain.merge_databases import merge
from zertz_db.maintain.recovery import RecoveryPlan, plan_recovery, recover_database, restore_tombstones
from zertz_db.maintain.undo_import import undo
from zertz_db.plurals import format_count
from zertz_db.store.annotations import people_file
from zertz_db.store.backend import migrate
from zertz_db.store.errors import NoDatabase, NotInLakes, UnreadableDatabase
from zertz_db.store.schema import meta

_MAX_LISTED = 10


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("doctor")(run_doctor)
    app.command("recheck")(run_recheck)
    app.command("undo")(run_undo)
    app.command("merge")(run_merge)
    app.command("migrate")(run_migrate)


def run_doctor(
    sample: Annotated[
        int | None,
        typer.Option("--sample", metavar="N", min=0, help="Reread only N random records."),
    ] = None,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair",
            help="If the live file is lost or damaged, restore the newest intact generation before it; restore lost redacted names.",
        ),
    ] = False,
    wait: WaitOption = DEFAULT_SECONDS,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Examine a database: check that its tables are consistent, and that every record still reads and replays as stored.

    Doctor compares ids, verdicts, games, plies, positions with their keys, tags and findings. After a change of the readers or the
    rules it reports what would change; `zertz recheck` applies the changes. If zertz itself fails on a record, doctor reports that and
    recheck leaves the record as it is stored. Without --repair nothing changes. Exit status: 0 no problems, 1 problems or differences,
    2 other failures.

    A database's folder has its live generation and the one before it. If the live file is lost or damaged, or CURRENT, which names it,
    doctor reports which generations are intact and what would be lost; --repair makes the newest intact one live. No file is deleted:
    files in the way get names that begin with set-aside-. The database notes redacted names (as hashes); if people.jsonl is lost,
    --repair restores them in it.

    Examples:  zertz doctor  ·  zertz doctor --sample 1000 --db club.zertz  ·  zertz doctor --repair
    """
    if repair:
        _recover(folder, wait)
    try:
        with show_progress("examining", "records") as tick:
            found = examine(folder, sample, tick)
    except NoDatabase:
        raise
    except UnreadableDatabase as error:
        _report_damage(folder, str(error))
        raise typer.Exit(FINDINGS) from error
    for problem in found.problems:
        typer.echo(f"{problem.kind}: {problem.times:,}, for example {', '.join(problem.examples)}")
    for fault in found.annotation_faults:
        typer.echo(fault)
    _print_differences(found.differences)
    if found.outdated:
        names = " and ".join(found.outdated)
        typer.echo(f"the {names} have changed since {folder} was written, or it does not state their version")
    changed = sum(not one.is_failure for one in found.differences)
    typer.echo(
        f"{format_count(found.records, 'record')} read again: {format_count(changed, 'record')} would now be stored differently"
    )
    _print_failures(len(found.differences) - changed)
    if found.failures:
        typer.echo(
            f"{format_count(found.failures, 'record')} rejected because zertz itself failed (E109); please report it; "
            "`zertz recheck` reads such records again"
        )
    if changed:
        typer.echo(f"to update the database: zertz recheck --db {folder}")
    if found.problems:
        typer.echo("inconsistent tables can't be fixed: restore a backup, or import the records into a new folder")
    if not found.is_fine:
        raise typer.Exit(FINDINGS)
    typer.echo(f"{folder} is fine")


def _recover(folder: Path, wait: float) -> None:
    done = recover_database(folder, build_wait(wait))
    if done:
        _print_recovery(*done)
    restored = restore_tombstones(folder)
    if restored:
        typer.echo(f"restored {format_count(restored, 'redacted name')} in {folder / people_file.FILE}")
    elif done is None:
        typer.echo(f"{folder}: nothing to repair; the live file is readable")


def _print_recovery(plan: RecoveryPlan, renamed: Iterable[Path]) -> None:
    if not plan.rejected:
        typer.echo(plan.cause)
    _print_states(plan)
    for path in renamed:
        typer.echo(f"set aside: {path}")
    if plan.target:
        typer.echo(f"repaired: {plan.target.generation.path.name} is live now; no file was deleted")


def _report_damage(folder: Path, problem: str) -> None:
    typer.echo(problem)
    try:
        found = plan_recovery(folder)
    except NotInLakes:
        return
    if found is None:
        return
    _print_states(found)
    if found.target:
        typer.echo(
            f"to restore {found.target.generation.path.name}:  zertz doctor --repair --db {shlex.quote(str(folder))}"
        )
    else:
        typer.echo("no generation in the folder is intact: restore a backup, or import the records into a new folder")


def _print_states(plan: RecoveryPlan) -> None:
    for state in plan.rejected:
        typer.echo(f"  {state.generation.path.name} is not intact: {'; '.join((*state.damage, *state.faults))}")
    if plan.target is None:
        return
    target = plan.target
    size = f"{format_count(target.games or 0, 'game')}, {format_count(target.records or 0, 'record')}"
    typer.echo(f"  {target.generation.path.name} of {target.created} UTC is intact: {size}")
    if plan.lost_imports:
        numbers = ", ".join(map(str, plan.lost_imports))
        typer.echo(f"  it lacks import {numbers}: import those files again")
    elif plan.rejected:
        typer.echo(f"  it lacks all changes after {target.created} UTC: import those files again")


def run_recheck(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only report what would change.")] = False,
    wait: WaitOption = DEFAULT_SECONDS,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Reread all records of a database with the current readers and rules, and store the results.

    Recheck reports changed verdicts, and added and removed games. If zertz itself fails on a record, the record stays unchanged.
    Exit status: 0, 1 if --dry-run finds a change or if zertz failed on a record, 2 for other failures.

    Examples:  zertz recheck --dry-run  ·  zertz recheck --db club.zertz
    """
    with show_progress("reading again", "records") as tick:
        change = recheck.preview_changes if dry_run else partial(recheck.recheck_database, wait=build_wait(wait))
        found = change(folder, tick)
    _print_differences(found)
    changed = sum(not one.is_failure for one in found)
    if not changed:
        typer.echo("no changes: every record reads as stored")
    elif dry_run:
        typer.echo(f"{format_count(changed, 'record')} would change; {folder} is unchanged")
    else:
        typer.echo(f"{format_count(changed, 'record')} changed in {folder}")
    _print_failures(len(found) - changed)
    if len(found) > changed or (changed and dry_run):
        raise typer.Exit(FINDINGS)


def _print_failures(count: int) -> None:
    """Report on how many records zertz failed."""
    if count:
        typer.echo(f"zertz failed on {format_count(count, 'record')}; they stay unchanged; please report it")


def _print_differences(found: Iterable[Difference]) -> None:
    found = list(found)
    for difference in found[:_MAX_LISTED]:
        typer.echo(str(difference))
    if len(found) > _MAX_LISTED:
        typer.echo(f"… and {len(found) - _MAX_LISTED:,} more")
    found = [one for one in found if not one.is_failure]
    verdicts = Counter((one.row.verdict, one.verdict) for one in found if one.row.verdict != one.verdict)
    for (before, now), count in sorted(verdicts.items()):
        typer.echo(f"  {count:>7,} {before} → {now}")
    comes, goes = sum(len(one.added_games) for one in found), sum(len(one.removed_games) for one in found)
    if comes or goes:
        typer.echo(f"  sightings of games: {comes:,} added, {goes:,} removed")


def run_undo(
    run: Annotated[int, typer.Argument(metavar="IMPORT", help="Number of the import, as in `zertz imports`.")],
    wait: WaitOption = DEFAULT_SECONDS,
    folder: DatabaseFolder = DEFAULT_DATABASE,
) -> None:
    """Undo an import: remove its records, and games without records from other imports.

    A game with other records stays; the best of these then represents it. The files of the import count as unread, also files from an
    earlier import that it reread (with other --letters, or newer readers). Importing them again restores everything.

    Examples:  zertz imports  ·  zertz undo 3
    """
    undone = undo(folder, run, build_wait(wait))
    typer.echo(
        f"import {run} undone: {format_count(undone.records, 'record')}, {format_count(undone.games, 'game')} "
        f"and {format_count(undone.files, 'file')} removed"
    )
    if undone.withdrawn:
        typer.echo(
            f"it had withdrawn {format_count(undone.withdrawn, 'record')}: to store them again, import the earlier versions of its files"
        )
    for number, what in undone.dependent_imports:
        typer.echo(
            f"import {number} had skipped files that were stored already; if they were among these: zertz import {what}"
        )


def run_merge(
    databases: Annotated[list[Path], typer.Argument(metavar="DATABASE", help="Databases to merge.")],
    into: Annotated[Path, typer.Option("--into", metavar="FOLDER", help="Target database; created if missing.")],
    wait: WaitOption = DEFAULT_SECONDS,
) -> None:
    """Merge databases: games keep their ids, and a game in several of them keeps all its records; the best represents it.

    The databases stay unchanged; each becomes an import of the target, which can be undone.

    Examples:  zertz merge mine.zertz club.zertz --into all.zertz  ·  zertz merge new.zertz --into club.zertz
    """
    with show_progress("merging", "records") as tick:
        merged = merge(databases, into, tick, build_wait(wait))
    for one in merged:
        typer.echo(
            f"{one.path}: {format_count(one.records, 'record')} = {one.stored:,} stored + {one.duplicate:,} duplicate "
            f"+ {one.rejected:,} rejected; {one.known:,} known"
            + (f"; {format_count(one.analysed, 'game')} with an analysis" if one.analysed else "")
        )
    if not any(one.records or one.analysed for one in merged):
        typer.echo(f"nothing new: {into} is unchanged")


def run_migrate(wait: WaitOption = DEFAULT_SECONDS, folder: DatabaseFolder = DEFAULT_DATABASE) -> None:
    """Migrate a database of an older zertz-db to the current schema; commands that change a database do this too.

    Examples:  zertz migrate --db old.zertz
    """
    done = migrate(folder, build_wait(wait))
    typer.echo(f"{folder} {'has now' if done else 'had already'} schema {meta.SCHEMA_VERSION}")
