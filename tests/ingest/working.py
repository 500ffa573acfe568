"""Work for workers: functions that other processes can import."""

import multiprocessing
import os
import signal
import time
from multiprocessing.process import BaseProcess

from parser import faults
from zertz_db.ingest import worker_pool
from zertz_db.ingest.sources.place import Place

Lot = list[Place]


def workers() -> list[BaseProcess]:
    """The workers that this process has: tests of other things may have left it children of other kinds."""
    return [child for child in multiprocessing.active_children() if isinstance(child, worker_pool._Worker)]


def log_an_error(lot: Lot) -> list[str]:
    """An internal error comes up in each."""
    for name in names(lot):
        faults.guarded(lambda: 1 // 0, lambda error, name=name: faults.log(error, name))  # type: ignore[misc]
    return names(lot)


def names(lot: Lot) -> list[str]:
    """What was in the lot."""
    return [place.path for place in lot]


def names_slowest_first(lot: Lot) -> list[str]:
    """The first lots take longest."""
    time.sleep(max(0, 5 - int(lot[0].path)) / 50)
    return names(lot)


def die_as_worker(lot: Lot) -> list[str]:
    """Whoever is a worker is killed at its first lot; who is none waits for that."""
    if multiprocessing.parent_process():
        os.kill(os.getpid(), signal.SIGKILL)
    for worker in workers():
        worker.join()
    return names(lot)


def fail_at_5(lot: Lot) -> list[str]:
    """An exception crosses to the process that asked."""
    if any(place.path == "5" for place in lot):
        raise ValueError("five")
    return names(lot)


def process(_: Lot) -> int:
    """Who does the work."""
    return os.getpid()
