"""Share work on many files among all cores by bytes; results come in the order of the files."""

from __future__ import annotations

import gc
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from zertz_db.errors import BrokenEnvironment
from zertz_db.ingest.sources.discover import STANDARD_INPUT, get_weight, split_batches
from zertz_db.ingest.sources.place import Damage, SourceItem

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Result = TypeVar("Result")
Batch = TypeVar("Batch")

MIN_PARALLEL_BYTES = 4_000_000
"""Minimum bytes of records for which other processes are worth their start."""
_BATCHES_PER_WORKER = 2
"""Maximum number of pending batches for each process: more would only fill the memory."""
_OBJECTS_TO_COLLECT = 100_000
"""Number of new objects after which garbage is collected: the places of a large archive are as many, and none of them is garbage."""
_STARTUP_BATCHES = 8
"""Additional pending batches: this process does that many before a worker has started and done its first one."""


class WorkerDied(BrokenEnvironment):
    """A worker process ended unexpectedly; its batch is not done."""


class Packing(NamedTuple, Generic[Result]):
    """How a result travels from a worker to this process. pack: make it smaller in the worker, given its batch. unpack: undo that here.

    Both must be functions of a module.
    """

    pack: Callable[[list[SourceItem], Result], Any]
    unpack: Callable[[list[SourceItem], Any], Result]


def count_cores() -> int:
    """Return the number of processes to use (`ZERTZ_WORKERS` overrides)."""
    wanted = os.environ.get("ZERTZ_WORKERS", "")
    if wanted.isdigit():
        return max(1, int(wanted))
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_batches(
    work: Callable[[list[SourceItem]], Result],
    items: Iterable[SourceItem],
    size: int = 0,
    packing: Packing[Result] | None = None,
) -> Generator[tuple[list[SourceItem], Result], None, None]:
    """Run `work` on batches of items; yield each batch with its result, in order, for any number of processes. This one works too.

    `work` must be a module's function, because it is pickled, and so must its result. Items are taken on demand, so few are in memory.
    size: the bytes of the files if known; if they are many, workers start before the first item is taken. Closing the generator kills the
    workers. Raise WorkerDied, which names the worker that was killed.

    Workers that can be forked start after the first batch, because that loads all that they need: half a second for each that is spawned.
    """
    work = partial(run_without_gc, work)
    batches = split_batches(items)
    processes = count_cores()
    first: list[list[SourceItem]] = []
    with freeze_gc():
        if processes == 1 or not (size >= MIN_PARALLEL_BYTES or _is_worth_workers(batches, first)):
            for batch in chain(first, batches):
                yield batch, work(batch)
            return
        from zertz_db.ingest.worker_processes import can_fork, open_pool  # see there

        coming = chain(first, batches)
        begun: list[_Job[Result]] = [_Job(batch, _run_here(work, batch)) for batch in islice(coming, int(can_fork()))]
        is_forking = can_fork()  # not if the first batch has started a thread
        with open_pool(processes - 1, is_forking) as pool:
            for _ in range(0 if is_forking else processes - 1):
                pool.submit(work, [])  # so that they import everything that the work needs
            yield from _run_in_order(_Sharing(pool, work, packing, processes), coming, begun)


@contextmanager
def freeze_gc() -> Iterator[None]:
    """Collect garbage rarely in the block. The objects that exist before it, mostly modules, are exempt."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_OBJECTS_TO_COLLECT, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def _is_worth_workers(batches: Iterator[list[SourceItem]], taken: list[list[SourceItem]]) -> bool:
    """Return whether the batches are worth workers; append those that were counted to `taken`."""
    size = 0
    for batch in batches:
        taken.append(batch)
        size += sum(map(get_weight, batch))
        if size >= MIN_PARALLEL_BYTES:
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


class _Job(NamedTuple, Generic[Result]):
    """A batch and its result. unpack: for the result of a worker that packs it."""

    batch: list[SourceItem]
    future: Future[Any]
    unpack: Callable[[list[SourceItem], Any], Result] | None = None

    def take(self) -> tuple[list[SourceItem], Result]:
        """Return the batch and its result, once it is done."""
        result = self.future.result()
        return self.batch, self.unpack(self.batch, result) if self.unpack else result


class _Sharing(NamedTuple, Generic[Result]):
    """Work for this process and the workers of a pool."""

    pool: ProcessPoolExecutor
    work: Callable[[list[SourceItem]], Result]
    packing: Packing[Result] | None
    processes: int

    def do_here(self, batch: list[SourceItem]) -> _Job[Result]:
        return _Job(batch, _run_here(self.work, batch))

    def submit(self, batch: list[SourceItem]) -> _Job[Result]:
        if self.packing is None:
            return _Job(batch, self.pool.submit(self.work, batch))
        return _Job(batch, self.pool.submit(_run_and_pack, self.work, self.packing.pack, batch), self.packing.unpack)


def _run_and_pack(
    work: Callable[[list[SourceItem]], Result], pack: Callable[[list[SourceItem], Result], Any], batch: list[SourceItem]
) -> Any:
    return pack(batch, work(batch))


def _run_in_order(
    sharing: _Sharing[Result], batches: Iterator[list[SourceItem]], begun: list[_Job[Result]]
) -> Iterator[tuple[list[SourceItem], Result]]:
    """Give each worker a batch and the next ones. Meanwhile take the results that are done, or do further batches here.

    The consumer of a result spends time on it. Taken late, results would leave the workers idle at the end. begun: batches before these.
    """
    processes = sharing.processes
    pending = deque(begun)
    coming = deque(islice(batches, processes))
    while coming or pending:
        in_hand = sum(not job.future.done() for job in pending)
        is_near_end = len(coming) < processes
        needs_work = in_hand < (1 if is_near_end else _BATCHES_PER_WORKER) * processes - 1
        is_submitted = bool(coming) and needs_work and not _is_local_only(coming[0])
        is_full = len(pending) >= processes * _BATCHES_PER_WORKER + _STARTUP_BATCHES
        if not is_submitted and pending and (pending[0].future.done() or is_full or not coming):
            yield pending.popleft().take()
            continue
        batch = coming.popleft()
        pending.append(sharing.submit(batch) if is_submitted else sharing.do_here(batch))
        coming.extend(islice(batches, 1))


def _is_local_only(batch: list[SourceItem]) -> bool:
    """Return whether only this process can read a batch, or would have to send it the bytes of a nested damaged archive."""
    return any(items.path == STANDARD_INPUT or (isinstance(items, Damage) and items.data) for items in batch)


def _run_here(work: Callable[[list[SourceItem]], Result], batch: list[SourceItem]) -> Future[Result]:
    """Do a batch in this process at once; return its result as a future."""
    from concurrent.futures import Future

    done: Future[Result] = Future()
    done.set_result(work(batch))
    return done
