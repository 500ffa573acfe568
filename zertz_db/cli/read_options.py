"""Arguments of commands that read records: paths, dialect, colour letters, processes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import typer

from zertz_db.cli.errors import Stop
from zertz_db.cli.progress import show_progress
from zertz_db.ingest.check_files import CheckOptions, Report, check_paths
from zertz_db.parser.dialects import DIALECTS
from zertz_db.parser.text.colour_letters import LANGUAGES
from zertz_db.plurals import format_count
from zertz_db.rules import compiled

Paths = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Files, folders, archives (zip, tar, gz, bz2, xz), or - for standard input."),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="NAME",
        help="Dialect of all records: gipf, zen, … (default: detected).",
    ),
]
Letters = Annotated[
    str | None,
    typer.Option(
        "--letters",
        metavar="LANGUAGE",
        help="Language of the colour letters: en (W G B), it or fr (B G N), de (W G S), nl (W G Z) (default: detected).",
    ),
]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Number of processes (default: one per core).")]


def check_with_progress(paths: list[str], wanted: CheckOptions, jobs: int | None = None) -> Iterator[Report]:
    """Check everything below the paths, with progress on a terminal. Raises Stop for a dialect or a language that does not exist."""
    _require_known(wanted.dialect, "dialect", [dialect.name for dialect in DIALECTS])
    require_language(wanted.language)
    if jobs is not None:
        os.environ["ZERTZ_WORKERS"] = str(jobs)
    compiled.load_lean()
    with show_progress("checking", "records") as tick:
        for batch in check_paths(list(paths), wanted):
            yield from batch
            tick(len(batch))


def require_language(letters: str | None) -> None:
    """Raise Stop for a language that does not exist."""
    _require_known(letters, "language", list(LANGUAGES))


def _require_known(name: str | None, what: str, known: list[str]) -> None:
    if name is not None and name not in known:
        raise Stop(f"unknown {what} {name!r}; valid: {', '.join(known)}")


def require_records(tally: Counter[str], paths: list[str]) -> None:
    """Raise Stop if no record was read."""
    skipped = tally["skipped"]
    if tally.total() == skipped:
        files = f"; {format_count(skipped, 'file has no records', 'files have no records')}" if skipped else ""
        raise Stop(f"no records found in {', '.join(paths)}{files}")
