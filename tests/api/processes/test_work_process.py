"""Work in a process of its own: when it starts, what ends it, and that warming up takes none of its time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import pytest

from zertz_db.api.processes.work_process import WorkProcess, WorkStopped

LONG = 600
"""Seconds that no test waits for."""


@pytest.fixture
def process() -> Iterator[WorkProcess]:
    made = WorkProcess(LONG)
    yield made
    made.close()


def warm_up_slowly() -> None:
    time.sleep(1)
    os.environ["WARM"] = "yes"


def test_a_process_is_used_again(process: WorkProcess) -> None:
    process.start()
    assert process.run(os.getpid) == process.run(os.getpid) != os.getpid()


def test_warming_up_does_not_count_as_time_of_the_work() -> None:
    process = WorkProcess(0.5, warm_up_slowly)
    assert process.run(os.getenv, "WARM") == "yes"
    with pytest.raises(WorkStopped):
        process.run(time.sleep, LONG)
    process.close()


def test_who_leaves_while_it_warms_up_does_not_end_it() -> None:
    process = WorkProcess(LONG, warm_up_slowly)
    process.start()
    assert process._worker
    before = process._worker.process.pid
    with pytest.raises(WorkStopped):
        process.run(os.getpid, is_wanted=lambda: False)
    assert process.run(os.getpid) == before
    process.close()


@pytest.mark.parametrize(("work", "value"), [(os._exit, 3), (int, "x")])
def test_work_that_fails_ends_its_process_and_the_next_is_done(
    process: WorkProcess, work: Callable[..., object], value: object
) -> None:
    with pytest.raises(WorkStopped):
        process.run(work, value)
    assert process.run(abs, -1) == 1


def test_a_process_that_died_meanwhile_is_replaced(process: WorkProcess) -> None:
    process.run(abs, -1)
    assert process._worker
    process._worker.process.kill()
    process._worker.process.join()
    assert process.run(abs, -1) == 1


def test_a_process_that_can_not_warm_up_does_no_work() -> None:
    process = WorkProcess(LONG, os.abort)
    with pytest.raises(WorkStopped):
        process.run(abs, -1)
