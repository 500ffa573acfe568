"""The error log: tracebacks of internal errors go to a file, one line about each to standard error.

Only programs ask for it (`set_up`). Whoever uses zertz_db as a library sets up `logging` as usual: the logger is `faults.LOGGER`.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections import Counter
from pathlib import Path

from parser import faults

LOG_VARIABLE = "ZERTZ_LOG"
"""The environment variable that names the file; processes that are started inherit it."""
MAX_ENTRIES_PER_KIND = 20
"""Entries about errors of one kind in one process: a common error must not fill the disk. Each record has its finding all the same."""


def get_default_file() -> Path:
    """Return the error log's usual place."""
    state = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(state) if state else Path("~/.local/state")) / "zertz-db" / "errors.log"


def start_logging() -> None:
    """Write internal errors of this process, and of those that it starts, to the error log."""
    os.environ.setdefault(LOG_VARIABLE, str(get_default_file()))
    follow_parent()


def follow_parent() -> None:
    """Do as the process does that started this one: write to the error log, if it does."""
    logger = logging.getLogger(faults.LOGGER)
    if os.environ.get(LOG_VARIABLE) and not any(isinstance(handler, _ErrorLog) for handler in logger.handlers):
        logger.addHandler(_ErrorLog(logging.ERROR))


class _ErrorLog(logging.Handler):
    """Writes a whole entry to the file, and its first line for people."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self._counts: Counter[tuple[str, ...]] = Counter()
        self.setFormatter(logging.Formatter("%(asctime)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write one entry. A file that can't be written costs the traceback, not the work."""
        kind = _get_kind(record)
        self._counts[kind] += 1
        if self._counts[kind] > MAX_ENTRIES_PER_KIND:
            return
        path = Path(os.environ[LOG_VARIABLE])
        try:
            path = path.expanduser()
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(self.format(record) + "\n")
            place = f"error log: {path}"
        except (OSError, RuntimeError) as error:
            place = f"no error log: {error}"
        if self._counts[kind] == MAX_ENTRIES_PER_KIND:
            place += "; errors of the same kind are not logged any more"
        print(f"zertz: {record.getMessage()} ({place})", file=sys.stderr, flush=True)


def _get_kind(record: logging.LogRecord) -> tuple[str, ...]:
    """Return what errors of one kind share: the exception's type, and the line of code that raised it."""
    _, error, trace = record.exc_info or (None, None, None)
    return type(error).__name__, *(f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(trace)[-1:])
