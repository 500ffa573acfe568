"""Run an import that was started on a page, in a process of its own. It continues after the next click, unlike a run of a page.

The process is ended if it takes too long, if its visitor leaves or if the server ends; the database is then unchanged.
"""

from __future__ import annotations

import atexit
import logging
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Event, Thread
from typing import Any
from weakref import WeakSet

from dashboards.state.uploads import write_uploads
from zertz_db import logs
from zertz_db.api.import_jobs import MAX_SECONDS
from zertz_db.errors import ZertzError
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.tally import Tally
from zertz_db.ingest.worker_pool import exit_with_parent, hide_main_module

POLL_SECONDS = 0.2
"""Seconds between two checks that the import may go on."""
GRACE_SECONDS = 10.0
"""Seconds for a visitor's browser to connect again."""
_END_SECONDS = 5.0
"""Seconds at the server's end to remove the files of an ended import."""

_UNCHANGED = "The database is unchanged."
_TOO_LONG = f"The import took longer than the limit of {{:g}} s and was ended. {_UNCHANGED} Use `zertz import FILES`."
_DIED = (
    f"The process of the import has ended, perhaps because it ran out of memory. {_UNCHANGED} "
    "Try fewer or smaller files, or use `zertz import FILES`."
)
_STOPPED = f"The import was stopped. {_UNCHANGED}"


class ImportJob:
    """The import of files (name, content) into a database.

    replace: withdraw stored records of earlier files of these names that the files no longer hold. is_disconnected: checks if the visitor
    is away. seconds: time limit. seen: the tally so far, None at the start. tally: the tally at the end. failure: the error message if
    there is no tally.
    """

    def __init__(
        self,
        files: Sequence[tuple[str, bytes]],
        folder: Path,
        replace: bool = False,
        is_disconnected: Callable[[], bool] = lambda: False,
        seconds: float = MAX_SECONDS,
    ) -> None:
        self.seen: Tally | None = None
        self.tally: Tally | None = None
        self.failure = ""
        self._files, self._folder, self._replace = files, folder, replace
        self._is_disconnected, self._seconds = is_disconnected, seconds
        self._is_stopped, self._is_done = Event(), Event()
        _jobs.add(self)
        Thread(target=self._run, daemon=True).start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most this long; return whether it has come."""
        return self._is_done.wait(seconds)

    def stop(self) -> None:
        """End the import soon; the database stays unchanged unless the import is done."""
        self._is_stopped.set()

    def _run(self) -> None:
        try:
            with write_uploads(self._files) as names:
                self._follow(names)
        except Exception as error:
            logging.getLogger(__name__).exception("an import failed")
            self.failure = _describe_fault(error)
        finally:
            self._files = ()
            self._is_done.set()

    def _follow(self, names: Mapping[str, str]) -> None:
        """Run the process until it is done or must end."""
        context = get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        # not a daemon: those can't start the workers of an import
        process = context.Process(target=_import_files, args=(theirs, names, self._folder, self._replace))
        with hide_main_module():
            process.start()
        theirs.close()
        try:
            self._receive(ours, process)
        finally:
            process.kill()
            process.join()
            ours.close()

    def _receive(self, pipe: Connection, process: SpawnProcess) -> None:
        began = last_seen = time.monotonic()
        while not self._is_stopped.is_set():
            try:
                while pipe.poll(POLL_SECONDS):
                    self.seen, self.tally, self.failure = pipe.recv()
            except (EOFError, OSError):
                process.join()
                if self.tally is None and not self.failure:
                    self.failure = _DIED
                return
            now = time.monotonic()
            if not self._is_disconnected():
                last_seen = now
            if now > began + self._seconds:
                self.failure = _TOO_LONG.format(self._seconds)
                return
            if now > last_seen + GRACE_SECONDS:
                break
        self.failure = _STOPPED


_jobs: WeakSet[ImportJob] = WeakSet()


@atexit.register
def _stop_all() -> None:
    """End all imports with this process, which would wait for theirs."""
    running = [job for job in _jobs if not job.wait(0)]
    for job in running:
        job.stop()
    for job in running:
        job.wait(_END_SECONDS)


def _describe_fault(error: Exception) -> str:
    return (
        f"The import failed ({type(error).__name__}). The terminal where the dashboard was started has the details. "
        f"{_UNCHANGED}"
    )


def _import_files(pipe: Connection, names: Mapping[str, str], folder: Path, replace: bool) -> None:
    """Import in this process, and send its progress: the tally so far, the tally at the end, the error message."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    logs.follow_parent()
    exit_with_parent()

    def send(*values: Any) -> None:
        pipe.send(values)

    try:
        tally = import_paths(names, folder, lambda seen: send(seen, None, ""), called=names, replace=replace)
        send(tally, tally, "")
    except ZertzError as error:
        send(None, None, str(error))
    except Exception as error:
        logging.getLogger(__name__).exception("an import failed")
        send(None, None, _describe_fault(error))
