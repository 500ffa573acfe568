"""End a program without taking it apart object by object, which takes Python 20 to 30 ms after a short command."""

from __future__ import annotations

import atexit
import os
import sys
import threading


def exit_at_once(status: int) -> None:
    """End the process once what is registered for its end is done and its output is written.

    Return, so that Python ends the process, while other threads run or if the output can't be written.
    """
    if threading.active_count() > 1:
        return
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # there is none, or it is closed
        return
    os._exit(status)
