"""Work for workers: functions that other processes can import."""

import os
import signal
import time

from zertz_db.ingest.sources import Place

Lot = list[Place]


def names(lot: Lot) -> list[str]:
    """What was in the lot."""
    return [place.path for place in lot]


def names_slowest_first(lot: Lot) -> list[str]:
    """The first lots take longest."""
    time.sleep(max(0, 5 - int(lot[0].path)) / 50)
    return names(lot)


def die_at_5(lot: Lot) -> list[str]:
    """A worker is killed while it has a certain lot."""
    if any(place.path == "5" for place in lot):
        os.kill(os.getpid(), signal.SIGKILL)
    return names(lot)


def fail_at_5(lot: Lot) -> list[str]:
    """An exception crosses to the process that asked."""
    if any(place.path == "5" for place in lot):
        raise ValueError("five")
    return names(lot)


def process(_: Lot) -> int:
    """Who does the work."""
    return os.getpid()
