"""What one server does at most, so that no question, no record and no client can keep it from the others."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


def _get_default_slots() -> int:
    """While one question is read from the disk, or its answer is written, another can be worked on."""
    return 2 * (os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server. Whoever comes when all places are taken is told to come again.

    seconds: that a question may take; it is interrupted then. at_once: questions that are worked on together. waiting: those that may wait
    for their turn, each for at most `patience` seconds. streams: lists that are sent as they are read, each for at most `stream_seconds`.
    check_bytes, check_seconds, checks: records to check, and requests that may wait for it. import_bytes, imports: a file to
    import, and files that may wait for it. body_seconds: in which the body of a request must arrive. kept_bytes: memory for answers that
    may be asked for again.

    grace_seconds: in which an interrupted question must end; after that it is given up, and a new process replaces the one that works
    on it. silent_seconds: without a sign of life from a process, after which it is replaced. drain_seconds: that a process has to finish
    its other answers before it ends. head_seconds: in which a client must have said what it wants. stalled_seconds: in which it must take
    what waits for it, some tens of kilobytes.
    """

    seconds: float = 10
    at_once: int = field(default_factory=_get_default_slots)
    waiting: int = 200
    patience: float = 30
    streams: int = 4
    stream_seconds: float = 600
    check_bytes: int = 1_000_000
    check_seconds: float = 10
    checks: int = 10
    import_bytes: int = 250_000_000
    imports: int = 10
    body_seconds: float = 60
    cache_bytes: int = 64_000_000
    grace_seconds: float = 2
    silent_seconds: int = 15
    drain_seconds: int = 20
    head_seconds: float = 10
    stalled_seconds: float = 30


MAX_CONNECTIONS = 500
"""So many at once; on more, every question is answered with 503."""
MAX_ROWS = 1000
"""Rows of a table in one answer."""
MAX_FILTER_LENGTH = 2000
"""Signs of a filter, a pattern, a line of moves."""
