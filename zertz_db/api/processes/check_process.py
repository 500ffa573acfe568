"""Check records in a separate process, which can be killed: nothing else stops a computation."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any

from parser import faults
from zertz_db import logs
from zertz_db.errors import InternalFault
from zertz_db.ingest.records.read_records import SourceRecord, read_and_check, reject_record
from zertz_db.ingest.sources.place import Content, Place

Verdicts = list[dict[str, Any]]


class CheckStopped(InternalFault):
    """The check took too long, or its process has died."""


class Checker:
    """Checker of one text at a time, each within a number of seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._worker: tuple[SpawnProcess, Connection] | None = None

    def check(self, data: bytes, dialect: str | None) -> Verdicts:
        """Return the verdict on each record in bytes, as `zertz check --format jsonl`. Raise CheckStopped."""
        _, pipe = self._worker = self._worker or _start()
        try:
            pipe.send((data, dialect))
            if pipe.poll(self.seconds):
                answer: Verdicts = pipe.recv()
                return answer
        except (EOFError, OSError) as error:
            self.close()
            raise CheckStopped from error
        self.close()
        raise CheckStopped

    def close(self) -> None:
        """End the process; the next check starts another."""
        worker, self._worker = self._worker, None
        if worker:
            process, pipe = worker
            process.kill()
            process.join()
            pipe.close()


def _start() -> tuple[SpawnProcess, Connection]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_run_process, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def _run_process(pipe: Connection) -> None:
    logs.follow_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    while True:
        try:
            data, dialect = pipe.recv()
        except EOFError:  # the server is gone
            return
        pipe.send(list(check_records(data, dialect)))


def check_records(data: bytes, dialect: str | None) -> Iterator[dict[str, Any]]:
    """Return the verdict on each record in bytes."""
    for found in read_and_check([Content(Place("body", named=True), data)], dialect):
        if isinstance(found, SourceRecord):
            yield faults.guarded(partial(_verdict, found), partial(_build_failure, found))


def _verdict(found: SourceRecord) -> dict[str, Any]:
    return {"index": found.number, **found.checked.as_json()}


def _build_failure(found: SourceRecord, error: Exception) -> dict[str, Any]:
    return _verdict(reject_record(found, error))
