"""Limits of a server, so that no request, record or client can block others."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace


def _get_default_slots() -> int:
    """Return the number of requests to work on at once: while one waits for the disk or the network, another can run."""
    return 2 * (os.cpu_count() or 1)


MAX_CONNECTIONS = 500
"""Maximum number of connections, and of those that wait to be accepted."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a server. If all places are taken, a client is asked to retry later.

    seconds: maximum time of a request, which is then interrupted. at_once: requests that run together. waiting: requests that may wait
    for a place, each for at most `patience` seconds. streams: lists that are sent as they are read, each for at most `stream_seconds`.
    check_bytes, check_seconds, checks: size of the records to check, time of a check, and requests that may wait for one. solve_seconds,
    solves: time of a search for a forced win, without compilation, and requests that may wait for one. import_bytes,
    imports: size of a file to import, and files that may wait. body_seconds: time for the body of a request to arrive. cache_bytes:
    memory for cached responses. connections: further requests get status 503. memory_parts: DuckDB uses at most this part of the memory
    that it would use by itself, as 1 / memory_parts.

    grace_seconds: time for an interrupted request to end; after that a new process replaces the one that works on it. silent_seconds:
    time without a heartbeat after which a process is replaced. drain_seconds: time for a process to finish its other responses before
    it ends. head_seconds: time for a client to send the head of a request. stalled_seconds: time for a client to receive what waits
    for it, some tens of kilobytes.
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
    solve_seconds: float = 10
    solves: int = 10
    import_bytes: int = 250_000_000
    imports: int = 10
    body_seconds: float = 60
    cache_bytes: int = 64_000_000
    grace_seconds: float = 2
    silent_seconds: int = 15
    drain_seconds: int = 20
    head_seconds: float = 10
    stalled_seconds: float = 30
    connections: int = MAX_CONNECTIONS
    memory_parts: int = 1

    def divide(self, number: int, count: int) -> Limits:
        """Return the limits of process `number` of `count` that serve together: all together keep these limits.

        The exception: each process has a place for a question and one for a stream.
        """

        def part(whole: int) -> int:
            return whole // count + (number < whole % count)

        if count == 1:
            return self
        return replace(
            self,
            at_once=max(1, part(self.at_once)),
            waiting=part(self.waiting),
            streams=max(1, part(self.streams)),
            checks=max(0, part(self.checks + 1) - 1),
            solves=max(0, part(self.solves + 1) - 1),
            cache_bytes=part(self.cache_bytes),
            connections=part(self.connections),
            memory_parts=count,
        )


MAX_ROWS = 1000
"""Maximum number of rows of a table in one response."""
MAX_FILTER_LENGTH = 2000
"""Maximum number of characters of a filter, a pattern, a line of moves."""
