"""Work on what visitors bring, in processes of their own: nothing else bounds the time and the memory of a computation.

A process that is done with its work waits for more; one that takes too long, or whose visitor leaves, is ended.
"""

from __future__ import annotations

import pickle
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from zertz_db.ingest.worker_pool import count_cores, exit_with_parent, hide_main_module

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

Result = TypeVar("Result")

MAX_SECONDS = 60.0
MAX_MEMORY = 2_000_000_000
"""Bytes of memory that a process may have."""
MAX_RESULT_BYTES = 200_000_000
"""Bytes of an answer at most."""
POLL_SECONDS = 0.2
"""Seconds between two looks at whether the visitor is still there."""


class WorkLimitExceeded(Exception):
    """The work was ended; the message names the bound and the remedy."""


class _Worker(NamedTuple):
    process: SpawnProcess
    pipe: Connection


_slots = threading.Semaphore(count_cores())
"""As many processes work at once."""
_idle_workers: list[_Worker] = []
"""At most one that has no work."""


def run_bounded(
    work: Callable[..., Result], *values: Any, seconds: float | None = None, look: Callable[[], object] = lambda: None
) -> Result:
    """Call `work` with these values in another process and return its result. TooMuch; raises what `work` raises.

    work: a function of a module. seconds: how long it may take (SECONDS). look: called every LOOKS seconds; what it raises ends the
    work, and is raised here.
    """
    while not _slots.acquire(timeout=POLL_SECONDS):
        look()
    try:
        answer: Result = _await_result(_get_worker(), (work, values), MAX_SECONDS if seconds is None else seconds, look)
        return answer
    finally:
        _slots.release()


def _await_result(worker: _Worker, task: Any, seconds: float, look: Callable[[], object]) -> Any:
    """Return what a worker answers; it is kept for more work if it answers at all."""
    is_kept = False
    try:
        worker.pipe.send(task)
        end = time.monotonic() + seconds
        while not worker.pipe.poll(POLL_SECONDS):
            look()
            if time.monotonic() > end:
                raise WorkLimitExceeded(f"This takes more than the {seconds:g} s that it may take here. {_REMEDY}")
        error, result = pickle.loads(worker.pipe.recv_bytes())  # noqa: S301 - of our own process
        is_kept = not isinstance(error, WorkLimitExceeded)
    except (EOFError, OSError) as error:
        raise WorkLimitExceeded(
            f"The process that checked this has ended, perhaps for want of memory. {_REMEDY}"
        ) from error
    finally:
        if is_kept and not _idle_workers:
            _idle_workers.append(worker)
        else:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
    if error is not None:
        raise error
    return result


_REMEDY = "Try fewer or smaller files, or use `zertz check FILES`."


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
    """Do what comes through the pipe until the other end is closed."""
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
        answer = pickle.dumps((None, work(*values)))
    except MemoryError:
        return pickle.dumps(
            (
                WorkLimitExceeded(f"This needs more than the {MAX_MEMORY / 1e9:g} GB that it may have here. {_REMEDY}"),
                None,
            )
        )
    except Exception as error:  # noqa: BLE001 - it is raised where the result is awaited
        return pickle.dumps((error, None))
    if len(answer) > MAX_RESULT_BYTES:
        return pickle.dumps((WorkLimitExceeded(f"There is too much in this to show it here. {_REMEDY}"), None))
    return answer


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows: the bound on time is left
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
