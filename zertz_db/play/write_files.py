"""Write games: as a text in official notation, as a zip in the server's form with a member for each game, or as a folder.

A folder has files with a hundred games each, written by all cores, so it can have millions of games.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import IO, NamedTuple

from zertz_db.parser.boardspace import writer as boardspace_writer
from zertz_db.parser.gipf import writer as gipf_writer
from zertz_db.parser.record import Record
from zertz_db.play.generate import generate_games
from zertz_db.rules.position import Position

GAMES_PER_FILE = 100
_FILES_PER_BATCH = 20
_MIN_PARALLEL_GAMES = 5 * GAMES_PER_FILE * _FILES_PER_BATCH
"""Minimum number of games for which starting and compiling in further processes saves time."""


class GenerateOptions(NamedTuple):
    """The games and their form: see `generate` for the meanings; `position` is the start as a string.

    form: "gipf" for texts, "boardspace" for zips.
    """

    games: int
    seed: int
    first: str
    second: str
    position: str
    annotated: bool
    form: str


def write_folder(
    options: GenerateOptions, folder: Path, workers: int, tick: Callable[[int], None] = lambda _: None
) -> None:
    """Write the games to `folder`, which is created if missing. The files do not depend on the number of workers.

    `tick` is called with the number of games finished since its last call. Raises NoServerForm, and OSError if the disk can't store the
    games.
    """
    folder.mkdir(parents=True, exist_ok=True)
    batches = range(0, options.games, GAMES_PER_FILE * _FILES_PER_BATCH)
    write = partial(_write_batch, options, folder)
    if workers == 1 or options.games < _MIN_PARALLEL_GAMES:
        for done in map(write, batches):
            tick(done)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for done in pool.map(write, batches):
            tick(done)


def _write_batch(options: GenerateOptions, folder: Path, begin: int) -> int:
    """Write the files of the batch after game `begin`; return its number of games."""
    end = min(begin + GAMES_PER_FILE * _FILES_PER_BATCH, options.games)
    for before in range(begin, end, GAMES_PER_FILE):
        _write_file(options, folder, before, min(GAMES_PER_FILE, end - before))
    return end - begin


def _write_file(options: GenerateOptions, folder: Path, before: int, count: int) -> None:
    name = f"games-{before + 1:0{len(str(options.games))}}"
    if options.form == "gipf":
        with (folder / f"{name}.txt").open("w", encoding="utf-8", newline="\n") as text:
            write_text(_records(options, before, count), text)
    else:
        with (folder / f"{name}.zip").open("wb") as archive:
            write_archive(_records(options, before, count), archive)


def _records(options: GenerateOptions, before: int, count: int) -> Iterator[Record]:
    return generate_games(
        count,
        seed=options.seed,
        first=options.first,
        second=options.second,
        start=Position.parse(options.position),
        annotated=options.annotated,
        begin=before + 1,
        fast=options.games >= _MIN_PARALLEL_GAMES,
    )


_MINUTES_PER_DAY = 24 * 60


def write_text(records: Iterable[Record], target: IO[str]) -> None:
    """Write the records in official notation, separated by empty lines."""
    for number, record in enumerate(records):
        target.write(("\n" if number else "") + gipf_writer.write(record))


def write_archive(records: Iterable[Record], target: IO[bytes]) -> None:
    """Write the records to a zip; game n gets minute n of its day, so all members have different names.

    Raises NoServerForm for a record without a server form.
    """
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, record in enumerate(records):
            minute = number % _MINUTES_PER_DAY
            name = boardspace_writer.game_name(record, f"{minute // 60:02}{minute % 60:02}")
            year, month, day = map(int, (record.date or "2020.01.01").split("."))
            member = zipfile.ZipInfo(f"{name}.sgf", (year, month, day, minute // 60, minute % 60, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, boardspace_writer.write(record, name))
