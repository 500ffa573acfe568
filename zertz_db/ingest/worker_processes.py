"""Processes that work for this one, end with it, and leave Ctrl-C to it.

A module of its own, because `multiprocessing` takes 15 ms to import, and one small file needs no other process.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import Pipe, parent_process, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext, SpawnContext, SpawnProcess
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from types import ModuleType
from typing import Any, cast

from zertz_db import logs
from zertz_db.extras import hide_pandas
from zertz_db.ingest.worker_pool import WorkerDied
from zertz_db.rules import compiled


class _Worker(BaseProcess):
    """A process that leaves Ctrl-C to its parent."""

    def start(self) -> None:
        with _delay_signals():
            super().start()


class _SpawnedWorker(_Worker, SpawnProcess):
    def start(self) -> None:
        resource_tracker.ensure_running()  # or it would start below, and unblock signals
        with hide_main_module():
            super().start()


class _TrackingContext(BaseContext):
    """Context that starts processes and remembers them."""

    def __init__(self) -> None:
        super().__init__()
        self.workers: list[BaseProcess] = []

    def _remember(self, worker: BaseProcess) -> BaseProcess:
        self.workers.append(worker)
        return worker


class _Spawning(_TrackingContext, SpawnContext):
    def Process(self, *args: Any, **keywords: Any) -> BaseProcess:  # type: ignore[override] # noqa: N802 - its name there
        return self._remember(_SpawnedWorker(*args, **keywords))


def can_fork() -> bool:
    """Return whether workers can be forked safely: on Linux, from a process of ours with one thread, those of libraries included.

    A fork of DuckDB's threads or of a progress line's would not be safe.
    """
    if sys.platform != "linux" or not compiled.is_lean():
        return False
    try:
        return len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208 - names of no interest
    except OSError:
        return False


def _create_context(is_forking: bool) -> _TrackingContext:
    if sys.platform == "win32" or not is_forking:
        return _Spawning()
    from multiprocessing.context import ForkContext, ForkProcess  # not on Windows

    class ForkedWorker(_Worker, ForkProcess):
        def start(self) -> None:
            before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
            try:
                super().start()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)

        def run(self) -> None:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)  # it would inherit the handler that delays signals
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
            super().run()

    class Forking(_TrackingContext, ForkContext):
        def Process(self, *args: Any, **keywords: Any) -> BaseProcess:  # type: ignore[override] # noqa: N802
            return self._remember(ForkedWorker(*args, **keywords))

    return Forking()


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
def _delay_signals() -> Iterator[None]:
    """Delay Ctrl-C and SIGTERM in this process until after the block; processes that start in it never get Ctrl-C.

    A process whose start is broken off shows a traceback, because it waits in vain for its task.
    """
    came: list[int] = []
    handlers: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        for number in handlers:
            signal.signal(number, lambda number, _frame: came.append(number))
        with _block_interrupts():
            yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if came:
        signal.raise_signal(came[0])


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C in this thread and in the processes that it starts. Another thread may still get it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def start_early(workers: int, prepare: Callable[[], None]) -> Iterator[None]:
    """Fork the workers of the next pool before the block, which may start threads; they `prepare` meanwhile.

    Do nothing if workers can't be forked. End the workers after the block if no pool has used them.
    """
    if not can_fork():
        yield
        return
    with ExitStack() as stack:
        pool = stack.enter_context(_open_own_pool(workers, is_forking=True))
        for _ in range(workers):
            pool.submit(prepare)
        _early[workers] = pool, stack.pop_all()
    try:
        yield
    finally:
        if workers in _early:
            _, unused = _early.pop(workers)
            with suppress(_Unused), unused:
                raise _Unused


class _Unused(Exception):
    """Ends workers that nothing needs."""


_early: dict[int, tuple[ProcessPoolExecutor, ExitStack]] = {}
"""The pool that was started early, by its number of workers, and what ends it."""


@contextmanager
def open_pool(workers: int, is_forking: bool = False) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of workers that end with this process, and at once if it needs them no longer. is_forking: see `can_fork`."""
    if workers in _early:
        pool, stack = _early.pop(workers)
        with stack:
            yield pool
    else:
        with _open_own_pool(workers, is_forking) as pool:
            yield pool


@contextmanager
def _open_own_pool(workers: int, is_forking: bool) -> Iterator[ProcessPoolExecutor]:
    context = _create_context(is_forking)
    pool = ProcessPoolExecutor(workers, context, _init_worker, (compiled.is_lean(),))
    _enlarge_pipes(pool)
    if is_forking:
        pool.submit(_do_nothing)  # forks all of them, before there is a thread
    watch = _Watch(pool, context.workers)
    watch.start()
    try:
        yield pool
    except BrokenProcessPool as error:
        watch.stop()  # first: the watch and the pool would close the same pipe
        pool.shutdown()
        raise WorkerDied(_describe_dead_workers(context.workers)) from error
    except BaseException:
        watch.stop()
        _end_workers(pool, context.workers, BaseProcess.kill)
        raise
    finally:
        watch.stop()
        pool.shutdown()


_PIPE_BYTES = 1 << 20
"""Bytes that a pipe holds: as many as Linux allows by default."""


def _enlarge_pipes(pool: ProcessPoolExecutor) -> None:
    """Let the pipes of a pool hold more at once, where the system can do that.

    A result has megabytes. Its reader is a thread that waits for its turn in Python before each part of it, up to 5 ms. A worker waits
    until all parts are read.
    """
    if sys.platform == "linux":
        import fcntl

        for queue in (cast(Any, pool)._call_queue, cast(Any, pool)._result_queue):
            with suppress(OSError):  # a user may have reached a limit for all pipes
                fcntl.fcntl(queue._writer.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _do_nothing() -> None:
    """Do nothing, in a worker."""


def _end_workers(pool: ProcessPoolExecutor, workers: list[BaseProcess], end: Callable[[BaseProcess], None]) -> None:
    """End the workers of a pool. It does not wait for the rest of a result that one of them was sending."""
    for worker in workers:
        if worker.is_alive():
            end(worker)
    cast(Any, pool)._result_queue._writer.close()  # the last end of that pipe for writing


class _Watch(threading.Thread):
    """Ends all workers of a pool if one dies."""

    def __init__(self, pool: ProcessPoolExecutor, workers: list[BaseProcess]) -> None:
        super().__init__(daemon=True)
        self._pool, self._workers = pool, workers
        self._reader, self._stop_sign = Pipe(duplex=False)

    def run(self) -> None:
        while not self._reader.poll():
            sentinels = [*self._list_sentinels()]
            if set(sentinels) & {*wait([self._reader, *sentinels], _SECONDS_TO_NOTICE)}:
                _end_workers(self._pool, self._workers, BaseProcess.terminate)  # only the one that died is named
                return

    def _list_sentinels(self) -> Iterator[int]:
        for worker in [*self._workers]:
            with suppress(ValueError):  # it is about to start
                yield worker.sentinel

    def stop(self) -> None:
        """Watch no longer."""
        if not self._stop_sign.closed:
            self._stop_sign.send_bytes(b"")
            self.join()
            self._stop_sign.close()
            self._reader.close()


_SECONDS_TO_NOTICE = 0.5
"""Seconds until the watch notices a worker that has started since."""


def _init_worker(is_lean: bool) -> None:
    if is_lean:
        compiled.load_lean()
        _without_pandas.enter_context(hide_pandas())
    logs.follow_parent()
    exit_with_parent()


_without_pandas = ExitStack()
"""Hides pandas from a worker until its end."""


def exit_with_parent() -> None:
    """End this worker process without delay when its parent ends."""
    threading.Thread(target=_wait_for_parent, daemon=True).start()
    Finalize(None, os._exit, (0,), exitpriority=0)  # skip the interpreter's shutdown


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent:
        parent.join()
        os._exit(1)


def _describe_dead_workers(workers: list[BaseProcess]) -> str:
    """Return a message about the workers that died; the pool ends the others with SIGTERM."""
    ended = {worker.pid: worker.exitcode for worker in workers if worker.exitcode not in (None, 0, -signal.SIGTERM)}
    dead = ", ".join(f"process {pid} ({_describe_exit_code(code)})" for pid, code in ended.items() if code is not None)
    return (
        f"A worker died: {dead or 'a process of the pool'}. "
        "If the machine ran out of memory, ZERTZ_WORKERS=1 needs less of it."
    )


def _describe_exit_code(code: int) -> str:
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
