"""Show a progress line on standard error for work of more than a second, if standard error is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from zertz_db.cli.safe_output import escape_output

if TYPE_CHECKING:
    from rich.progress import Progress, Task
    from rich.text import Text

_DELAY_SECONDS = 1.0


class Ticker:
    """Progress of work: `ticker(5)` adds five things; `ticker.show(5, 20)` sets five of twenty."""

    def __init__(self, doing: str, things: str, total: int | None) -> None:
        self._doing, self._things, self._total = doing, things, total
        self._is_terminal = sys.stderr.isatty()
        self._began = time.monotonic()
        self._done = 0
        self._bar: Progress | None = None

    def __call__(self, count: int) -> None:
        """Add things that are done."""
        self.show(self._done + count, self._total)

    def show(self, done: int, total: int | None) -> None:
        """Set the number of things that are done, and of all things (None: unknown)."""
        self._done, self._total = done, total
        if self._bar is None and self._is_terminal and time.monotonic() - self._began > _DELAY_SECONDS:
            self._bar = _start(self._doing, self._things, done)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, total=total)

    def stop(self) -> None:
        """Remove the progress line."""
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def show_progress(doing: str, things: str, total: int | None = None) -> Iterator[Ticker]:
    """Yield a ticker to call with the number of things done since the last call."""
    ticker = Ticker(doing, things, total)
    try:
        yield ticker
    finally:
        ticker.stop()


def _start(doing: str, things: str, done: int) -> Progress:
    # Rich takes 55 ms to import; short work ends before a bar is shown.
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        """Things per second, without those that were done before the start."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f}/s" if task.speed else "")

    is_shown = sys.stdout.isatty()
    bar = Progress(
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(things),
        Rate(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(file=sys.__stderr__),
        transient=True,
        redirect_stdout=is_shown,  # lines for a file or a pipe don't go above the bar
    )
    bar.start()
    if is_shown:
        sys.stdout = escape_output(sys.stdout)
    sys.stderr = escape_output(sys.stderr)
    bar.add_task(doing, completed=done, total=None)
    return bar
