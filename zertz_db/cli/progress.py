"""A progress line on standard error for work that takes longer than a second; nothing where that is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

_PATIENCE = 1.0


@contextmanager
def ticking(doing: str, things: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Gives a function to call with how many things are done since the last call."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    began = time.monotonic()
    done = 0
    bar = None

    def tick(count: int) -> None:
        nonlocal done, bar
        done += count
        if bar is None and time.monotonic() - began > _PATIENCE:
            bar = _start(doing, things, total)
        if bar is not None:
            bar.update(bar.task_ids[0], completed=done)

    try:
        yield tick
    finally:
        if bar is not None:
            bar.stop()


def _start(doing: str, things: str, total: int | None) -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(things),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.start()
    bar.add_task(doing, total=total)
    return bar
