"""Tails: a small change of a large database is published as a log next to the file of the generation before, which is not copied.

The new generation is a further name (a hard link) of the live file and a log of its own. DuckDB reads a log with its file whenever it
opens it. The log is that of a working file whose tables DuckDB has not written to; such a file stays for the next import (`spare`), since
DuckDB can't open for writing what readers have open. It has the log too, so it can replace a damaged file. A log that would take readers
long is written to the tables, as a whole generation. A large one leaves a spare at once: copying it may take seconds, which a small import
should not.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from zertz_db.store.folder import generations
from zertz_db.store.folder.generations import Generation

MIN_FILE = 1 << 25
"""Minimum size in bytes of a file with a tail: a smaller one is copied in no time."""
MAX_LOG = 1 << 21
"""Maximum size in bytes of the log of a file up to a gigabyte. Opening a database reads it, at 50 ms of processor time for a megabyte."""
LOG_SHARE = 1 / 512
"""Maximum size of the log of a larger file, as a share of the file: the larger it is, the longer takes a copy."""

MIN_SPARED = 1 << 28
"""Minimum size in bytes of a whole generation that leaves a spare: a smaller one is copied in a tenth of a second."""


def is_possible(working: Path, live: Generation | None) -> bool:
    """Return whether the changes in a working file are a small log, and can be published as a tail of the live generation."""
    size = live.path.stat().st_size if live else 0
    if not live or size < MIN_FILE or not generations.is_unwritten(working, live.path):
        return False
    try:
        return generations.log_of(working).stat().st_size <= max(MAX_LOG, LOG_SHARE * size)
    except FileNotFoundError:
        return False


def publish(folder: Path, working: Path, live: Generation) -> bool:
    """Publish the changes in a closed working file as a tail of the live generation, and leave the file as its spare.

    Return whether it was possible: a file system may have no links. The caller holds the importers' lock, and has noted the number of
    the new generation in the log.
    """
    number = live.number + 1
    if generations.next_number(folder) != number:  # a later file could not be removed
        return False
    path = generations.name_file(folder, number, has_tail=True)
    log = generations.log_of(working)
    generations.copy(log, generations.log_of(path))
    generations.flush(generations.log_of(path))
    try:
        os.link(live.path, path)
    except OSError:
        generations.log_of(path).unlink()
        return False
    new = generations.publish_link(folder, path)
    with suppress(OSError):  # without a spare the next import copies the file
        log.replace(generations.log_of(new.spare))
        working.replace(new.spare)
    return True


def leave_spare(folder: Path, live: Generation) -> None:
    """Leave a copy of a large whole generation for the next import. The caller holds the importers' lock.

    Without space for it, or after Ctrl-C, the next import copies the file.
    """
    if live.path.stat().st_size < MIN_SPARED:
        return
    copied = generations.working_file(folder)  # a sweep removes an unfinished one
    try:
        generations.copy_unwritten(live, copied)
        copied.replace(live.spare)
    except (OSError, KeyboardInterrupt):  # the change is published, so an interrupt must not report that it is not
        copied.unlink(missing_ok=True)
