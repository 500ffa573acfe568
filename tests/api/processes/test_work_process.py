"""Work in a process of its own: when it starts, what ends it, and that warming up takes none of its time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from zertz_db.api.processes import work_process
from zertz_db.api.processes.work_process import WorkProcess, WorkStopped

LONG = 600
"""Seconds that no test waits for."""


@pytest.fixture
def process() -> Iterator[WorkProcess]:
    made = WorkProcess(LONG)
    yield made
    made.close()


@pytest.fixture
def may_warm_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file for which `warm_up_when_told` waits."""
    monkeypatch.setenv("MAY_WARM_UP", str(tmp_path / "now"))
    return tmp_path / "now"


def warm_up_when_told() -> None:
    while not Path(os.environ["MAY_WARM_UP"]).exists():
        time.sleep(0.01)
    os.environ["WARM"] = "yes"


def test_a_process_is_used_again(process: WorkProcess) -> None:
    process.start()
    assert process.run(os.getpid) == process.run(os.getpid) != os.getpid()


def test_warming_up_does_not_count_as_time_of_the_work(may_warm_up: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process, clocked = WorkProcess(LONG, warm_up_when_told), []
    receive = work_process._receive

    def note(*limits: Any) -> object:
        clocked.append(process.is_ready())
        return receive(*limits)

    monkeypatch.setattr(work_process, "_receive", note)  # its clock starts with it
    process.start()
    assert not process.is_ready()
    may_warm_up.touch()
    assert (process.run(os.getenv, "WARM"), clocked) == ("yes", [True])
    process.close()


def test_work_that_takes_too_long_is_stopped(process: WorkProcess) -> None:
    process.seconds = 0.1
    with pytest.raises(WorkStopped):
        process.run(time.sleep, LONG)


def test_who_leaves_while_it_warms_up_does_not_end_it(may_warm_up: Path) -> None:
    process = WorkProcess(LONG, warm_up_when_told)
    process.start()
    assert process._worker
    before = process._worker.process.pid
    with pytest.raises(WorkStopped):
        process.run(os.getpid, is_wanted=lambda: False)
    may_warm_up.touch()
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
