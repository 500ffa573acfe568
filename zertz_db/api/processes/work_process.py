"""Work in a separate process, which can be killed: nothing else stops a computation."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from zertz_db.errors import InternalFault

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

Result = TypeVar("Result")

POLL_SECONDS = 0.1
"""Seconds between two looks whether somebody still waits for the result."""
_START_SECONDS = 300
"""Seconds for the process to start and to warm up. They don't count as seconds of the work."""


class WorkStopped(InternalFault):
    """The work took too long, nobody waits for it any more, or its process has died."""


class WorkProcess:
    """A process that does one piece of work at a time, each within a number of seconds.

    It starts with the first work, or before: see `start`. warm_up: a function of a module, which the process calls before any work. The
    process ends with work that is stopped; the next work starts another process.
    """

    def __init__(self, seconds: float, warm_up: Callable[[], object] | None = None) -> None:
        self.seconds = seconds
        self._warm_up = warm_up
        self._starting = Lock()
        self._worker: _Worker | None = None

    def start(self) -> None:
        """Start the process, and let it warm up in the background."""
        self._get_worker()

    def run(self, work: Callable[..., Result], *values: Any, is_wanted: Callable[[], bool] = lambda: True) -> Result:
        """Return the result of `work`, a function of a module. Raise WorkStopped; also soon after `is_wanted` returns False."""
        worker = self._get_worker()
        try:
            if not worker.is_ready:
                self._receive(worker, _START_SECONDS, is_wanted)
                worker.is_ready = True
            worker.pipe.send((work, values))
            result: Result = self._receive(worker, self.seconds, is_wanted)
        except (EOFError, OSError) as error:
            self.close()
            raise WorkStopped from error
        return result

    def _receive(self, worker: _Worker, seconds: float, is_wanted: Callable[[], bool]) -> Any:
        """Return what the process sends. Close it if it takes longer or nobody waits; but let it warm up for those who come later."""
        deadline = time.monotonic() + seconds
        while not worker.pipe.poll(max(0, min(POLL_SECONDS, deadline - time.monotonic()))):
            is_late = time.monotonic() >= deadline
            if is_late or not is_wanted():
                if is_late or worker.is_ready:
                    self.close()
                raise WorkStopped
        return worker.pipe.recv()

    def close(self) -> None:
        """End the process; the next work starts another."""
        with self._starting:
            worker, self._worker = self._worker, None
        if worker:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()

    def _get_worker(self) -> _Worker:
        with self._starting:
            if self._worker is None or not self._worker.process.is_alive():
                self._worker = _Worker(self._warm_up)
            return self._worker


class _Worker:
    """The process, its pipe, and whether it has warmed up."""

    def __init__(self, warm_up: Callable[[], object] | None) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_run_process, args=(theirs, warm_up), daemon=True)
        self.process.start()
        theirs.close()
        self.is_ready = False


def _run_process(pipe: Connection, warm_up: Callable[[], object] | None) -> None:
    from zertz_db import logs

    logs.follow_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    if warm_up:
        warm_up()
    pipe.send(None)
    while True:
        try:
            work, values = pipe.recv()
        except EOFError:  # the server is gone
            return
        pipe.send(work(*values))
