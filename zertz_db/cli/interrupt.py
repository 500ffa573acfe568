"""Ctrl-C, and limits of time: work stops soon, whatever it is at."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from zertz_db.cli.errors import FAILURE, INTERRUPTED

_GRACE_SECONDS = 1.5
"""Seconds in which what was interrupted may tidy up. It needs not: a process may be killed at any moment."""
_RETRY_SECONDS = 0.05
"""Seconds after which the main thread is told again if it did not hear."""


@contextmanager
def stop_on_signal(last_words: Callable[[], str]) -> Iterator[None]:
    """Ctrl-C and SIGTERM end what is done within as KeyboardInterrupt, or else the process.

    DuckDB may be busy for many seconds before it listens, and then calls it a RuntimeError. Where that takes too long the
    last words go to standard error, and the process ends with status 130.
    """
    main = threading.main_thread()
    if threading.current_thread() is not main:  # others get no signals
        yield
        return
    heard = threading.Event()
    over = threading.Event()
    told, hears = socket.socketpair()
    told.setblocking(False)

    def interrupt(_number: int, frame: FrameType | None) -> None:
        # Whoever presses it again need not wait longer, and must not disturb the tidying up.
        if not heard.is_set() and not _is_importing(frame):
            heard.set()
            raise KeyboardInterrupt

    def watch() -> None:
        number = hears.recv(1)
        if not number:
            return
        deadline = time.monotonic() + _GRACE_SECONDS
        while not over.wait(_RETRY_SECONDS):
            if time.monotonic() > deadline:
                print(f"zertz: {last_words()}", file=sys.stderr, flush=True)
                os._exit(INTERRUPTED)
            if not heard.is_set() and hasattr(signal, "pthread_kill"):
                signal.pthread_kill(main.ident or 0, number[0])

    # Python calls `interrupt` between two steps of its own, and where the system gave the signal to another thread not
    # even then, as long as it waits; this thread hears of a signal at once, and repeats it.
    descriptor = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    handlers = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    except Exception as error:
        if heard.is_set():
            raise KeyboardInterrupt from error
        raise
    finally:
        heard.set()
        over.set()
        signal.set_wakeup_fd(descriptor)
        told.close()
        watcher.join()
        for number, handler in handlers.items():
            signal.signal(number, handler)


@contextmanager
def stop_after(seconds: float, last_words: str) -> Iterator[None]:
    """End the process if what is done within does not stop by itself soon after so many seconds; 0 for no limit.

    DuckDB does not look for an interrupt inside a row. The last words go to standard error, and the exit status is 2.
    """

    def end() -> None:
        print(f"zertz: {last_words}", file=sys.stderr, flush=True)
        os._exit(FAILURE)

    timer = threading.Timer(seconds + _GRACE_SECONDS, end)
    timer.daemon = True
    if seconds:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _is_importing(frame: FrameType | None) -> bool:
    """Whether a module is just being imported: libraries in C that import others at need take any exception for their absence."""
    while frame:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False
