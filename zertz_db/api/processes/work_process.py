"""Work in a separate process, which can be killed: nothing else stops a computation."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import Lock
from typing import Any, TypeVar

from zertz_db import logs
from zertz_db.errors import InternalFault

Result = TypeVar("Result")

POLL_SECONDS = 0.1
"""Seconds between two looks whether somebody still waits for the result."""
_START_SECONDS = 300
"""Seconds for the process to start and to warm up. They don't count as seconds of the work."""


class WorkStopped(InternalFault):
    """The work took too long, nobody waits for it any more, or its process has died."""


class WorkProcess:
    """A process that does one piece of work at a time, each within a number of seconds.

    It starts with the first work, or before: see `start`. warm_up: a function of a module, which the process calls before any work; its
    time does not count. The process ends with work that is stopped; the next work starts another process.
    """

    def __init__(self, seconds: float, warm_up: Callable[[], object] | None = None) -> None:
        self.seconds = seconds
        self._warm_up = warm_up
        self._changing = Lock()
        self._worker: _Worker | None = None

    def start(self) -> None:
        """Start the process, unless it runs, and let it warm up in the background."""
        with self._changing:
            if self._worker is None or not self._worker.process.is_alive():
                self._worker = _Worker(self._warm_up)

    def is_ready(self) -> bool:
        """Return whether the process has warmed up; start it if there is none. Raise WorkStopped if it dies, or takes too long."""
        with self._changing:
            worker = self._worker = self._worker or _Worker(self._warm_up)
            if not worker.is_ready:
                try:
                    if time.monotonic() > worker.deadline:
                        raise WorkStopped
                    if worker.pipe.poll():
                        worker.pipe.recv()
                        worker.is_ready = True
                except (EOFError, OSError, WorkStopped) as error:
                    self._worker = None
                    worker.end()
                    raise WorkStopped from error
            return worker.is_ready

    def run(self, work: Callable[..., Result], *values: Any, is_wanted: Callable[[], bool] = lambda: True) -> Result:
        """Return the result of `work`, a function of a module. Raise WorkStopped; also soon after `is_wanted` returns False."""
        self.start()
        while not self.is_ready():
            if not is_wanted():
                raise WorkStopped  # but it warms up for those who come later
            time.sleep(POLL_SECONDS)
        worker = self._worker
        try:
            if worker is None:
                raise WorkStopped
            worker.pipe.send((work, values))
            result: Result = _receive(worker.pipe, self.seconds, is_wanted)
        except (EOFError, OSError, WorkStopped) as error:
            self.close()
            raise WorkStopped from error
        return result

    def close(self) -> None:
        """End the process; the next work starts another."""
        with self._changing:
            worker, self._worker = self._worker, None
        if worker:
            worker.end()


def _receive(pipe: Connection, seconds: float, is_wanted: Callable[[], bool]) -> Any:
    """Return what the process sends. Raise WorkStopped if it takes longer, or if nobody waits."""
    deadline = time.monotonic() + seconds
    while not pipe.poll(max(0, min(POLL_SECONDS, deadline - time.monotonic()))):
        if time.monotonic() >= deadline or not is_wanted():
            raise WorkStopped
    return pipe.recv()


class _Worker:
    """The process, its pipe, and whether it has warmed up; the time by which it must have."""

    def __init__(self, warm_up: Callable[[], object] | None) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_run_process, args=(theirs, warm_up), daemon=True)
        self.process.start()
        theirs.close()
        self.is_ready = False
        self.deadline = time.monotonic() + _START_SECONDS

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _run_process(pipe: Connection, warm_up: Callable[[], object] | None) -> None:
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
