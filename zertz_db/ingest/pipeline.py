"""Many files on all cores: work is shared out by bytes, and results come back in the order of the files."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

from zertz_db.ingest.sources import STANDARD_INPUT, Place, chunks

Result = TypeVar("Result")

_WORTH_WORKERS = 4_000_000
"""Bytes of records from which on starting other processes is worth it."""
_AHEAD = 2
"""Lots in hand for each worker: more would only pile up in memory."""


def cores() -> int:
    """How many processes may run at once (`ZERTZ_WORKERS` overrides)."""
    wanted = os.environ.get("ZERTZ_WORKERS", "")
    if wanted.isdigit():
        return max(1, int(wanted))
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(work: Callable[[list[Place]], Result], found: list[Place]) -> Iterator[tuple[list[Place], Result]]:
    """Do `work` on every lot of places; each lot with its result, in order, whatever the number of workers.

    `work` must be a module's function (it travels to other processes), and so must be what it returns.
    """
    lots = chunks(found)
    workers = cores()
    piped = any(place.path == STANDARD_INPUT for place in found)  # which only this process can read
    if workers == 1 or piped or sum(place.size for place in found) < _WORTH_WORKERS:
        for lot in lots:
            yield lot, work(lot)
        return
    # Fresh processes: a copy of one in which DuckDB or numba have threads would not be safe.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from _in_order(pool, work, lots, workers * _AHEAD)


def _in_order(
    pool: ProcessPoolExecutor, work: Callable[[list[Place]], Result], lots: Iterable[list[Place]], ahead: int
) -> Iterator[tuple[list[Place], Result]]:
    waiting: deque[tuple[list[Place], Future[Result]]] = deque()
    try:
        for lot in lots:
            waiting.append((lot, pool.submit(work, lot)))
            if len(waiting) >= ahead:
                lot, future = waiting.popleft()
                yield lot, future.result()
        while waiting:
            lot, future = waiting.popleft()
            yield lot, future.result()
    finally:
        for _, future in waiting:
            future.cancel()
