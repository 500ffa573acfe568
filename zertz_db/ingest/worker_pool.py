"""Share work on many files among all cores by bytes; results come in the order of the files."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from multiprocessing import parent_process, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.util import Finalize
from types import ModuleType
from typing import Any, TypeVar

from zertz_db import logs
from zertz_db.errors import BrokenEnvironment
from zertz_db.ingest.sources.discover import STANDARD_INPUT, get_weight, split_batches
from zertz_db.ingest.sources.place import Damage, SourceItem
from zertz_db.rules import compiled

Result = TypeVar("Result")
Batch = TypeVar("Batch")

_MIN_PARALLEL_BYTES = 4_000_000
"""Minimum bytes of records for which other processes are worth their start."""
_BATCHES_PER_WORKER = 2
"""Maximum number of pending batches for each process: more would only fill the memory."""
_STARTUP_BATCHES = 8
"""Additional pending batches: this process does that many before a worker has started and done its first one."""


class WorkerDied(BrokenEnvironment):
    """A worker process ended unexpectedly; its batch is not done."""


def count_cores() -> int:
    """Return the number of processes to use (`ZERTZ_WORKERS` overrides)."""
    wanted = os.environ.get("ZERTZ_WORKERS", "")
    if wanted.isdigit():
        return max(1, int(wanted))
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_batches(
    work: Callable[[list[SourceItem]], Result], items: Iterable[SourceItem], size: int = 0
) -> Generator[tuple[list[SourceItem], Result], None, None]:
    """Run `work` on batches of items; yield each batch with its result, in order, for any number of processes. This one works too.

    `work` must be a module's function, because it is pickled, and so must its result. Items are taken on demand, so few are in memory.
    size: the bytes of the files if known; if they are many, workers start before the first item is taken. Closing the generator kills the
    workers. Raise WorkerDied, which names the worker that was killed.
    """
    work = partial(run_without_gc, work)
    batches = split_batches(items)
    processes = count_cores()
    first: list[list[SourceItem]] = []
    with freeze_gc():
        if processes == 1 or not (size >= _MIN_PARALLEL_BYTES or _is_worth_workers(batches, first)):
            for batch in chain(first, batches):
                yield batch, work(batch)
            return
        with open_pool(processes - 1) as pool:
            for _ in range(processes - 1):
                pool.submit(work, [])  # so that they import everything that the work needs
            yield from _run_in_order(pool, work, chain(first, batches), processes)


@contextmanager
def freeze_gc() -> Iterator[None]:
    """Exclude the present objects, mostly modules, from garbage collection in the block."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _is_worth_workers(batches: Iterator[list[SourceItem]], taken: list[list[SourceItem]]) -> bool:
    """Return whether the batches are worth workers; append those that were counted to `taken`."""
    size = 0
    for batch in batches:
        taken.append(batch)
        size += sum(map(get_weight, batch))
        if size >= _MIN_PARALLEL_BYTES:
            return True
    return False


def run_without_gc(work: Callable[[Batch], Result], batch: Batch) -> Result:
    """Run `work` without garbage collection: a batch makes a million objects, all of them in use, none in cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return work(batch)
    finally:
        if was_on:
            gc.enable()


def _run_in_order(
    pool: ProcessPoolExecutor,
    work: Callable[[list[SourceItem]], Result],
    batches: Iterator[list[SourceItem]],
    processes: int,
) -> Iterator[tuple[list[SourceItem], Result]]:
    """Give each worker a batch and the next ones; do further batches here, above all the last ones.

    Take at most one result for each submitted batch: the consumer spends time on it, and workers must not wait for that.
    """
    pending: deque[tuple[list[SourceItem], Future[Result]]] = deque()
    coming = deque(islice(batches, processes))
    while coming:
        is_near_end = len(coming) < processes
        batch = coming.popleft()
        coming.extend(islice(batches, 1))
        in_hand = sum(not future.done() for _, future in pending)
        is_ours = in_hand >= (1 if is_near_end else _BATCHES_PER_WORKER) * processes - 1 or _is_local_only(batch)
        pending.append((batch, _run_here(work, batch) if is_ours else pool.submit(work, batch)))
        if pending[0][1].done() or len(pending) >= processes * _BATCHES_PER_WORKER + _STARTUP_BATCHES:
            batch, future = pending.popleft()
            yield batch, future.result()
    for batch, future in pending:
        yield batch, future.result()


def _is_local_only(batch: list[SourceItem]) -> bool:
    """Return whether only this process can read a batch, or would have to send it the bytes of a nested damaged archive."""
    return any(items.path == STANDARD_INPUT or (isinstance(items, Damage) and items.data) for items in batch)


def _run_here(work: Callable[[list[SourceItem]], Result], batch: list[SourceItem]) -> Future[Result]:
    """Do a batch in this process at once; return its result as a future."""
    done: Future[Result] = Future()
    done.set_result(work(batch))
    return done


class _TrackingContext(SpawnContext):
    """Context that spawns processes and remembers them; a fork of DuckDB's or numba's threads would not be safe."""

    def __init__(self) -> None:
        super().__init__()
        self.workers: list[SpawnProcess] = []

    def Process(self, *args: Any, **keywords: Any) -> SpawnProcess:  # type: ignore[override] # noqa: N802 - its name there
        worker = _Worker(*args, **keywords)
        self.workers.append(worker)
        return worker


class _Worker(SpawnProcess):
    """A process that leaves Ctrl-C to its parent."""

    def start(self) -> None:
        resource_tracker.ensure_running()  # or it would start below, and unblock signals
        with _block_interrupts(), hide_main_module():
            super().start()


@contextmanager
def hide_main_module() -> Iterator[None]:
    """Start processes in the block without running the program's own file again: their functions are in modules.

    One thread at a time: of two, the first to leave would show the file to the other.
    """
    with _hiding:
        program = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = program


_hiding = threading.Lock()


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Delay Ctrl-C in this process until after the block; processes that start in it never get it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def open_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of workers that end with this process, and at once if it needs them no longer."""
    context = _TrackingContext()
    pool = ProcessPoolExecutor(workers, context, _init_worker, (compiled.is_lean(),))
    try:
        yield pool
    except BrokenProcessPool as error:
        pool.shutdown()
        raise WorkerDied(_describe_dead_workers(context.workers)) from error
    except BaseException:
        for worker in context.workers:
            if worker.is_alive():
                worker.kill()
        raise
    finally:
        pool.shutdown()


def _init_worker(is_lean: bool) -> None:
    if is_lean:
        compiled.load_lean()
    logs.follow_parent()
    exit_with_parent()


def exit_with_parent() -> None:
    """End this worker process without delay when its parent ends."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()
    Finalize(None, os._exit, (0,), exitpriority=0)  # skip the interpreter's shutdown


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _describe_dead_workers(workers: list[SpawnProcess]) -> str:
    """Return a message about the workers that died; the pool ends the others with SIGTERM."""
    ended = {worker.pid: worker.exitcode for worker in workers if worker.exitcode not in (None, 0, -signal.SIGTERM)}
    dead = ", ".join(f"process {pid} ({_describe_exit_code(code)})" for pid, code in ended.items() if code is not None)
    return (
        f"A worker died: {dead or 'a process of the pool'}. "
        "If the machine ran out of memory, ZERTZ_WORKERS=1 needs less of it."
    )


def _describe_exit_code(code: int) -> str:
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
