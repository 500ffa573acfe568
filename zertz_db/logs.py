"""The error log: write tracebacks of internal errors to a file, and one line about each to standard error.

Only programs start it (`start_logging`). Users of zertz_db as a library set up `logging` as usual: the logger is `faults.LOGGER`.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections import Counter
from pathlib import Path

from zertz_db.parser import faults

LOG_VARIABLE = "ZERTZ_LOG"
"""The environment variable that names the file; child processes inherit it."""
MAX_ENTRIES_PER_KIND = 20
"""Maximum number of entries about errors of one kind in one process: a common error must not fill the disk. Findings are unaffected."""


def get_default_file() -> Path:
    """Return the usual path of the error log."""
    state = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(state) if state else Path("~/.local/state")) / "zertz-db" / "errors.log"


def start_logging() -> None:
    """Write internal errors of this process and its children to the error log."""
    os.environ.setdefault(LOG_VARIABLE, str(get_default_file()))
    follow_parent()


def follow_parent() -> None:
    """Write to the error log if the parent process does."""
    logger = logging.getLogger(faults.LOGGER)
    if os.environ.get(LOG_VARIABLE) and not any(isinstance(handler, _ErrorLog) for handler in logger.handlers):
        logger.addHandler(_ErrorLog(logging.ERROR))


class _ErrorLog(logging.Handler):
    """Write whole entries to the file, and their first lines to standard error."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self._counts: Counter[tuple[str, ...]] = Counter()
        self.setFormatter(logging.Formatter("%(asctime)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Write one entry. If the file can't be written, the traceback is lost, and the work goes on."""
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
            place += "; further errors of this kind are not logged"
        print(f"zertz: {record.getMessage()} ({place})", file=sys.stderr, flush=True)


def _get_kind(record: logging.LogRecord) -> tuple[str, ...]:
    """Return the kind of an error: the exception's type, and the line of code that raised it."""
    _, error, trace = record.exc_info or (None, None, None)
    return type(error).__name__, *(f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(trace)[-1:])
