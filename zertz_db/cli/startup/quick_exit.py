"""End a program without taking it apart object by object, which takes Python 20 to 30 ms after a short command."""

from __future__ import annotations

import atexit
import os
import sys
import threading


def exit_at_once(status: int) -> None:
    """End the process once its output is written and what is registered for its end is done.

    Return, so that Python ends the process, while other threads run or if the output can't be written.
    """
    if threading.active_count() > 1:
        return
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # there is none, or it is closed
        return
    atexit._run_exitfuncs()
    os._exit(status)
