"""Write an export in any format, to standard output or to a file."""

from __future__ import annotations

import json
import secrets
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TextIO

import typer

from zertz_db.cli.errors import FINDINGS, NO_GAMES, Stop
from zertz_db.cli.filter_options import is_term
from zertz_db.cli.progress import show_progress
from zertz_db.cli.safe_output import STANDARD_OUTPUT, get_utf8_stdout, write_atomically
from zertz_db.export.notation import read_records, write_notations
from zertz_db.export.rows import objects, table, write_database, write_parquet
from zertz_db.export.sqlite import write_sqlite
from zertz_db.parser.dialects import Unwritable
from zertz_db.parser.json_lines import described
from zertz_db.plurals import format_count
from zertz_db.queries.csv_text import write_csv
from zertz_db.queries.filters.suggestions import absence
from zertz_db.queries.games.game_list import count_games, game_ids
from zertz_db.store.folder.database import Database


class ExportFormat(StrEnum):
    """Formats of an export."""

    gipf = "gipf"
    zen = "zen"
    boardspace = "boardspace"
    jsonl = "jsonl"
    csv = "csv"
    parquet = "parquet"
    sqlite = "sqlite"
    duckdb = "duckdb"
    web = "web"
    dataset = "dataset"


_DIALECTS = (ExportFormat.gipf, ExportFormat.zen, ExportFormat.boardspace)
_FOLDERS = (ExportFormat.dataset, ExportFormat.web)
_SUFFIXES = {".txt": ExportFormat.gipf, ".sgf": ExportFormat.boardspace} | {
    f".{target}": target for target in ExportFormat if target not in _FOLDERS
}
_BINARY = (ExportFormat.parquet, ExportFormat.sqlite, ExportFormat.duckdb)


def take_path(to: ExportFormat | None, output: str, words: list[str]) -> tuple[str, list[str]]:
    """Return where to write, and the arguments that are the filter. Raise Stop if a folder or a binary file has no path.

    Text can go to standard output, so there all arguments are the filter. A folder or a binary file can't: without --output, the
    first argument is its path.
    """
    if output != STANDARD_OUTPUT or to is None or to not in (*_FOLDERS, *_BINARY):
        return output, words
    if not words or words[0] == STANDARD_OUTPUT or is_term(words[0]):
        kind, example = ("folder", "site") if to in _FOLDERS else ("file", f"games.{to}")
        raise Stop(f"{to} needs a {kind}, before any filter: zertz export --to {to} {example}")
    return words[0], words[1:]


def write_export(
    database: Database, output: str, to: ExportFormat | None, filters: str, sort: str, force: bool
) -> None:
    """Export the games that pass the filters. Raise Stop for an impossible export."""
    to = to or _get_format(output)
    if to is ExportFormat.duckdb and filters:
        raise Stop("duckdb is a copy of the whole database; for some of the games use --to-db")
    if to is not ExportFormat.duckdb:
        _require_games(database, filters)
    if output == STANDARD_OUTPUT:
        if not _write_text(database, to, get_utf8_stdout(), filters, sort):
            raise typer.Exit(FINDINGS)
        return
    is_complete = True
    with write_atomically(Path(output), force) as path:
        if to is ExportFormat.duckdb:
            write_database(database, path)
        elif to is ExportFormat.parquet:
            write_parquet(database, path, filters, sort)
        elif to is ExportFormat.sqlite:
            write_sqlite(database, path, filters, sort)
        else:
            with path.open("w", encoding="utf-8", newline="\n") as file:
                is_complete = _write_text(database, to, file, filters, sort)
    if not is_complete:  # the file has the other games
        raise typer.Exit(FINDINGS)


def export_site(
    database: Database, output: str, filters: str, force: bool, title: str | None, pyodide: Path | None
) -> None:
    """Write the games that pass the filters as a static site into a folder. Raise Stop for an impossible export.

    title: of the pages; None for the usual one. pyodide: the folder of Pyodide's package, for a page that checks records.
    """
    # The board of the dashboard and the drawings take 0.1 s to import; other exports need neither.
    from zertz_db.dashboards.components.board_files import read_elements, read_script, read_style
    from zertz_db.export.web.site import TITLE, BoardFiles, is_site, write_site

    folder = Path(output)
    if folder.exists() and not folder.is_dir():
        raise Stop(f"{folder} is a file; name a folder")
    if folder.exists() and any(folder.iterdir()):
        if not is_site(folder):
            raise Stop(f"{folder} has other files than those of a site; name a new folder")
        if not force:
            raise Stop(f"{folder} has a site; name another folder, or use --force to replace its files")
    _require_games(database, filters)
    board = BoardFiles(read_script(), read_style(), read_elements())
    try:
        site = write_site(database, folder, board, filters, title or TITLE, pyodide)
    except OSError as error:
        raise Stop(f"{folder} can't be written: {error.strerror}") from error
    size = sum(site.sizes.values())
    typer.echo(
        f"{format_count(site.games, 'game')} in {folder}, {len(site.sizes)} files, {size / 1e6:.1f} MB", err=True
    )


def export_dataset(database: Database, output: str, filters: str, licence: str | None, force: bool) -> None:
    """Write the games that pass the filters as a data set into a folder. Raise Stop for an impossible export."""
    # Arrow and SQLModel take 0.8 s to import; other exports need not wait for them.
    from zertz_db.export.dataset.dataset_writer import write_dataset

    _require_games(database, filters)
    with _replace_folder(Path(output), force) as part:
        written = write_dataset(database, part, filters, licence)
    games = format_count(written.rows["games.parquet"], "game")
    typer.echo(f"data set {written.version} with {games} in {output}", err=True)
    if licence is None:
        typer.echo("the licence is not stated: --licence TEXT states it", err=True)


@contextmanager
def _replace_folder(folder: Path, force: bool) -> Iterator[Path]:
    """Yield a temporary folder; at the end it gets its own name, and after a failure none is left. Raise Stop.

    An empty folder is replaced, and with `force` an earlier data set, which has a file of checksums.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        if not (folder / "SHA256SUMS").is_file():
            raise Stop(f"{folder} exists and is not a data set; name another folder")
        if not force:
            raise Stop(f"{folder} exists; name another folder, or use --force to replace the data set")
    target = folder.resolve()
    part = target.with_name(f"{target.name}.{secrets.token_hex(3)}.part")
    try:
        part.mkdir()
        yield part
        if target.exists():
            shutil.rmtree(target)
        part.rename(target)
    except OSError as error:
        raise Stop(f"{folder} can't be written: {error.strerror}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def export_database(database: Database, folder: Path, filters: str) -> None:
    """Create a database of the games that pass the filters, with all their records."""
    # Arrow and SQLModel take 0.8 s to import; lists and other exports need not wait for them.
    from zertz_db.maintain.merge_databases import copy_games

    _require_games(database, filters)
    with show_progress("exporting", "records") as tick:
        done = copy_games(
            database, game_ids(database, filters), folder, f"{database.title}: {filters or 'all games'}", tick
        )
    typer.echo(f"{done.stored:,} games with {done.records:,} records in {folder}", err=True)


def _require_games(database: Database, filters: str) -> None:
    """Raise Stop if no games match."""
    if not count_games(database, filters):
        raise Stop(f"{absence(database, filters)} Nothing written.", NO_GAMES)


def _get_format(output: str) -> ExportFormat:
    if output == STANDARD_OUTPUT:
        return ExportFormat.gipf
    suffix = Path(output).suffix.lower()
    if suffix not in _SUFFIXES:
        raise Stop(f"can't tell the format from {output!r}; use --to {', '.join(ExportFormat)}")
    return _SUFFIXES[suffix]


def _write_text(database: Database, to: ExportFormat, file: TextIO, filters: str, sort: str) -> bool:
    """Write the games; return whether all could be written."""
    if to in _DIALECTS:
        return _write_notation(database, to, file, filters, sort)
    if to is ExportFormat.jsonl:
        _write_json_lines(database, file, filters, sort)
    else:
        write_csv(file, *table(database, filters, sort))
    return True


def _write_notation(database: Database, to: ExportFormat, file: TextIO, filters: str, sort: str) -> bool:
    ids = game_ids(database, filters, sort)
    lost = []
    unwritable: dict[str, str] = {}
    written = 0
    with show_progress("exporting", "games", len(ids)) as tick:
        for game, notation in write_notations(database, ids, to):
            if notation is None:
                lost.append(game)
            elif isinstance(notation, Unwritable):
                unwritable[game] = notation.cause
            else:
                file.write(("\n" if written else "") + notation)
                written += 1
            tick(1)
    typer.echo(f"{written:,} games", err=True)
    for cause, games in Counter(unwritable.values()).most_common():
        example = next(game for game, its in unwritable.items() if its == cause)
        typer.echo(f"{format_count(games, 'game')} can't be written as {to}: {cause} ({example})", err=True)
    if lost:
        typer.echo(
            f"{len(lost):,} games were left out: this version reads their records otherwise than the one that stored them, "
            f"or fails on them (recheck the database): {', '.join(lost[:5])}{' …' if lost[5:] else ''}",
            err=True,
        )
    if not written:
        raise typer.Exit(FINDINGS)  # no empty file is left
    return not lost and not unwritable


def _write_json_lines(database: Database, file: TextIO, filters: str, sort: str) -> None:
    """Write what the database says of each game, and what its record says where that can be read as it was stored."""
    ids = game_ids(database, filters, sort)
    with show_progress("exporting", "games", len(ids)) as tick:
        for game, (_, record) in zip(objects(database, filters, sort), read_records(database, ids), strict=True):
            whole = game if record is None else {**game, **described(record)}
            file.write(json.dumps(whole, ensure_ascii=False, default=str) + "\n")
            tick(1)
