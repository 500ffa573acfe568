"""Wait in a test for what another thread or process does, but not forever."""

from __future__ import annotations

import time
from collections.abc import Callable

_SECONDS = 60


def wait_for(is_so: Callable[[], object], what: str = "what the test waits for") -> None:
    """Return once `is_so` returns something true; fail after a minute, with `what` did not happen."""
    deadline = time.monotonic() + _SECONDS
    while not is_so():
        assert time.monotonic() < deadline, f"not within {_SECONDS} s: {what}"
        time.sleep(0.05)
