"""Copies of the checkout, and the end of tests that never end by themselves."""

import os
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from tests.mutation import trial

SECONDS = 1.5


def work(sender: Connection, begun: Event, is_busy: bool) -> None:
    os.setsid()
    begun.set()
    while not is_busy:
        time.sleep(600)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        pass
    sender.send("an answer")
    os._exit(0)


@pytest.mark.parametrize("is_busy", [True, False])
def test_processes_that_do_nothing_never_answer(is_busy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "_IDLE_CLOCK", 1)
    monkeypatch.setattr(
        trial, "_IDLE_CPU", 0.005
    )  # less than the system counts: on a busy machine a process gets little more
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    begun = context.Event()
    process = context.Process(target=work, args=(sender, begun, is_busy))
    process.start()
    begun.wait()
    assert process.pid
    assert trial.wait_for_answer(receiver, process.pid) == is_busy
    process.kill()
    process.join()


def test_a_copy_has_its_own_readers(tmp_path: Path) -> None:
    names = ["parser/record.py", "zertz_db/parser", "zertz_db/__init__.py"]
    for _ in range(2):  # a later run finds the copy of an earlier one
        trial.copy_checkout(tmp_path, names)
    assert (tmp_path / "zertz_db" / "parser" / "record.py").resolve() == tmp_path.resolve() / "parser" / "record.py"
