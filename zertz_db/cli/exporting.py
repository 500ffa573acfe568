"""Where an export goes: which form, to standard output or to a file that appears when it is whole."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from zertz_db.cli.errors import FINDINGS, Stop
from zertz_db.cli.progress import ticking

if TYPE_CHECKING:
    from zertz_db.queries.filters import Filters
    from zertz_db.store.opening import Database

STANDARD_OUTPUT = "-"


class Target(StrEnum):
    """What games are exported as."""

    gipf = "gipf"
    jsonl = "jsonl"
    csv = "csv"
    parquet = "parquet"
    duckdb = "duckdb"


_SUFFIXES = {".txt": Target.gipf} | {f".{target}": target for target in Target}
_BINARY = (Target.parquet, Target.duckdb)


def write(database: Database, output: str, to: Target | None, filters: Filters, sort: str, force: bool) -> None:
    """Export the games that pass the filters; a Stop says what is impossible."""
    to = to or _target_of(output)
    if to is Target.duckdb and filters.any:
        raise Stop("duckdb is a copy of the whole database; export to gipf and import that to have some of the games")
    if output == STANDARD_OUTPUT:
        if to in _BINARY:
            raise Stop(f"{to} needs a file: --output games.{to}")
        _write_text(database, to, sys.stdout, filters, sort)
        return
    with _appearing(Path(output), force) as path:
        if to is Target.duckdb:
            _copy_database(database, path)
        elif to is Target.parquet:
            _write_parquet(database, path, filters, sort)
        else:
            with path.open("w", encoding="utf-8", newline="\n") as file:
                _write_text(database, to, file, filters, sort)


def _target_of(output: str) -> Target:
    if output == STANDARD_OUTPUT:
        return Target.gipf
    suffix = Path(output).suffix.lower()
    if suffix not in _SUFFIXES:
        raise Stop(f"what {output} is to be is not clear from its name: say --to {', '.join(Target)}")
    return _SUFFIXES[suffix]


@contextmanager
def _appearing(path: Path, force: bool) -> Iterator[Path]:
    """A name to write under; the file gets its own name at the end, and nothing is left if that is not reached."""
    if path.is_dir():
        raise Stop(f"{path} is a folder; name a file to write")
    if not path.parent.is_dir():
        raise Stop(f"there is no folder {path.parent} to write {path.name} to")
    if path.exists() and not force:
        raise Stop(f"{path} exists; name another file, or say --force to replace it")
    part = path.with_name(f"{path.name}.{secrets.token_hex(3)}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write_text(database: Database, to: Target, file: TextIO, filters: Filters, sort: str) -> None:
    if to is Target.gipf:
        _write_notation(database, file, filters, sort)
    elif to is Target.jsonl:
        _write_objects(database, file, filters, sort)
    else:
        _write_csv(database, file, filters, sort)


def _write_notation(database: Database, file: TextIO, filters: Filters, sort: str) -> None:
    from zertz_db.ingest.exporting import notations
    from zertz_db.queries.games import game_ids

    ids = game_ids(database, filters, sort)
    lost = []
    written = 0
    with ticking("exporting", "games", len(ids)) as tick:
        for game, notation in notations(database, ids):
            if notation is None:
                lost.append(game)
            else:
                file.write(("\n" if written else "") + notation)
                written += 1
            tick(1)
    typer.echo(f"{written:,} games", err=True)
    if lost:
        typer.echo(
            f"{len(lost):,} games were left out: this version reads their records otherwise than the one that stored them "
            f"(recheck the database): {', '.join(lost[:5])}{' …' if lost[5:] else ''}",
            err=True,
        )
        raise typer.Exit(FINDINGS)


def _write_objects(database: Database, file: TextIO, filters: Filters, sort: str) -> None:
    import json

    from zertz_db.queries.export import objects

    for game in objects(database, filters, sort):
        file.write(json.dumps(game, ensure_ascii=False, default=str) + "\n")


def _write_csv(database: Database, file: TextIO, filters: Filters, sort: str) -> None:
    import csv

    from zertz_db.queries.export import table

    names, rows = table(database, filters, sort)
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)


def _write_parquet(database: Database, path: Path, filters: Filters, sort: str) -> None:
    from zertz_db.queries.export import write_parquet

    write_parquet(database, path, filters, sort)


def _copy_database(database: Database, path: Path) -> None:
    from zertz_db.queries.export import write_database

    write_database(database, path)
