"""Faults in the files of annotations: log each once per process; never stop."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

MAX_REPORTED = 3
"""Maximum number of faults of a file that are logged one by one."""

_log = logging.getLogger(__name__)
_reported: set[str] = set()


def report(path: Path, faults: list[str]) -> None:
    """Log the faults of a file that were not logged before: the first ones, and the number of the others."""
    for fault in _first(path, faults):
        if fault not in _reported:
            _reported.add(fault)
            _log.warning("%s", fault)


def reason(error: Exception) -> str:
    """Return the reason of an error about an entry as a short phrase."""
    if isinstance(error, KeyError):
        return f"{error.args[0]!r} is missing"
    return str(error) or type(error).__name__


def require_text(value: object, name: str) -> str:
    """Return a value that must be text. Raise TypeError if it is not."""
    if not isinstance(value, str):
        raise TypeError(f"{name!r} is not text")
    return value


def _first(path: Path, faults: list[str]) -> Iterator[str]:
    yield from faults[:MAX_REPORTED]
    if len(faults) > MAX_REPORTED:
        yield f"{path}: {len(faults) - MAX_REPORTED:,} more entries are skipped."
