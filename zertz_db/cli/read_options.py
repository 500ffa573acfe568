"""The arguments by which commands are told what to read, and how."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.progress import show_progress
from zertz_db.plurals import format_count

if TYPE_CHECKING:
    from zertz_db.ingest.check_files import CheckOptions, Report

Paths = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Files, folders, archives (zip, tar, gz, bz2, xz), or - for standard input."),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        help="Read everything as this dialect instead of telling it by content: gipf, zen, …",
    ),
]
Letters = Annotated[
    str | None,
    typer.Option(
        "--letters",
        metavar="LANGUAGE",
        help="Whose colour letters the records have, instead of telling it by them: en (W G B), it or fr (B G N), de (W G S), nl (W G Z).",
    ),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, help="So many processes; without it, one for each core.")
]


def check_with_progress(paths: list[str], wanted: CheckOptions, jobs: int | None = None) -> Iterator[Report]:
    """Check everything below the paths, with progress on a terminal. Raises Stop for a dialect or a language that does not exist."""
    from parser.dialects import DIALECTS
    from zertz_db.ingest.check_files import check_paths

    _require_known(wanted.dialect, "dialect", [dialect.name for dialect in DIALECTS])
    require_language(wanted.language)
    if jobs is not None:
        os.environ["ZERTZ_WORKERS"] = str(jobs)
    with show_progress("checking", "records") as tick:
        for lot in check_paths(list(paths), wanted):
            yield from lot
            tick(len(lot))


def require_language(letters: str | None) -> None:
    """Raise Stop for a language that does not exist."""
    from parser.text.colour_letters import LANGUAGES

    _require_known(letters, "language", list(LANGUAGES))


def _require_known(name: str | None, what: str, known: list[str]) -> None:
    if name is not None and name not in known:
        raise Stop(f"there is no {what} {name!r}; there are {', '.join(known[:-1])} and {known[-1]}")


def require_records(balance: Counter[str], paths: list[str]) -> None:
    """Raise Stop where nothing was read."""
    if not balance.total() - balance["passed over"]:
        passed = balance["passed over"]
        files = f"; {format_count(passed, 'file is no record', 'files are no records')}" if passed else ""
        raise Stop(f"no records found in {', '.join(paths)}{files}")
