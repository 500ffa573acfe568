"""Stop work promptly on Ctrl-C, SIGTERM and limits of time."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from zertz_db.cli.errors import FAILURE, INTERRUPTED

_GRACE_SECONDS = 1.5
"""Seconds for the interrupted work to clean up. Cleaning up is optional: a process may be killed at any moment."""
_RETRY_SECONDS = 0.05
"""Seconds between signals to a main thread that does not react."""


_LLVM = "llvmlite"
"""The package that loads compiled code."""


@contextmanager
def stop_on_signal(last_words: Callable[[], str]) -> Iterator[None]:
    """Raise KeyboardInterrupt in the block on Ctrl-C and SIGTERM; end the process if the block does not react.

    DuckDB may work for many seconds before it reacts, and then raises RuntimeError. If that takes too long, the last words go to
    standard error, and the process ends with status 130.
    """
    main = threading.main_thread()
    if threading.current_thread() is not main:  # only the main thread gets signals
        yield
        return
    is_interrupted = threading.Event()
    over = threading.Event()
    sender, receiver = socket.socketpair()
    sender.setblocking(False)

    def raise_interrupt(_number: int, frame: FrameType | None) -> None:
        # A second Ctrl-C must not disturb the cleaning up.
        if not is_interrupted.is_set() and not _must_finish(frame):
            is_interrupted.set()
            raise KeyboardInterrupt

    def watch() -> None:
        number = receiver.recv(1)
        if not number:
            return
        deadline = time.monotonic() + _GRACE_SECONDS
        while not over.wait(_RETRY_SECONDS):
            if time.monotonic() > deadline:
                print(f"zertz: {last_words()}", file=sys.stderr, flush=True)
                os._exit(INTERRUPTED)
            if not is_interrupted.is_set() and hasattr(signal, "pthread_kill"):
                signal.pthread_kill(main.ident or 0, number[0])

    # Python calls `raise_interrupt` between two of its own steps, and only in the main thread. If the system delivers the signal to another
    # thread, a waiting main thread misses it. The watcher gets each signal at once, and repeats it.
    descriptor = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    handlers = {number: signal.signal(number, raise_interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    except Exception as error:
        if is_interrupted.is_set():
            raise KeyboardInterrupt from error
        raise
    finally:
        is_interrupted.set()
        over.set()
        signal.set_wakeup_fd(descriptor)
        sender.close()
        watcher.join()
        for number, handler in handlers.items():
            signal.signal(number, handler)


@contextmanager
def stop_after(seconds: float, last_words: str) -> Iterator[None]:
    """End the process if the block does not stop by itself soon after this number of seconds (0: no limit).

    DuckDB does not check for an interrupt inside a row. The last words go to standard error, and the exit status is 2.
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


def _must_finish(frame: FrameType | None) -> bool:
    """Check for work that would lose an exception.

    C libraries with lazy imports treat any exception in an import as a missing module. LLVM prints one in a function that it calls, with
    its traceback, and goes on.
    """
    while frame:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>" or _LLVM in Path(frame.f_code.co_filename).parts:
            return True
        frame = frame.f_back
    return False
