"""A progress line on standard error for work that takes longer than a second; nothing where that is no terminal."""

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
    """Is told how far the work is: `ticker(5)` five more things are done; `ticker.show(5, 20)` five of twenty."""

    def __init__(self, doing: str, things: str, total: int | None) -> None:
        self._doing, self._things, self._total = doing, things, total
        self._is_seen = sys.stderr.isatty()
        self._began = time.monotonic()
        self._done = 0
        self._bar: Progress | None = None

    def __call__(self, count: int) -> None:
        """So many more are done."""
        self.show(self._done + count, self._total)

    def show(self, done: int, total: int | None) -> None:
        """So many are done of all (None: it is not known how many there are)."""
        self._done, self._total = done, total
        if self._bar is None and self._is_seen and time.monotonic() - self._began > _DELAY_SECONDS:
            self._bar = _start(self._doing, self._things, done)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, total=total)

    def stop(self) -> None:
        """Take the line away."""
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def show_progress(doing: str, things: str, total: int | None = None) -> Iterator[Ticker]:
    """Gives what is to be called with how many things are done since the last call."""
    ticker = Ticker(doing, things, total)
    try:
        yield ticker
    finally:
        ticker.stop()


def _start(doing: str, things: str, done: int) -> Progress:
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
        """Things a second, those not counted that were done before."""

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
        redirect_stdout=is_shown,  # lines for a file or a pipe go there, and not above the bar
    )
    bar.start()
    if is_shown:
        sys.stdout = escape_output(sys.stdout)
    sys.stderr = escape_output(sys.stderr)
    bar.add_task(doing, completed=done, total=None)
    return bar
