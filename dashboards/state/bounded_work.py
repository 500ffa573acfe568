"""Run work for visitors in separate processes: only a process can be bounded in time and memory.

An idle process waits for more work. A process is ended if it takes too long or its visitor leaves.
"""

from __future__ import annotations

import pickle
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple, TypeVar

from zertz_db.ingest.worker_pool import count_cores
from zertz_db.ingest.worker_processes import exit_with_parent, hide_main_module

Result = TypeVar("Result")

MAX_SECONDS = 60.0
MAX_MEMORY = 2_000_000_000
"""Bytes of memory per process."""
MAX_RESULT_BYTES = 200_000_000
"""Maximum bytes of a result."""
POLL_SECONDS = 0.2
"""Seconds between two checks that the visitor is still there."""


UPLOAD_REMEDY = "Try fewer or smaller files, or use `zertz check FILES`."


class WorkLimitExceeded(Exception):
    """Error for work that was ended; the message names the limit and the remedy."""


class _Worker(NamedTuple):
    process: SpawnProcess
    pipe: Connection


_slots = threading.Semaphore(count_cores())
"""Limit on processes that work at once: one per core."""
_idle_workers: list[_Worker] = []
"""Workers without work, at most one."""


def run_bounded(
    work: Callable[..., Result],
    *values: Any,
    seconds: float | None = None,
    poll: Callable[[], object] = lambda: None,
    remedy: str = UPLOAD_REMEDY,
) -> Result:
    """Call `work` with these values in another process and return its result. WorkLimitExceeded; raises what `work` raises.

    work: a function of a module. seconds: time limit; default: MAX_SECONDS. poll: called every POLL_SECONDS; an error that it raises
    ends the work and is raised here. remedy: what a visitor can do if the work exceeds a limit.
    """
    while not _slots.acquire(timeout=POLL_SECONDS):
        poll()
    try:
        limit = MAX_SECONDS if seconds is None else seconds
        result: Result = _await_result(_get_worker(), (work, values), limit, poll)
        return result
    except WorkLimitExceeded as error:
        raise WorkLimitExceeded(f"{error} {remedy}") from error
    finally:
        _slots.release()


def _await_result(worker: _Worker, task: Any, seconds: float, poll: Callable[[], object]) -> Any:
    """Return a worker's result; keep the worker for more work if it answered."""
    is_reusable = False
    try:
        worker.pipe.send(task)
        end = time.monotonic() + seconds
        while not worker.pipe.poll(POLL_SECONDS):
            poll()
            if time.monotonic() > end:
                raise WorkLimitExceeded(f"This takes longer than the limit of {seconds:g} s.")
        error, result = pickle.loads(worker.pipe.recv_bytes())  # noqa: S301 - of our own process
        is_reusable = not isinstance(error, WorkLimitExceeded)
    except (EOFError, OSError) as error:
        raise WorkLimitExceeded(
            "The process that worked on this has ended, perhaps because it ran out of memory."
        ) from error
    finally:
        if is_reusable and not _idle_workers:
            _idle_workers.append(worker)
        else:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
    if error is not None:
        raise error
    return result


def _get_worker() -> _Worker:
    try:
        worker = _idle_workers.pop()
    except IndexError:
        return _start()
    return worker if worker.process.is_alive() else _start()


def _start() -> _Worker:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    with hide_main_module():
        process.start()
    theirs.close()
    return _Worker(process, ours)


def _serve(pipe: Connection) -> None:
    """Run tasks from the pipe until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    exit_with_parent()
    _limit_memory()
    while True:
        try:
            work, values = pipe.recv()
        except EOFError:
            return
        pipe.send_bytes(_run_task(work, values))


def _run_task(work: Callable[..., Any], values: tuple[Any, ...]) -> bytes:
    """Return the pickled pair of an exception, or None, and the result."""
    try:
        result = pickle.dumps((None, work(*values)))
    except MemoryError:
        return pickle.dumps(
            (
                WorkLimitExceeded(f"This needs more memory than the limit of {MAX_MEMORY / 1e9:g} GB."),
                None,
            )
        )
    except Exception as error:  # noqa: BLE001 - it is raised where the result is awaited
        return pickle.dumps((error, None))
    if len(result) > MAX_RESULT_BYTES:
        return pickle.dumps((WorkLimitExceeded("The result is too large to show here."), None))
    return result


def _limit_memory() -> None:
    try:
        import resource  # Unix alone has it
    except ImportError:  # Windows: only the time limit remains
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
