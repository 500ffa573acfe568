"""Spare a program work that commands don't need: threads of numpy, and most collections of garbage."""

from __future__ import annotations

import gc
import os

_OBJECTS_TO_COLLECT = 20_000
"""Number of new objects after which garbage is collected. At Python's 700 that takes 10 of 250 ms, and finds next to nothing."""


def run_lean() -> None:
    """Set up this process, and those that it starts. Only for programs: users of the library decide themselves.

    numpy's threads are for products of matrices, of which there are none here. They take 15 ms, and a process with threads can't be forked.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(_OBJECTS_TO_COLLECT, *gc.get_threshold()[1:])
