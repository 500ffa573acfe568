"""Generations: a database is a folder, and `CURRENT` in it names the file that is live.

A generation's file is never written again, so whoever has it open goes on seeing it whole. Its name is never used
again either (it ends in a random word): a process that still holds a file of the same name would be given the old one
by DuckDB.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from zertz_db.store.errors import UnreadableDatabase

CURRENT = "CURRENT"
KEPT = 2
"""The live generation and the one before it, for readers that are just opening it."""

_AT_ONCE = 1 << 24
"""Bytes that are copied with one call: the kernel takes up to twice as long over more, and more than that in `shutil.copyfile`."""

_NEW_CURRENT = "CURRENT.new"
_WORKING = "working-"
_SETTLING = "settling-"
_NAME = re.compile(r"generation-(\d{6,})-[0-9a-f]{6}\.duckdb")


class Generation(NamedTuple):
    """A state of a database: its number, counted from 1, and its file."""

    number: int
    path: Path


def live(folder: Path) -> Generation | None:
    """The generation that CURRENT names, or None where there is no CURRENT."""
    try:
        name = (folder / CURRENT).read_text("utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None
    match = _NAME.fullmatch(name)
    if not match:
        raise UnreadableDatabase(f"{folder / CURRENT} should name a generation and says {name!r}. {_restore(folder)}")
    return Generation(int(match[1]), folder / name)


def working_file(folder: Path) -> Path:
    """A name for a file under construction, never used before."""
    return folder / f"{_WORKING}{secrets.token_hex(3)}.duckdb"


def working_files(folder: Path) -> list[Path]:
    """The files that importers had under construction when they stopped."""
    return sorted(folder.glob(f"{_WORKING}*.duckdb"))


def settling_file(folder: Path) -> Path:
    """A name for a file into which another is settled: half done it is of no use to anybody."""
    return folder / f"{_SETTLING}{secrets.token_hex(3)}.duckdb"


def copy(old: Path, new: Path) -> None:
    """Copy a file within the folder; file systems that can let both share what they have in common."""
    if hasattr(os, "copy_file_range"):
        with suppress(OSError), old.open("rb") as source, new.open("wb") as target:
            while os.copy_file_range(source.fileno(), target.fileno(), _AT_ONCE):
                pass
            return
    shutil.copyfile(old, new)  # on other systems, and where it has to say what is wrong


def publish(folder: Path, working: Path) -> Generation:
    """Make a finished file the live generation, at once or not at all. Only under the importers' lock."""
    number = max((generation.number for generation in _all(folder)), default=0) + 1
    path = folder / f"generation-{number:06}-{secrets.token_hex(3)}.duckdb"
    _flush(working)
    working.replace(path)
    new = folder / _NEW_CURRENT
    new.write_text(path.name + "\n", "utf-8")
    _flush(new)
    _flush_folder(folder)
    new.replace(folder / CURRENT)
    _flush_folder(folder)
    return Generation(number, path)


def sweep(folder: Path, kept: Path | None = None) -> None:
    """Remove what importers that died left behind, but for the file `kept` (and what DuckDB has beside it), and
    generations out of date. Only under the importers' lock.

    A file that can't be removed (Windows keeps what is open) stays until a later sweep. Without CURRENT every
    generation stays.
    """
    for path in (*folder.glob(f"{_WORKING}*"), *folder.glob(f"{_SETTLING}*"), folder / _NEW_CURRENT):
        if not kept or not path.name.startswith(kept.name):
            _remove(path)
    now = live(folder)
    if now is None or not now.path.exists():
        return
    generations = sorted(_all(folder))
    unpublished = [generation for generation in generations if generation.number > now.number]
    outdated = [generation for generation in generations if generation.number <= now.number][:-KEPT]
    for generation in unpublished + outdated:
        if generation.path != now.path:
            _remove(generation.path)


def remove_earlier(folder: Path) -> None:
    """Remove all generations but the live one. Only under the importers' lock."""
    now = live(folder)
    for generation in _all(folder):
        if now and generation.path != now.path:
            _remove(generation.path)


def missing(generation: Generation) -> UnreadableDatabase:
    """What to say of a live generation whose file is gone."""
    return UnreadableDatabase(f"{generation.path} is the live file and is missing. {_restore(generation.path.parent)}")


def _restore(folder: Path) -> str:
    return f"Restore it from a backup, or import the records into a new folder and remove {folder}."


def _all(folder: Path) -> list[Generation]:
    matches = ((_NAME.fullmatch(path.name), path) for path in folder.iterdir())
    return [Generation(int(match[1]), path) for match, path in matches if match]


def _remove(path: Path) -> None:
    with suppress(OSError):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    """Names must reach the disk too; Windows can't and needn't be asked."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
