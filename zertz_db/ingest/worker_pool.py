"""Many files on all cores: work is shared out by bytes, and results come back in the order of the files."""

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

Result = TypeVar("Result")
Batch = TypeVar("Batch")

_MIN_PARALLEL_BYTES = 4_000_000
"""Bytes of records from which on starting other processes is worth it."""
_BATCHES_PER_WORKER = 2
"""Lots in hand for each process: more would only pile up in memory."""
_STARTUP_BATCHES = 8
"""Lots in hand beside those: so many are done here before a worker that starts with the first one has it done."""


class WorkerDied(BrokenEnvironment):
    """A worker process came to an end that was not ours; its lot is not done."""


def count_cores() -> int:
    """How many processes may run at once (`ZERTZ_WORKERS` overrides)."""
    wanted = os.environ.get("ZERTZ_WORKERS", "")
    if wanted.isdigit():
        return max(1, int(wanted))
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_batches(
    work: Callable[[list[SourceItem]], Result], found: Iterable[SourceItem], size: int = 0
) -> Generator[tuple[list[SourceItem], Result], None, None]:
    """Do `work` on lots of what there is to read; each lot with its result, in order, whatever the number of processes: this one works too.

    `work` must be a module's function (it travels to other processes), and so must be what it returns. Places are taken
    as they are needed: however many there are, few are in memory. `size`: bytes of the files, where they are known; if they are many
    workers start before the first place is asked for. Closing the generator ends the workers at once. WorkerDied names the one that
    was killed.
    """
    work = partial(run_without_gc, work)
    lots = split_batches(found)
    processes = count_cores()
    first: list[list[SourceItem]] = []
    with freeze_gc():
        if processes == 1 or not (size >= _MIN_PARALLEL_BYTES or _is_worth_workers(lots, first)):
            for lot in chain(first, lots):
                yield lot, work(lot)
            return
        with _open_pool(processes - 1) as pool:
            for _ in range(processes - 1):
                pool.submit(work, [])  # so that they have all that the work needs
            yield from _run_in_order(pool, work, chain(first, lots), processes)


@contextmanager
def freeze_gc() -> Iterator[None]:
    """What there is by now, modules above all, is not searched for garbage again and again."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _is_worth_workers(lots: Iterator[list[SourceItem]], taken: list[list[SourceItem]]) -> bool:
    """Whether the lots are worth workers; those that had to be looked at for this are appended to `taken`."""
    size = 0
    for lot in lots:
        taken.append(lot)
        size += sum(map(get_weight, lot))
        if size >= _MIN_PARALLEL_BYTES:
            return True
    return False


def run_without_gc(work: Callable[[Batch], Result], lot: Batch) -> Result:
    """Do `work` without looking for garbage meanwhile: a lot makes a million objects that all are in use, and none in circles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        return work(lot)
    finally:
        if was_on:
            gc.enable()


def _run_in_order(
    pool: ProcessPoolExecutor,
    work: Callable[[list[SourceItem]], Result],
    lots: Iterator[list[SourceItem]],
    processes: int,
) -> Iterator[tuple[list[SourceItem], Result]]:
    """Workers have a lot each and more to go on with; what comes then is done here, the last lots above all.

    For each lot that is handed out at most one result is taken: whoever takes it has work with it, and workers are not to wait for that.
    """
    waiting: deque[tuple[list[SourceItem], Future[Result]]] = deque()
    coming = deque(islice(lots, processes))
    while coming:
        is_near_end = len(coming) < processes
        lot = coming.popleft()
        coming.extend(islice(lots, 1))
        in_hand = sum(not future.done() for _, future in waiting)
        is_ours = in_hand >= (1 if is_near_end else _BATCHES_PER_WORKER) * processes - 1 or _is_local_only(lot)
        waiting.append((lot, _run_here(work, lot) if is_ours else pool.submit(work, lot)))
        if waiting[0][1].done() or len(waiting) >= processes * _BATCHES_PER_WORKER + _STARTUP_BATCHES:
            lot, future = waiting.popleft()
            yield lot, future.result()
    for lot, future in waiting:
        yield lot, future.result()


def _is_local_only(lot: list[SourceItem]) -> bool:
    """Whether no other process can read it, or would have to be sent what lies in a damaged archive within another."""
    return any(found.path == STANDARD_INPUT or (isinstance(found, Damage) and found.data) for found in lot)


def _run_here(work: Callable[[list[SourceItem]], Result], lot: list[SourceItem]) -> Future[Result]:
    """Work that is done by this process, at once: what must stay here, and its share of the rest."""
    done: Future[Result] = Future()
    done.set_result(work(lot))
    return done


class _TrackingContext(SpawnContext):
    """Fresh processes (a copy of one in which DuckDB or numba have threads would not be safe), which are remembered."""

    def __init__(self) -> None:
        super().__init__()
        self.workers: list[SpawnProcess] = []

    def Process(self, *args: Any, **keywords: Any) -> SpawnProcess:  # type: ignore[override] # noqa: N802 - its name there
        worker = _Worker(*args, **keywords)
        self.workers.append(worker)
        return worker


class _Worker(SpawnProcess):
    """A process that leaves Ctrl-C to the one that started it."""

    def start(self) -> None:
        resource_tracker.ensure_running()  # else it is started below, and lets signals through again
        with _block_interrupts(), hide_main_module():
            super().start()


@contextmanager
def hide_main_module() -> Iterator[None]:
    """Processes that are started meanwhile do not run the program's own file once more: what they are to do lies in modules."""
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = program


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Ctrl-C comes later, here; processes that are started meanwhile never get it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _open_pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Workers that end when this process does, however that ends, and at once if it has no more use for them."""
    context = _TrackingContext()
    pool = ProcessPoolExecutor(workers, context, _init_worker)
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


def _init_worker() -> None:
    logs.follow_parent()
    exit_with_parent()


def exit_with_parent() -> None:
    """End this process, in which another one has work done, when that one ends; and end it without delay."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()
    Finalize(None, os._exit, (0,), exitpriority=0)  # no time is lost with taking the interpreter apart


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _describe_dead_workers(workers: list[SpawnProcess]) -> str:
    """Who died. The others are ended by the pool, with SIGTERM."""
    ended = {worker.pid: worker.exitcode for worker in workers if worker.exitcode not in (None, 0, -signal.SIGTERM)}
    who = ", ".join(f"process {pid} ({_describe_exit_code(code)})" for pid, code in ended.items() if code is not None)
    return (
        f"A worker died: {who or 'a process of the pool'}. "
        "If the machine ran out of memory, ZERTZ_WORKERS=1 needs less of it."
    )


def _describe_exit_code(code: int) -> str:
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
