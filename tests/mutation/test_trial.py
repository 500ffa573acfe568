"""Copies of the checkout, and the end of tests that never end by themselves."""

import os
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tests.mutation import trial

SECONDS = 1.5


def work(sender: Connection, is_busy: bool) -> None:
    os.setsid()
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        time.sleep(0 if is_busy else 0.1)
    sender.send("an answer")
    os._exit(0)


@pytest.mark.parametrize("is_busy", [True, False])
def test_processes_that_do_nothing_never_answer(is_busy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "_IDLE_CLOCK", 1)
    monkeypatch.setattr(trial, "_IDLE_CPU", 0.02)
    receiver, sender = get_context("fork").Pipe(duplex=False)
    process = get_context("fork").Process(target=work, args=(sender, is_busy))
    process.start()
    assert process.pid
    assert trial.wait_for_answer(receiver, process.pid) == is_busy
    process.kill()
    process.join()


def test_a_copy_has_its_own_readers(tmp_path: Path) -> None:
    names = ["parser/record.py", "zertz_db/parser", "zertz_db/__init__.py"]
    for _ in range(2):  # a later run finds the copy of an earlier one
        trial.copy_checkout(tmp_path, names)
    assert (tmp_path / "zertz_db" / "parser" / "record.py").resolve() == tmp_path.resolve() / "parser" / "record.py"
