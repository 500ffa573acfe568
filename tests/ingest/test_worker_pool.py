"""Work on many files: in order, by any number of workers, which end with their task."""

import gc
import itertools
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import closing
from threading import Event, Thread

import pytest

from tests.ingest import working
from tests.ingest.working import Lot
from zertz_db.ingest import worker_pool
from zertz_db.ingest.sources import discover
from zertz_db.ingest.sources.discover import STANDARD_INPUT
from zertz_db.ingest.sources.place import Place
from zertz_db.ingest.worker_pool import WorkerDied
from zertz_db.ingest.worker_processes import hide_main_module

PLACES = [Place(str(number), size=10) for number in range(12)]
PATHS = [place.path for place in PLACES]

pytestmark = pytest.mark.usefixtures("workers")


@pytest.fixture(params=["1", "2"])
def workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERTZ_WORKERS", request.param)
    monkeypatch.setattr(worker_pool, "MIN_PARALLEL_BYTES", 0)
    monkeypatch.setattr(discover, "BATCH_BYTES", 20)


def run(work: Callable[[Lot], list[str]]) -> list[str]:
    with closing(worker_pool.run_batches(work, PLACES)) as lots:
        return [name for _, names in lots for name in names]


@pytest.mark.parametrize("work", [working.names, working.names_slowest_first])
def test_results_come_in_order_each_once(work: Callable[[Lot], list[str]]) -> None:
    assert run(work) == PATHS
    assert working.workers() == []


def test_packed_results_come_unpacked() -> None:
    packing = worker_pool.Packing(working.pack_names, working.unpack_names)
    with closing(worker_pool.run_batches(working.names, PLACES, packing=packing)) as lots:
        assert [name for _, names in lots for name in names] == PATHS


def test_standard_input_is_read_in_this_process() -> None:
    among = [*PLACES[:6], Place(STANDARD_INPUT), *PLACES[6:]]
    with closing(worker_pool.run_batches(working.process, among)) as lots:
        piped = [worker for lot, worker in lots if STANDARD_INPUT in {place.path for place in lot}]
    assert piped == [os.getpid()]


def test_this_process_works_too() -> None:
    with closing(worker_pool.run_batches(working.process, itertools.islice(itertools.cycle(PLACES), 100))) as lots:
        workers = {worker for _, worker in lots}
    assert os.getpid() in workers
    assert len(workers) == worker_pool.count_cores()


def test_places_are_listed_on_demand() -> None:
    taken: list[Place] = []
    endless = (taken.append(place) or place for place in itertools.cycle(PLACES))
    with closing(worker_pool.run_batches(working.names, endless)) as lots:
        next(lots)
    assert len(taken) < 10 * len(PLACES)


def test_a_failure_is_raised_here_and_ends_the_workers() -> None:
    with pytest.raises(ValueError, match="five"):
        run(working.fail_at_5)
    assert working.workers() == []


def test_closing_the_generator_ends_the_workers() -> None:
    with closing(worker_pool.run_batches(working.names, PLACES)) as lots:
        next(lots)
    assert working.workers() == []


@pytest.mark.parametrize("workers", ["2"], indirect=True)
def test_workers_that_are_sending_a_result_end_too() -> None:
    """The pool can't read their result meanwhile, because this thread does not let another one run."""
    before = sys.getswitchinterval()
    batches = worker_pool.run_batches(working.make_large, itertools.cycle(PLACES))
    with closing(batches):
        while not working.workers():
            next(batches)
        sys.setswitchinterval(100)
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            pass
    sys.setswitchinterval(before)
    assert working.workers() == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("workers", ["2"], indirect=True)
def test_a_worker_that_is_killed_while_it_sends_a_result_is_named() -> None:
    def kill_while_sending() -> None:
        batches = worker_pool.run_batches(working.make_large, itertools.cycle(PLACES))
        with closing(batches):
            while not working.workers():
                next(batches)
            (worker,) = working.workers()
            os.kill(worker.pid or 0, signal.SIGSTOP)
            time.sleep(0.5)
            worker.kill()
            list(batches)

    with pytest.raises(WorkerDied, match="killed by SIGKILL"):
        kill_while_sending()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("workers", ["2"], indirect=True)
def test_a_worker_that_is_killed_is_named() -> None:
    with pytest.raises(WorkerDied, match=r"A worker died: process \d+ \(killed by SIGKILL\)"):
        run(working.die_as_worker)
    assert working.workers() == []


def test_two_threads_that_hide_the_program_leave_it_as_it_was() -> None:
    program = sys.modules["__main__"]
    entered, release = Event(), Event()

    def hide() -> None:
        with hide_main_module():
            entered.set()
            release.wait()

    other = Thread(target=hide)
    with hide_main_module():
        other.start()
        assert not entered.wait(0.2)  # the other one waits: it would take our empty module for the program
    entered.wait()
    release.set()
    other.join()
    assert sys.modules["__main__"] is program


def test_garbage_is_collected_as_before_after_the_work() -> None:
    before = gc.get_threshold()
    with worker_pool.freeze_gc():
        assert gc.get_threshold() > before
        assert gc.get_freeze_count()
    assert gc.get_threshold() == before
    assert not gc.get_freeze_count()
