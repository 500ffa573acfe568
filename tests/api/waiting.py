"""Wait in a test for what another thread or process does, but not forever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from zertz_db.api.guards.limits import Limits

Result = TypeVar("Result")

_SECONDS = 300
PATIENT = Limits(seconds=300, patience=300, check_seconds=300, solve_seconds=300, silent_seconds=60)
"""Limits that a server keeps on a busy machine, too."""


def wait_for(is_so: Callable[[], object], what: str = "what the test waits for") -> None:
    """Return once `is_so` returns something true; fail after five minutes, with `what` did not happen."""
    deadline = time.monotonic() + _SECONDS
    while not is_so():
        assert time.monotonic() < deadline, f"not within {_SECONDS} s: {what}"
        time.sleep(0.05)


def run_apart(work: Coroutine[Any, Any, Result]) -> Result:
    """Run work of an event loop in a thread of its own: in this thread a browser of other tests may have a loop that runs."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()
