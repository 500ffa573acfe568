"""The process that owns the address: it starts the processes that serve, watches them, and replaces them.

All accept connections of one listening socket. Threads can't be ended, and DuckDB does not always listen to an interrupt. So a
question that does not end is left behind with its process: a new one takes its place, the old one finishes its other answers and is
killed. Clients that connect meanwhile notice nothing. Imports, and the processes that check and solve, belong to this process: they
go on.
"""

from __future__ import annotations

import errno
import logging
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from threading import Thread

from zertz_db.api.guards.limits import MAX_CONNECTIONS
from zertz_db.api.processes.worker_contract import HEARTBEAT_SECONDS, STUCK, Settings
from zertz_db.errors import BrokenEnvironment

_START_SECONDS = 300
"""Seconds for a new process to start serving: a busy machine needs a while."""
_RETRY_SECONDS = 1
"""Seconds before a retry, if a new process does not serve."""
_MAX_RETIRED = 2
"""Maximum number of processes that finish their responses at once."""


class ServerFailed(BrokenEnvironment):
    """A process did not serve, or could not be replaced; standard error has its message."""


def supervise(settings: Settings, listener: socket.socket, started: Callable[[], object]) -> None:
    """Serve until Ctrl-C or SIGTERM, with a process for each element of `settings.free`. `started` is called once all respond.

    Raise ServerFailed.
    """
    count = len(settings.free)
    with _open_signal_socket() as ended:
        places = [
            _Place(replace(settings, limits=settings.limits.divide(number, count), number=number), listener, ended)
            for number in range(count)
        ]
        try:
            for place in places:
                place.wait_until_ready()
            if all(place.workers[-1].is_ready for place in places):
                started()
            threads = [Thread(target=place.keep_serving) for place in places]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            if failures := [place.failure for place in places if place.failure]:
                raise ServerFailed(failures[0])
        finally:
            with suppress(BlockingIOError):
                ended.recv(100)  # from now on a signal is another one
            _end_workers([one for place in places for one in place.workers], settings.limits.drain_seconds, ended)


class _Place:
    """One of the processes that serve, with its predecessors that finish their responses: `workers`."""

    def __init__(self, settings: Settings, listener: socket.socket, ended: socket.socket) -> None:
        self._settings = settings
        self._listener = listener
        self._ended = ended
        self.workers = [_Worker(settings, listener)]
        self.failure = ""

    def wait_until_ready(self) -> None:
        """Wait until the first process serves, or the end has come. Raise ServerFailed."""
        if trouble := self.workers[0].wait_until_ready(self._ended):
            raise ServerFailed(trouble)

    def keep_serving(self) -> None:
        """Watch the process and replace it until the end. If that fails, note `failure` and end the server."""
        try:
            while trouble := self.workers[-1].watch(self._ended):
                _log.warning("%s; a new process takes over", trouble)
                if self.workers[-1].is_lost:
                    self.workers[-1].kill()
                fresh = _start_replacement(self._settings, self._listener, self._ended)
                self.workers = _hand_over(self.workers, fresh)
        except OSError as error:
            self.failure = f"a process that serves can't be replaced: {error.strerror or error}"
            os.kill(os.getpid(), signal.SIGTERM)


def _hand_over(workers: list[_Worker], fresh: _Worker) -> list[_Worker]:
    """Let the last process finish its responses; return the processes that still do, and the new one."""
    *retired, last = workers
    for one in retired[: 1 - _MAX_RETIRED]:
        one.kill()
    last.retire()
    return [*(one for one in retired if one.process.is_alive()), last, fresh]


def _end_workers(workers: list[_Worker], seconds: float, again: socket.socket) -> None:
    """Let processes finish their responses within a number of seconds, or until another signal; kill the others."""
    for one in workers:
        one.finish()
    deadline = time.monotonic() + seconds + _RETRY_SECONDS
    while alive := [one.process.sentinel for one in workers if one.process.is_alive()]:
        if time.monotonic() > deadline or again in wait([*alive, again], _RETRY_SECONDS):
            break
    for one in workers:
        one.kill()


def _start_replacement(settings: Settings, listener: socket.socket, ended: socket.socket) -> _Worker:
    """Start worker processes until one serves; at the end of the server, return the last one even if it does not serve yet."""
    while True:
        fresh = _Worker(settings, listener)
        trouble = fresh.wait_until_ready(ended)
        if not trouble:
            return fresh
        fresh.kill()
        _log.error("%s; another try follows", trouble)
        wait([ended], _RETRY_SECONDS)


def _run_process(settings: Settings, listener: socket.socket, pipe: Connection) -> None:
    # In the new process alone: the supervisor needs neither FastAPI nor DuckDB, and their import takes 3 seconds.
    from zertz_db.api.processes.worker import run_worker

    run_worker(settings, listener, pipe)


class _Worker:
    """Worker process."""

    def __init__(self, settings: Settings, listener: socket.socket) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._limits = settings.limits
        self.process = context.Process(target=_run_process, args=(settings, listener, theirs))
        self.process.start()
        theirs.close()
        self.is_ready = False
        self.is_lost = False

    def wait_until_ready(self, ended: socket.socket) -> str:
        """Wait until it serves, or the end has come; return what is wrong if it does not serve."""
        return self._listen(ended, _START_SECONDS, until_ready=True)

    def watch(self, ended: socket.socket) -> str:
        """Wait until something is wrong, and return what; nothing is wrong at the end."""
        return self._listen(ended, self._limits.silent_seconds)

    def _listen(self, ended: socket.socket, patience: int, until_ready: bool = False) -> str:
        """Listen to the process. The silence is counted, not measured: it must not grow while both processes are stopped."""
        silence = 0
        while silence < patience:
            heard = wait([ended, self._pipe], HEARTBEAT_SECONDS)
            if ended in heard:
                return ""
            if self._pipe not in heard:
                silence += HEARTBEAT_SECONDS
                continue
            silence = 0
            try:
                message = self._pipe.recv()
            except (EOFError, OSError):
                self.is_lost = True
                return "the process that serves has ended"
            self.is_ready = True
            if message == STUCK:
                return "a question does not end"
            if until_ready:
                return ""
        self.is_lost = True
        return "the process that serves is silent"

    def finish(self) -> None:
        """Ask the process to finish its responses and to end."""
        with suppress(OSError):
            self._pipe.send("finish")

    def retire(self) -> None:
        """Ask the process to finish, and kill it if it does not end in time, in the background."""
        seconds = self._limits.drain_seconds + _RETRY_SECONDS
        self.finish()

        def wait_and_kill() -> None:
            self.process.join(seconds)
            self.kill()

        Thread(target=wait_and_kill, daemon=True).start()

    def kill(self) -> None:
        """End the process at once."""
        self.process.kill()
        self.process.join()


@contextmanager
def _open_signal_socket() -> Iterator[socket.socket]:
    """Yield a socket that is readable after Ctrl-C or SIGTERM."""
    hears, told = socket.socketpair()
    with hears, told:
        hears.setblocking(False)
        told.setblocking(False)
        descriptor = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
        numbers = (signal.SIGINT, signal.SIGTERM)
        handlers = {number: signal.signal(number, lambda *_: None) for number in numbers}
        try:
            yield hears
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(descriptor)


_log = logging.getLogger(__name__)


class AddressInUse(BrokenEnvironment):
    """Another program listens at this address."""


def open_listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address. AddressInUse; OSError for an address of another machine."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=MAX_CONNECTIONS)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise AddressInUse(f"port {port} of {host} is taken") from error
        raise
