"""Ctrl-C: work stops soon, whatever it is at."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from zertz_db.cli.errors import INTERRUPTED

_GRACE = 1.5
"""Seconds in which what was interrupted may tidy up. It needs not: a process may be killed at any moment."""


@contextmanager
def ending_soon(last_words: Callable[[], str]) -> Iterator[None]:
    """Ctrl-C and SIGTERM end what is done within as KeyboardInterrupt, or else the process.

    DuckDB may be busy for many seconds before it listens, and then calls it a RuntimeError. Where that takes too long the
    last words go to standard error, and the process ends with status 130.
    """
    if threading.current_thread() is not threading.main_thread():  # others get no signals
        yield
        return
    heard = threading.Event()
    over = threading.Event()
    told, hears = socket.socketpair()
    told.setblocking(False)

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if not heard.is_set():  # whoever presses it again need not wait longer, and must not disturb the tidying up
            heard.set()
            raise KeyboardInterrupt

    def watch() -> None:
        if hears.recv(1) and not over.wait(_GRACE):
            print(f"zertz: {last_words()}", file=sys.stderr, flush=True)
            os._exit(INTERRUPTED)

    # Python calls `interrupt` between two steps of its own; this thread hears of a signal at once.
    descriptor = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    handlers = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    except Exception as error:
        if heard.is_set():
            raise KeyboardInterrupt from error
        raise
    finally:
        over.set()
        for number, handler in handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(descriptor)
        told.close()
