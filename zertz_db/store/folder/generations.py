"""Generations: a database is a folder, and `CURRENT` in it names the live file.

A generation's file is never written again, so every reader sees a whole state. Its name is never used again either (it ends in a random
word): DuckDB would give a process the old file while that still has a file of the name open.
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
from zertz_db.store.errors import UnreadableDatabase, UnreadableFile

CURRENT = "CURRENT"
RETAINED = 2
"""Generations that stay: the live one and the one before, for readers that are just opening it."""

_AT_ONCE = 1 << 24
"""Bytes to copy with one call: larger ones take the kernel, and `shutil.copyfile`, up to twice as long."""

_HEADER = 3 * 4096
"""Bytes of DuckDB's three headers."""

_NEW_CURRENT = "CURRENT.new"
_MAX_NAME_LENGTH = 200
_ASIDE = "set-aside-"
_GENERATION = "generation-"
_WORKING = "working-"
_COMPACTION = "settling-"
_SPARE = "spare-"
_TAIL = "-tail"
_NAME = re.compile(rf"{_GENERATION}(\d{{6,}})-[0-9a-f]{{6}}(?:{_TAIL})?\.duckdb")
_SPARE_NAME = re.compile(_NAME.pattern.replace(_GENERATION, _SPARE, 1))


class Generation(NamedTuple):
    """A state of a database: its number, counted from 1, and its file."""

    number: int
    path: Path

    @property
    def has_tail(self) -> bool:
        """Return whether its latest changes are in a log next to its file: see `tails`."""
        return self.path.stem.endswith(_TAIL)

    @property
    def log(self) -> Path:
        """Return the path of the log next to its file, which exists only if it has a tail."""
        return log_of(self.path)

    @property
    def spare(self) -> Path:
        """Return the path of the copy of its file that an importer may have left for the next one."""
        return self.path.with_name(self.path.name.replace(_GENERATION, _SPARE, 1))

    def size(self) -> int:
        """Return its size in bytes."""
        return self.path.stat().st_size + (self.log.stat().st_size if self._has_log() else 0)

    def copy_to(self, file: Path) -> None:
        """Copy its file, and its log if it has one."""
        copy(self.path, file)
        if self._has_log():
            copy(self.log, log_of(file))

    def _has_log(self) -> bool:
        """Return whether it has a tail that no other program has written to the tables."""
        return self.has_tail and self.log.exists()


def log_of(file: Path) -> Path:
    """Return the path of DuckDB's log of a file."""
    return file.with_name(f"{file.name}.wal")


def next_number(folder: Path) -> int:
    """Return the number of the next generation. The caller holds the importers' lock."""
    return max((generation.number for generation in list_generations(folder)), default=0) + 1


def name_file(folder: Path, number: int, *, has_tail: bool = False) -> Path:
    """Return a path for a generation's file, never used before."""
    return folder / f"{_GENERATION}{number:06}-{secrets.token_hex(3)}{_TAIL * has_tail}.duckdb"


def live_generation(folder: Path) -> Generation | None:
    """Return the generation that CURRENT names, or None if there is no database.

    Raise UnreadableDatabase if CURRENT is lost or invalid: then the live one among the generations is unknown.
    """
    for _ in range(2):  # a first generation may be published in between
        generation = _named(folder / CURRENT) or _first(folder)
        if generation or not list_generations(folder):
            return generation
    raise UnreadableDatabase(f"{folder / CURRENT}, which names the live file, is missing.", _remedy(folder))


def _named(pointer: Path) -> Generation | None:
    """Return the generation that a file names, or None if the file does not exist."""
    try:
        text = regular_files.read(pointer, _MAX_NAME_LENGTH)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnreadableFile as error:
        raise UnreadableFile(pointer, error.why, _remedy(pointer.parent)) from error
    name = text.decode("utf-8", "backslashreplace").strip()
    match = _NAME.fullmatch(name)
    if not match:
        content = f"has {name!r}" if name else "is empty"
        raise UnreadableDatabase(f"{pointer} should name a generation, but {content}.", _remedy(pointer.parent))
    return Generation(int(match[1]), pointer.parent / name)


def _first(folder: Path) -> Generation | None:
    """Return the first generation of a database whose importer stopped just before it wrote CURRENT, or None."""
    with suppress(UnreadableDatabase):
        generation = _named(folder / _NEW_CURRENT)
        return generation if generation and generation.path.is_file() else None
    return None


def list_generations(folder: Path) -> list[Generation]:
    """Return all generations in a folder, the newest last, live or not. A missing folder has none."""
    return _list_named(folder, _NAME)


def list_spares(folder: Path) -> list[Generation]:
    """Return the copies of generations that an importer has left for the next one: at most one, unless a process was killed."""
    return _list_named(folder, _SPARE_NAME)


def _list_named(folder: Path, name: re.Pattern[str]) -> list[Generation]:
    try:
        matches = [(name.fullmatch(path.name), path) for path in folder.iterdir()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(Generation(int(match[1]), path) for match, path in matches if match)


def working_file(folder: Path) -> Path:
    """Return a name for a file under construction, never used before."""
    return folder / f"{_WORKING}{secrets.token_hex(3)}.duckdb"


def working_files(folder: Path) -> list[Path]:
    """Return the unfinished files of importers that stopped."""
    return sorted(path for path in folder.glob(f"{_WORKING}*.duckdb") if _can_be_opened(path))


def begin_working_file(folder: Path, live: Generation | None) -> Path:
    """Return a new file under construction with the contents of the live generation; it does not exist if there is none.

    It has the live file's time of modification until DuckDB writes to it: see `is_unwritten`.
    """
    working = working_file(folder)
    if not live:
        return working
    if is_unwritten(live.spare, live.path):
        _remove(log_of(live.spare))
        live.spare.replace(working)
        if live.has_tail:
            copy(live.log, log_of(working))
        return working
    copy_unwritten(live, working)
    return working


def copy_unwritten(live: Generation, new: Path) -> None:
    """Copy the file of a generation, and its log, with the time of modification that `is_unwritten` needs."""
    live.copy_to(new)
    times = live.path.stat()
    os.utime(new, ns=(times.st_atime_ns, times.st_mtime_ns))


def is_unwritten(copied: Path, original: Path) -> bool:
    """Return whether DuckDB has not written to a copy, nor to its original, since the copy was made.

    Changes in the log of the copy then fit the original too. The time of modification shows it, and the header, in which DuckDB counts its
    writes of tables, in case the time is coarse.
    """
    try:
        own, other = copied.stat(), original.stat()
        if (own.st_mtime_ns, own.st_size) != (other.st_mtime_ns, other.st_size):
            return False
        with copied.open("rb") as one, original.open("rb") as two:
            return one.read(_HEADER) == two.read(_HEADER)
    except OSError:
        return False


def compaction_file(folder: Path) -> Path:
    """Return a name for the file of a compaction; an unfinished one is useless."""
    return folder / f"{_COMPACTION}{secrets.token_hex(3)}.duckdb"


def copy(old: Path, new: Path) -> None:
    """Copy a file within the folder; file systems that can will share its blocks."""
    if hasattr(os, "copy_file_range"):
        with suppress(OSError), old.open("rb") as source, new.open("wb") as target:
            while os.copy_file_range(source.fileno(), target.fileno(), _AT_ONCE):
                pass
            return
    shutil.copyfile(old, new)  # on other systems, and to raise the error


def publish(folder: Path, working: Path) -> Generation:
    """Make a finished file the live generation, at once or not at all. The caller holds the importers' lock."""
    path = name_file(folder, next_number(folder))
    flush(working)
    new = _write_pointer(folder, path)
    working.replace(path)
    return _point(folder, new, path)


def publish_link(folder: Path, path: Path) -> Generation:
    """Make a new name of a file, whose log is flushed, the live generation. The caller holds the importers' lock."""
    return _point(folder, _write_pointer(folder, path), path)


def _point(folder: Path, new: Path, path: Path) -> Generation:
    """Let CURRENT name a file, by the pointer `new` to it."""
    _flush_folder(folder)
    new.replace(folder / CURRENT)
    _flush_folder(folder)
    return Generation(int(path.name.split("-")[1]), path)


def adopt(folder: Path, generation: Generation) -> list[Path]:
    """Make a generation the live one, whatever CURRENT has; return the paths of what was set aside. The caller holds the importers' lock.

    Delete nothing: later generations, which the next importer would sweep, are renamed. A spare becomes a generation.
    """
    renamed = [
        _set_aside(one.path)
        for one in list_generations(folder)
        if one.number >= generation.number and one != generation
    ]
    if (folder / CURRENT).is_dir():
        renamed.append(_set_aside(folder / CURRENT))
    path = generation.path
    if path.name.startswith(_SPARE):
        path = name_file(folder, generation.number, has_tail=generation.has_tail)
        if generation.has_tail:
            generation.log.replace(log_of(path))
        generation.path.replace(path)
    _write_pointer(folder, path).replace(folder / CURRENT)
    _flush_folder(folder)
    return renamed


def _write_pointer(folder: Path, path: Path) -> Path:
    """Write the next contents of CURRENT to a file next to it. If only that file is left, its generation is live."""
    new = folder / _NEW_CURRENT
    _remove(new)  # in the way if it is not a file that we wrote
    new.write_text(path.name + "\n", "utf-8")
    flush(new)
    return new


def _set_aside(path: Path) -> Path:
    aside = path.with_name(f"{_ASIDE}{secrets.token_hex(3)}-{path.name}")
    with suppress(FileNotFoundError):  # most have no log
        log_of(path).rename(log_of(aside))
    return path.rename(aside)


def sweep(folder: Path, working: Path | None = None) -> None:
    """Remove the leftovers of importers that died, except the file `working` and DuckDB's files for it, and outdated generations.

    The caller holds the importers' lock. A file that can't be removed (on Windows, an open one) stays until a later sweep. Without
    CURRENT every generation stays.
    """
    if not os.path.lexists(folder / CURRENT) and _first(folder):
        (folder / _NEW_CURRENT).replace(folder / CURRENT)
    for path in (*folder.glob(f"{_WORKING}*"), *folder.glob(f"{_COMPACTION}*"), folder / _NEW_CURRENT):
        if not working or not path.name.startswith(working.name):
            _remove(path)
    now = live_generation(folder)
    for path in folder.glob(f"{_SPARE}*"):
        if not now or path not in (now.spare, log_of(now.spare)):
            _remove(path)
    if now is None or not now.path.exists():
        return
    generations = list_generations(folder)
    unpublished = [generation for generation in generations if generation.number > now.number]
    outdated = [generation for generation in generations if generation.number <= now.number][:-RETAINED]
    for generation in unpublished + outdated:
        if generation.path != now.path:
            _remove(generation.path)
    _remove_lone_logs(folder)


def remove_earlier(folder: Path) -> None:
    """Remove all generations except the live one. The caller holds the importers' lock."""
    now = live_generation(folder)
    for generation in list_generations(folder):
        if now and generation.path != now.path:
            _remove(generation.path)
    _remove_lone_logs(folder)


def _remove_lone_logs(folder: Path) -> None:
    """Remove logs without a file. A file goes first, so that a reader who still finds it has read its log."""
    for log in folder.glob(f"{_GENERATION}*.duckdb.wal"):
        if not log.with_suffix("").exists():
            _remove(log)


def require_file(generation: Generation) -> None:
    """Raise UnreadableDatabase if the file of the live generation is missing, or would make DuckDB wait."""
    if not generation.path.exists():
        raise missing(generation)
    if not _can_be_opened(generation.path):
        raise damaged(generation, "The file or its log is not a regular file.")


def _can_be_opened(path: Path) -> bool:
    """Return whether a file, and its log if there is one, are regular files: DuckDB would wait for a pipe."""
    log = log_of(path)
    return path.is_file() and (log.is_file() or not log.exists())


def missing(generation: Generation) -> UnreadableDatabase:
    """Return the error about a live generation whose file is missing."""
    return UnreadableDatabase(f"{generation.path} is the live file and is missing.", _remedy(generation.path.parent))


def damaged(generation: Generation, cause: str) -> UnreadableDatabase:
    """Return the error about a live generation whose file can't be opened. cause: a sentence."""
    return UnreadableDatabase(
        f"{generation.path} can't be opened. {cause}",
        f"If another program has it open for writing, close it there. {_remedy(generation.path.parent)}",
    )


def _remedy(folder: Path) -> str:
    if list_generations(folder):
        command = f"zertz doctor --repair --db {shlex.quote(str(folder))}"
        return f"To go back to the newest undamaged state: {command}. Or restore it from a backup."
    return f"Restore it from a backup, or import the records into a new folder and remove {folder}."


def _remove(path: Path) -> None:
    with suppress(OSError):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def flush(path: Path) -> None:
    """Flush a file to the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    """Flush names to the disk too; Windows neither can nor needs to."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
