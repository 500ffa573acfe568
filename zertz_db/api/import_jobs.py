"""Import in the background, one file after the other, each in a separate process: readers are not affected."""

from __future__ import annotations

import logging
import secrets
import shutil
import signal
import time
from collections import deque
from dataclasses import dataclass, field
from dataclasses import replace as changed
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Condition, Thread
from typing import Any

import duckdb

from zertz_db.errors import ZertzError
from zertz_db.ingest.import_paths import import_paths
from zertz_db.ingest.sources.place import SourceError
from zertz_db.ingest.tally import Tally
from zertz_db.store.errors import DiskFull, LockHeld, explain
from zertz_db.store.folder.lock import Wait

MAX_FINISHED_JOBS = 100
"""Maximum number of ended jobs in memory."""
MAX_SECONDS = 3600.0
"""Maximum seconds of an import, which is then ended: no file may block those that wait."""
_LOCK_SECONDS = 600
"""Seconds to wait for another command's import."""
_END_SECONDS = 5
"""Seconds for a stopped import to end before it is killed; the database survives both."""


@dataclass(frozen=True, slots=True)
class Job:
    """Import job. state: waiting, running, done or failed; `problem`: why it failed. The numbers are a tally.

    missing, withdrawn: stored records that the file no longer has, and how many of these `replace` withdrew.
    """

    id: str
    name: str
    replace: bool = False
    state: str = "waiting"
    places: int = 0
    done: int = 0
    read: int = 0
    stored: int = 0
    duplicate: int = 0
    rejected: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    missing: int = 0
    withdrawn: int = 0
    run: int | None = None
    problem: str | None = None


class Jobs:
    """Queue of the imports of a server."""

    def __init__(self, database: Path, most: int, seconds: float = MAX_SECONDS) -> None:
        """most: maximum number of waiting files. seconds: time limit of an import."""
        self._database = database.resolve()
        self._most = most
        self._seconds = seconds
        self._jobs: dict[str, Job] = {}
        self._waiting: deque[tuple[str, Path]] = deque()
        self._changed = Condition()
        self._is_closed = False
        self._process: SpawnProcess | None = None
        self._thread: Thread | None = None

    def is_full(self) -> bool:
        """Check if no other file can wait."""
        return len(self._waiting) >= self._most

    def add(self, folder: Path, name: str, *, replace: bool = False) -> Job:
        """Import the file of this name in this folder, which is removed afterwards.

        replace: withdraw the records of earlier files of this name that it no longer holds.
        """
        job = Job(secrets.token_hex(8), name, replace)
        with self._changed:
            for ended in [one.id for one in self._jobs.values() if one.state in ("done", "failed")][
                :-MAX_FINISHED_JOBS
            ]:
                del self._jobs[ended]
            self._jobs[job.id] = job
            self._waiting.append((job.id, folder))
            self._changed.notify()
            if self._thread is None:
                self._thread = Thread(target=self._work, daemon=True)
                self._thread.start()
        return job

    def find(self, number: str) -> Job | None:
        """Return the job with an id, or None."""
        return self._jobs.get(number)

    def close(self) -> None:
        """Stop: a running import leaves the database unchanged."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
            if self._process:
                self._process.terminate()
        if self._thread:
            self._thread.join(_END_SECONDS)
            if self._thread.is_alive() and self._process:
                self._process.kill()
                self._thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closed)
                if self._is_closed:
                    break
                number, folder = self._waiting.popleft()
            try:
                end = self._import(number, folder)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            self._change(number, **end)
        for number, folder in self._waiting:
            shutil.rmtree(folder, ignore_errors=True)
            self._change(number, **_STOPPED_STATE)

    def _import(self, number: str, folder: Path) -> dict[str, Any]:
        """Import one file, and return the ended job."""
        context = get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        with self._changed:
            if self._is_closed:
                return _STOPPED_STATE
            job = self._jobs[number]
            self._process = context.Process(
                target=_run_import, args=(theirs, folder, job.name, self._database, job.replace)
            )
            self._process.start()
        theirs.close()
        self._change(number, state="running")
        end, last = _STOPPED_STATE, time.monotonic() + self._seconds
        try:
            while ours.poll(max(0, last - time.monotonic())):
                changes = ours.recv()
                if "state" in changes:
                    end = changes
                else:
                    self._change(number, **changes)
        except EOFError:
            self._process.join()
            return end
        self._process.kill()
        self._process.join()
        return _OVERDUE_STATE

    def _change(self, number: str, **changes: Any) -> None:
        self._jobs[number] = changed(self._jobs[number], **changes)


_STOPPED_STATE: dict[str, Any] = {"state": "failed", "problem": "the import was stopped; the database is as it was"}
_OVERDUE_STATE: dict[str, Any] = {
    "state": "failed",
    "problem": "the import took too long and was ended; the database is as it was; send smaller files",
}


def _run_import(pipe: Connection, folder: Path, name: str, database: Path, with_replace: bool = False) -> None:
    """Run the import in this process, and send its progress."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    file = str(folder / name)

    def tell(tally: Tally) -> None:
        pipe.send(_dump_tally(tally))

    try:
        # nothing but the file's name gets into the database
        tally = import_paths([file], database, tell, Wait(_LOCK_SECONDS), called={file: name}, replace=with_replace)
        pipe.send({**_dump_tally(tally), "state": "done", "run": tally.run})
    except SourceError:
        pipe.send({"state": "failed", "problem": "there are no records in it"})
    except LockHeld:
        pipe.send({"state": "failed", "problem": "another import is running; send it again later"})
    except DiskFull:
        pipe.send({"state": "failed", "problem": "there is no room on the server's disk"})
    except (ZertzError, duckdb.Error) as error:
        cause = explain(error) if isinstance(error, duckdb.Error) else error
        if cause is None:  # a fault of ours
            raise
        logging.getLogger(__name__).error("an import failed: %s", cause)
        problem = "the database can't be changed at the moment; the server's log says why"
        pipe.send({"state": "failed", "problem": problem})


def _dump_tally(tally: Tally) -> dict[str, Any]:
    names = ("places", "done", "read", "stored", "duplicate", "rejected")
    return {
        **{name: getattr(tally, name) for name in names},
        "reasons": dict(tally.reasons),
        "missing": len(tally.missing),
        "withdrawn": tally.withdrawn.records if tally.withdrawn else 0,
    }
