"""Change the database for a page in a process of its own: import files, undo an import, read all records again.

The process continues after the next click, unlike a run of a page. It is ended if it takes too long, if its visitor leaves or if the
server ends; the database is then unchanged.
"""

from __future__ import annotations

import atexit
import logging
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Event, Thread
from typing import Any, ClassVar, NamedTuple, TypeAlias
from weakref import WeakSet

from zertz_db import logs
from zertz_db.api.import_jobs import MAX_SECONDS
from zertz_db.dashboards.state.uploads import write_uploads
from zertz_db.errors import ZertzError
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.stored.source_lookup import list_games_in_file
from zertz_db.ingest.tally import Tally
from zertz_db.ingest.worker_processes import exit_with_parent, hide_main_module
from zertz_db.store.folder.lock import Wait
from zertz_db.store.open_database import open_database

POLL_SECONDS = 0.2
"""Seconds between two checks that the work may go on."""
GRACE_SECONDS = 10.0
"""Seconds for a visitor's browser to connect again."""
JOB_WAIT = Wait(10.0)
"""Time that the work waits for another process that changes the database."""
_END_SECONDS = 5.0
"""Seconds at the server's end to remove the files of ended work."""

_UNCHANGED = "The database is unchanged."

Send: TypeAlias = Callable[[Any], None]
"""A function that takes the progress so far."""


class DatabaseJob(ABC):
    """A change of a database in a process of its own.

    is_disconnected: checks if the visitor is away. seconds: time limit. seen: the progress so far, None at the start. result: what the
    change returned at its end. failure: the error message if there is no result.
    """

    noun: ClassVar[str]
    """The change in messages, with an article."""
    remedy: ClassVar[str]
    """What to do if the change takes too long or too much memory."""

    def __init__(
        self, folder: Path, is_disconnected: Callable[[], bool] = lambda: False, seconds: float = MAX_SECONDS
    ) -> None:
        self.seen: Any = None
        self.result: Any = None
        self.failure = ""
        self.folder = folder
        self._is_disconnected, self._seconds = is_disconnected, seconds
        self._is_stopped, self._is_done = Event(), Event()
        _jobs.add(self)
        Thread(target=self._run, daemon=True).start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most this long; return whether it has come."""
        return self._is_done.wait(seconds)

    def stop(self) -> None:
        """End the work soon; the database stays unchanged unless the work is done."""
        self._is_stopped.set()

    @property
    @abstractmethod
    def progress(self) -> tuple[float, str]:
        """Return the share that is done, from 0 to 1, and a text."""

    @abstractmethod
    def _prepare(self) -> Any:
        """Return a context manager of the work: a function of this module and its arguments after the pipe."""

    def _run(self) -> None:
        try:
            with self._prepare() as (work, *values):
                self._follow(work, values)
        except Exception as error:
            logging.getLogger(__name__).exception("%s failed", self.noun)
            self.failure = _describe_fault(error, self.noun)
        finally:
            self._is_done.set()

    def _follow(self, work: Callable[..., None], values: Sequence[Any]) -> None:
        """Run the process until it is done or must end."""
        context = get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        # not a daemon: those can't start the workers of an import
        process = context.Process(target=work, args=(theirs, *values))
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
                    self.seen, self.result, self.failure = pipe.recv()
            except (EOFError, OSError):
                process.join()
                if self.result is None and not self.failure:
                    self.failure = f"The process of {self.noun} has ended, perhaps because it ran out of memory. {_UNCHANGED} {self.remedy}"
                return
            now = time.monotonic()
            if not self._is_disconnected():
                last_seen = now
            if now > began + self._seconds:
                self.failure = (
                    f"{_capitalise(self.noun)} took longer than the limit of {self._seconds:g} s and was ended. "
                    f"{_UNCHANGED} {self.remedy}"
                )
                return
            if now > last_seen + GRACE_SECONDS:
                break
        self.failure = f"{_capitalise(self.noun)} was stopped. {_UNCHANGED}"


class ImportJob(DatabaseJob):
    """The import of files (name, content) into a database; its result is the tally.

    replace: withdraw stored records of earlier files of these names that the files no longer hold. letters: the stated language of the
    colour letters, None to detect it.
    """

    noun = "the import"
    remedy = "Try fewer or smaller files, or use `zertz import FILES`."

    def __init__(
        self,
        files: Sequence[tuple[str, bytes]],
        folder: Path,
        replace: bool = False,
        is_disconnected: Callable[[], bool] = lambda: False,
        seconds: float = MAX_SECONDS,
        letters: str | None = None,
    ) -> None:
        self._files, self._replace, self._letters = files, replace, letters
        super().__init__(folder, is_disconnected, seconds)

    @property
    def tally(self) -> Tally | None:
        """Return the tally at the end, None before or after a failure."""
        found: Tally | None = self.result
        return found

    @property
    def progress(self) -> tuple[float, str]:
        """Return the share of places that are done, and the number of records."""
        seen = self.seen or Tally()
        return min(1.0, seen.done / max(1, seen.places)), f"{seen.read:,} records" if seen.read else "Importing …"

    @contextmanager
    def _prepare(self) -> Iterator[tuple[Any, ...]]:
        try:
            with write_uploads(self._files) as names:
                yield _import_files, names, self.folder, self._replace, self._letters
        finally:
            self._files = ()


class ThreadJob(DatabaseJob):
    """A short change in a thread: starting a process would take longer. It can't be stopped.

    title: shown meanwhile. act: the change; it raises ZertzError; its result is the job's.
    """

    noun = "the change"
    remedy = ""

    def __init__(self, folder: Path, title: str, act: Callable[[], Any]) -> None:
        self._title, self._act = title, act
        super().__init__(folder)

    @property
    def progress(self) -> tuple[float, str]:
        """Return no share, and the title."""
        return 0.0, self._title

    @contextmanager
    def _prepare(self) -> Iterator[tuple[Any, ...]]:
        yield (self._act,)

    def _follow(self, work: Callable[..., Any], values: Sequence[Any]) -> None:
        try:
            self.result = work(*values)
        except ZertzError as error:
            self.failure = str(error)


class EntryJob(ThreadJob):
    """The import of one game that was entered on a page; its result is the tally.

    name: of the file under which it is stored. query: the URL query of the page with the game. games: the ids of the stored games.
    """

    def __init__(self, text: str, name: str, folder: Path, query: str) -> None:
        self.query, self.games = query, list[str]()
        super().__init__(folder, "Storing the game …", lambda: self._import_text(text, name))

    def _import_text(self, text: str, name: str) -> Tally:
        with write_uploads([("game.txt", text.encode())]) as files:
            [file] = files
            tally = import_paths([file], self.folder, wait=JOB_WAIT, called={file: name})
            with open_database(self.folder) as database:
                self.games = list_games_in_file(database, file)
        return tally


class UndoJob(DatabaseJob):
    """The undo of an import, by its number; its result is an `UndoResult`."""

    noun = "the undo"
    remedy = "Use `zertz undo`."

    def __init__(self, folder: Path, run: int, is_disconnected: Callable[[], bool] = lambda: False) -> None:
        self._run_number = run
        super().__init__(folder, is_disconnected)

    @property
    def progress(self) -> tuple[float, str]:
        """Return no share: an undo is a few statements."""
        return 0.0, f"Undoing import {self._run_number} …"

    @contextmanager
    def _prepare(self) -> Iterator[tuple[Any, ...]]:
        yield _undo_import, self.folder, self._run_number


class RecheckTally(NamedTuple):
    """The result of a recheck: numbers of changed records, of records on which zertz failed, of sightings of games added and removed."""

    changed: int
    failed: int
    added: int
    removed: int


class RecheckJob(DatabaseJob):
    """The recheck of all records; its result is a `RecheckTally`. records: their number."""

    noun = "the recheck"
    remedy = "Use `zertz recheck`."

    def __init__(self, folder: Path, records: int, is_disconnected: Callable[[], bool] = lambda: False) -> None:
        self._records = records
        super().__init__(folder, is_disconnected)

    @property
    def progress(self) -> tuple[float, str]:
        """Return the share and the number of the records that were read again."""
        done: int = self.seen or 0
        return min(1.0, done / max(1, self._records)), f"{done:,} of {self._records:,} records read again"

    @contextmanager
    def _prepare(self) -> Iterator[tuple[Any, ...]]:
        yield _recheck_records, self.folder


_jobs: WeakSet[DatabaseJob] = WeakSet()


@atexit.register
def _stop_all() -> None:
    """End all work with this process, which would wait for its processes."""
    running = [job for job in _jobs if not job.wait(0)]
    for job in running:
        job.stop()
    for job in running:
        job.wait(_END_SECONDS)


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]


def _describe_fault(error: Exception, noun: str) -> str:
    return (
        f"{_capitalise(noun)} failed ({type(error).__name__}). The terminal where the dashboard was started has the details. "
        f"{_UNCHANGED}"
    )


def _serve(pipe: Connection, noun: str, work: Callable[[Send], Any]) -> None:
    """Do the work in this process, and send its progress, its result or the error message."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    logs.follow_parent()
    exit_with_parent()
    seen: Any = None

    def send(progress: Any) -> None:
        nonlocal seen
        seen = progress
        pipe.send((seen, None, ""))

    try:
        result = work(send)
        pipe.send((seen, result, ""))
    except ZertzError as error:
        pipe.send((None, None, str(error)))
    except Exception as error:
        logging.getLogger(__name__).exception("%s failed", noun)
        pipe.send((None, None, _describe_fault(error, noun)))


def _import_files(pipe: Connection, names: dict[str, str], folder: Path, replace: bool, letters: str | None) -> None:
    _serve(
        pipe,
        ImportJob.noun,
        lambda send: import_paths(names, folder, send, JOB_WAIT, called=names, letters=letters, replace=replace),
    )


def _undo_import(pipe: Connection, folder: Path, run: int) -> None:
    from zertz_db.maintain.undo_import import undo  # needs Arrow, for which the process of an import waits later

    _serve(pipe, UndoJob.noun, lambda _: undo(folder, run, JOB_WAIT))


def _recheck_records(pipe: Connection, folder: Path) -> None:
    _serve(pipe, RecheckJob.noun, lambda send: _recheck(folder, send))


def _recheck(folder: Path, send: Send) -> RecheckTally:
    from zertz_db.maintain.recheck import recheck_database  # needs Arrow: see above

    done = 0

    def tick(count: int) -> None:
        nonlocal done
        done += count
        send(done)

    found = recheck_database(folder, tick, JOB_WAIT)
    changes = [one for one in found if not one.is_failure]
    added, removed = (sum(len(getattr(one, name)) for one in changes) for name in ("added_games", "removed_games"))
    return RecheckTally(len(changes), len(found) - len(changes), added, removed)
