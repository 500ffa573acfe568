"""Work for workers: functions that other processes can import."""

import multiprocessing
import os
import signal
import time
from multiprocessing.process import BaseProcess

from zertz_db.ingest import worker_processes
from zertz_db.ingest.sources.place import Place
from zertz_db.parser import faults

Lot = list[Place]


def workers() -> list[BaseProcess]:
    """Return the workers of this process: tests of other things may have left children of other kinds."""
    return [child for child in multiprocessing.active_children() if isinstance(child, worker_processes._Worker)]


def log_an_error(lot: Lot) -> list[str]:
    """Raise an internal error."""
    for name in names(lot):
        faults.guarded(lambda: 1 // 0, lambda error, name=name: faults.log(error, name))  # type: ignore[misc]
    return names(lot)


def names(lot: Lot) -> list[str]:
    """Return the items of the batch."""
    return [place.path for place in lot]


def pack_names(lot: Lot, found: list[str]) -> str:
    """Return the items as one text that only a batch of this length can be unpacked with."""
    return f"{len(lot)} {' '.join(found)}"


def unpack_names(lot: Lot, packed: str) -> list[str]:
    """Return the items that `pack_names` has packed."""
    count, *found = packed.split()
    assert int(count) == len(lot)
    return found


def names_slowest_first(lot: Lot) -> list[str]:
    """Return the items; the first batches take longest."""
    time.sleep(max(0, 5 - int(lot[0].path)) / 50)
    return names(lot)


def die_as_worker(lot: Lot) -> list[str]:
    """Kill a worker at its first batch; the main process waits for that."""
    if multiprocessing.parent_process():
        os.kill(os.getpid(), signal.SIGKILL)
    for worker in workers():
        worker.join()
    return names(lot)


def make_large(_: Lot) -> bytes:
    """Return more than a pipe holds."""
    return bytes(10_000_000)


def fail_at_5(lot: Lot) -> list[str]:
    """Raise an exception, which crosses to the main process."""
    if any(place.path == "5" for place in lot):
        raise ValueError("five")
    return names(lot)


def process(_: Lot) -> int:
    """Return the process that does the work."""
    return os.getpid()


def do_nothing() -> None:
    """Do nothing, in a worker."""
