"""What the processes of a server share, in the process that starts them: import jobs, checks, searches for forced wins.

So a job is seen through every process, one check and one search run at a time, and the search is compiled and loaded once.
"""

from __future__ import annotations

import pickle
import secrets
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.managers import BaseManager
from threading import Thread
from typing import Any, NamedTuple, TypeVar

from zertz_db.api.import_jobs import Jobs
from zertz_db.api.processes.work_process import POLL_SECONDS, WorkProcess, WorkStopped

Result = TypeVar("Result")

_SILENT_SECONDS = 10
"""Seconds without a `fetch` after which work is stopped: the process that submitted it is gone."""


@dataclass(slots=True)
class _Piece:
    """Piece of work, and when its result was last asked for."""

    future: Future[bytes] = field(default_factory=Future)
    polled_at: float = field(default_factory=time.monotonic)
    is_dropped: bool = False

    def is_wanted(self) -> bool:
        return not self.is_dropped and time.monotonic() < self.polled_at + _SILENT_SECONDS


class WorkQueue:
    """Work of several processes for one WorkProcess: one piece at a time, in the order of arrival.

    Work and results are pickled: this process imports nothing for them.
    """

    def __init__(self, process: WorkProcess) -> None:
        self._process = process
        self._line = ThreadPoolExecutor(1)
        self._pieces: dict[str, _Piece] = {}

    def start(self) -> None:
        """Start the process, unless it runs."""
        self._process.start()

    def is_ready(self) -> bool:
        """Return whether the process has warmed up. Raise WorkStopped."""
        return self._process.is_ready()

    def submit(self, work: bytes) -> str:
        """Put work into the queue; return its number, for `fetch`."""
        number, piece = secrets.token_hex(8), _Piece()
        self._pieces[number] = piece
        piece.future = self._line.submit(self._do, piece, work)
        return number

    def _do(self, piece: _Piece, work: bytes) -> bytes:
        if not piece.is_wanted():
            raise WorkStopped
        return self._process.run(run_pickled, work, is_wanted=piece.is_wanted)

    def fetch(self, number: str) -> bytes | None:
        """Wait a moment for a result; None if it is not there yet. Raise WorkStopped."""
        piece = self._pieces[number]
        piece.polled_at = time.monotonic()
        try:
            found = piece.future.result(POLL_SECONDS)
        except TimeoutError:
            return None
        except BaseException:
            self.drop(number)
            raise
        self.drop(number)
        return found

    def drop(self, number: str) -> None:
        """Forget work, and stop it if it runs."""
        if piece := self._pieces.pop(number, None):
            piece.is_dropped = True

    def close(self) -> None:
        """End the process and all work."""
        self._line.shutdown(wait=False, cancel_futures=True)
        self._process.close()


def run_pickled(work: bytes) -> bytes:
    """Do pickled work, a function and its arguments; return its pickled result."""
    function, values = pickle.loads(work)  # noqa: S301 - the server's own processes have written it
    return pickle.dumps(function(*values))


class SharedProcess:
    """A WorkProcess of the process that shares it, with the same methods."""

    def __init__(self, queue: WorkQueue) -> None:
        self._queue = queue

    def start(self) -> None:
        """Start the process, unless it runs."""
        self._queue.start()

    def is_ready(self) -> bool:
        """Return whether the process has warmed up. Raise WorkStopped."""
        return self._queue.is_ready()

    def run(self, work: Callable[..., Result], *values: Any, is_wanted: Callable[[], bool] = lambda: True) -> Result:
        """Return the result of `work`, a function of a module. Raise WorkStopped; also soon after `is_wanted` returns False."""
        try:
            number = self._queue.submit(pickle.dumps((work, values)))
            while (found := self._queue.fetch(number)) is None:
                if not is_wanted():
                    self._queue.drop(number)
                    raise WorkStopped
        except (EOFError, OSError) as error:  # the server ends
            raise WorkStopped from error
        result: Result = pickle.loads(found)  # noqa: S301 - the server's own processes have written it
        return result

    def close(self) -> None:
        """Do nothing: the process ends with the server."""


class Shared(NamedTuple):
    """What the processes of a server share."""

    jobs: Jobs
    checker: WorkQueue
    solver: WorkQueue

    def close(self) -> None:
        """Stop all of it."""
        for one in self:
            one.close()


_METHODS = {
    "jobs": ("add", "find", "is_full"),
    "checker": ("start", "is_ready", "submit", "fetch", "drop"),
    "solver": ("start", "is_ready", "submit", "fetch", "drop"),
}


def share(shared: Shared) -> str:
    """Serve these parts to the processes that this one starts; return the address for `connect`."""

    class Manager(BaseManager):
        pass

    for name, methods in _METHODS.items():
        Manager.register(name, lambda name=name: getattr(shared, name), exposed=methods)
    server = Manager().get_server()
    Thread(target=server.serve_forever, daemon=True).start()
    return str(server.address)


def connect(address: str) -> tuple[Jobs, SharedProcess, SharedProcess]:
    """Return the jobs, the checker and the solver of the process that shares them at this address."""

    class Manager(BaseManager):
        pass

    for name, methods in _METHODS.items():
        Manager.register(name, exposed=methods)
    manager: Any = Manager(address)
    manager.connect()
    return manager.jobs(), SharedProcess(manager.checker()), SharedProcess(manager.solver())
