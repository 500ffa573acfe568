"""A program of ours with forked workers: `python -m tests.ingest.forking` prints what happens. A process of tests has threads."""

import itertools
import json
import os
import time
from contextlib import closing
from threading import Event, Thread

from tests.ingest import working
from zertz_db.ingest import worker_pool
from zertz_db.ingest.sources import discover
from zertz_db.ingest.sources.place import Place
from zertz_db.ingest.worker_processes import WorkerDied, can_fork, start_early
from zertz_db.rules import compiled

PLACES = [Place(str(number), size=10) for number in range(12)]


def may_fork_beside_a_thread() -> bool:
    """Return whether a process with a second thread may be forked."""
    release = Event()
    other = Thread(target=release.wait)
    other.start()
    try:
        return can_fork()
    finally:
        release.set()
        other.join()


def wait_for_ended_threads() -> None:
    """Wait until the threads of the last work are gone: Python joins them a moment earlier."""
    deadline = time.monotonic() + 10
    while not can_fork() and time.monotonic() < deadline:
        time.sleep(0.001)


def find_processes() -> tuple[list[int], list[str | None]]:
    """Return the processes that work on many batches, and how the workers among them were started."""
    with closing(worker_pool.run_batches(working.process, itertools.islice(itertools.cycle(PLACES), 100))) as batches:
        processes = [process for _, process in itertools.islice(batches, 40)]
        return processes, [worker._start_method for worker in working.workers()]  # type: ignore[attr-defined]


def stop_a_worker() -> int | None:
    """Return the exit status of a worker that is asked to end."""
    with closing(worker_pool.run_batches(working.process, itertools.cycle(PLACES))) as batches:
        next(process for _, process in batches if process != os.getpid())
        (worker,) = working.workers()
        worker.terminate()
        worker.join(60)
    return worker.exitcode  # only now: the pool's thread waits for it too, and one of two gets the status


def describe_death() -> str:
    """Return the message about a worker that is killed."""
    try:
        list(worker_pool.run_batches(working.die_as_worker, PLACES))
    except WorkerDied as error:
        return str(error)
    return "it lives"


def start_before_a_thread() -> tuple[list[str | None], list[str | None]]:
    """Return how workers were started that were started early, beside a thread: of a pool that uses them, and left without one."""
    release = Event()
    other = Thread(target=release.wait)
    with start_early(1, working.do_nothing):
        other.start()
        _, used = find_processes()
    release.set()
    other.join()
    wait_for_ended_threads()
    with start_early(1, working.do_nothing):
        assert len(working.workers()) == 1
    return used, [worker._start_method for worker in working.workers()]  # type: ignore[attr-defined]


def main() -> None:
    """Print the results as JSON."""
    os.environ["ZERTZ_WORKERS"] = "2"
    worker_pool.MIN_PARALLEL_BYTES, discover.BATCH_BYTES = 0, 20
    results: dict[str, object] = {"others": can_fork()}
    compiled.load_lean()
    results |= {"ours": can_fork(), "beside a thread": may_fork_beside_a_thread()}
    wait_for_ended_threads()
    results["names"] = [
        name for _, names in worker_pool.run_batches(working.names_slowest_first, PLACES) for name in names
    ]
    wait_for_ended_threads()
    results["here"], (results["processes"], results["methods"]) = os.getpid(), find_processes()
    wait_for_ended_threads()
    results["stopped"] = stop_a_worker()
    results["left"] = len(working.workers())
    wait_for_ended_threads()
    results["early"], results["unused"] = start_before_a_thread()
    wait_for_ended_threads()
    results["death"] = describe_death()
    print(json.dumps(results))


if __name__ == "__main__":
    main()
