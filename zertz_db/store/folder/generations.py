"""Generations: a database is a folder, and `CURRENT` in it names the file that is live.

A generation's file is never written again, so whoever has it open goes on seeing it whole. Its name is never used
again either (it ends in a random word): a process that still holds a file of the same name would be given the old one
by DuckDB.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
import shutil
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from zertz_db.store import regular_files
from zertz_db.store.errors import ImpossibleName, UnreadableDatabase, UnreadableFile

CURRENT = "CURRENT"
RETAINED = 2
"""The live generation and the one before it, for readers that are just opening it."""

_AT_ONCE = 1 << 24
"""Bytes that are copied with one call: the kernel takes up to twice as long over more, and more than that in `shutil.copyfile`."""

_NEW_CURRENT = "CURRENT.new"
_MAX_NAME_LENGTH = 200
_ASIDE = "set-aside-"
_WORKING = "working-"
_COMPACTION = "settling-"
_NAME = re.compile(r"generation-(\d{6,})-[0-9a-f]{6}\.duckdb")


class Generation(NamedTuple):
    """A state of a database: its number, counted from 1, and its file."""

    number: int
    path: Path


def live_generation(folder: Path) -> Generation | None:
    """Return the generation that CURRENT names, or None where there is no database.

    UnreadableDatabase if CURRENT is lost or names none: then nobody can tell which of the generations there are is the live one.
    """
    for _ in range(2):  # the first generation may be published just now
        found = _named(folder / CURRENT) or _first(folder)
        if found or not list_generations(folder):
            return found
    raise UnreadableDatabase(f"{folder / CURRENT}, which names the live file, is missing.", _remedy(folder))


def _named(pointer: Path) -> Generation | None:
    """The generation that a file names; None where there is no such file."""
    try:
        text = regular_files.read(pointer, _MAX_NAME_LENGTH)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnreadableFile as error:
        raise UnreadableFile(pointer, error.why, _remedy(pointer.parent)) from error
    name = text.decode("utf-8", "backslashreplace").strip()
    match = _NAME.fullmatch(name)
    if not match:
        says = f"says {name!r}" if name else "is empty"
        raise UnreadableDatabase(f"{pointer} should name a generation and {says}.", _remedy(pointer.parent))
    return Generation(int(match[1]), pointer.parent / name)


def _first(folder: Path) -> Generation | None:
    """The first generation of a database whose importer stopped just before it named it in CURRENT."""
    with suppress(UnreadableDatabase):
        found = _named(folder / _NEW_CURRENT)
        return found if found and found.path.is_file() else None
    return None


def list_generations(folder: Path) -> list[Generation]:
    """All generations in a folder, the newest last, whether they are live or not; none where there is no folder."""
    try:
        matches = [(_NAME.fullmatch(path.name), path) for path in folder.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(Generation(int(match[1]), path) for match, path in matches if match)


def for_duckdb(path: Path) -> str:
    """Return the name by which DuckDB opens a file: absolute, so that it never begins like an address. ImpossibleName."""
    name = str(path.absolute())
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise ImpossibleName(path.parent, "its name is not UTF-8") from error
    return name


def for_duckdb_to_write(path: Path) -> str:
    """Return the name by which DuckDB opens a file for writing. ImpossibleName."""
    name = for_duckdb(path)
    if "?" in name:  # what follows it DuckDB takes for parameters when it names its log
        raise ImpossibleName(path.parent, "it can't write where a name has a question mark")
    return name


def working_file(folder: Path) -> Path:
    """A name for a file under construction, never used before."""
    return folder / f"{_WORKING}{secrets.token_hex(3)}.duckdb"


def working_files(folder: Path) -> list[Path]:
    """The files that importers had under construction when they stopped."""
    return sorted(path for path in folder.glob(f"{_WORKING}*.duckdb") if _can_be_opened(path))


def compaction_file(folder: Path) -> Path:
    """A name for a file into which another is settled: half done it is of no use to anybody."""
    return folder / f"{_COMPACTION}{secrets.token_hex(3)}.duckdb"


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
    number = max((generation.number for generation in list_generations(folder)), default=0) + 1
    path = folder / f"generation-{number:06}-{secrets.token_hex(3)}.duckdb"
    _flush(working)
    new = _write_pointer(folder, path)
    working.replace(path)
    _flush_folder(folder)
    new.replace(folder / CURRENT)
    _flush_folder(folder)
    return Generation(number, path)


def adopt(folder: Path, generation: Generation) -> list[Path]:
    """Make a generation the live one, whatever CURRENT is. Only under the importers' lock.

    Nothing is deleted: later generations, which the next importer would sweep up, get other names. Returns those.
    """
    renamed = [
        _set_aside(one.path)
        for one in list_generations(folder)
        if one.number >= generation.number and one != generation
    ]
    if (folder / CURRENT).is_dir():
        renamed.append(_set_aside(folder / CURRENT))
    _write_pointer(folder, generation.path).replace(folder / CURRENT)
    _flush_folder(folder)
    return renamed


def _write_pointer(folder: Path, path: Path) -> Path:
    """Write what CURRENT is to say to a file beside it. If that is left over without CURRENT, what it names is live."""
    new = folder / _NEW_CURRENT
    _remove(new)  # which is no file of ours if it can't be written to
    new.write_text(path.name + "\n", "utf-8")
    _flush(new)
    return new


def _set_aside(path: Path) -> Path:
    return path.rename(path.with_name(f"{_ASIDE}{secrets.token_hex(3)}-{path.name}"))


def sweep(folder: Path, kept: Path | None = None) -> None:
    """Remove what importers that died left behind, but for the file `kept` (and what DuckDB has beside it), and
    generations out of date. Only under the importers' lock.

    A file that can't be removed (Windows keeps what is open) stays until a later sweep. Without CURRENT every
    generation stays.
    """
    if not os.path.lexists(folder / CURRENT) and _first(folder):
        (folder / _NEW_CURRENT).replace(folder / CURRENT)
    for path in (*folder.glob(f"{_WORKING}*"), *folder.glob(f"{_COMPACTION}*"), folder / _NEW_CURRENT):
        if not kept or not path.name.startswith(kept.name):
            _remove(path)
    now = live_generation(folder)
    if now is None or not now.path.exists():
        return
    generations = list_generations(folder)
    unpublished = [generation for generation in generations if generation.number > now.number]
    outdated = [generation for generation in generations if generation.number <= now.number][:-RETAINED]
    for generation in unpublished + outdated:
        if generation.path != now.path:
            _remove(generation.path)


def remove_earlier(folder: Path) -> None:
    """Remove all generations but the live one. Only under the importers' lock."""
    now = live_generation(folder)
    for generation in list_generations(folder):
        if now and generation.path != now.path:
            _remove(generation.path)


def require_file(generation: Generation) -> None:
    """Raise UnreadableDatabase if the file of the live generation is missing, or is something for which DuckDB would wait."""
    if not generation.path.exists():
        raise missing(generation)
    if not _can_be_opened(generation.path):
        raise damaged(generation, "It is not a regular file, or has a log that is none.")


def _can_be_opened(path: Path) -> bool:
    """Whether a file and its log, if it has one, are regular files: DuckDB would wait for a pipe."""
    log = path.with_name(f"{path.name}.wal")
    return path.is_file() and (log.is_file() or not log.exists())


def missing(generation: Generation) -> UnreadableDatabase:
    """Return what to report of a live generation whose file is gone."""
    return UnreadableDatabase(f"{generation.path} is the live file and is missing.", _remedy(generation.path.parent))


def damaged(generation: Generation, cause: str) -> UnreadableDatabase:
    """Return what to report of a live generation whose file can't be opened; cause: a sentence."""
    return UnreadableDatabase(
        f"{generation.path} can't be opened. {cause}",
        f"If another program has it open for writing, close it there. {_remedy(generation.path.parent)}",
    )


def _remedy(folder: Path) -> str:
    if list_generations(folder):
        command = f"zertz doctor --repair --db {shlex.quote(str(folder))}"
        return f"To go back to the newest whole state: {command}. Else restore it from a backup."
    return f"Restore it from a backup, or import the records into a new folder and remove {folder}."


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
