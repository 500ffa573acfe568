"""A process without threads of numpy and without many collections of garbage."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from zertz_db.cli.startup.lean_process import run_lean

VARIABLE = "OPENBLAS_NUM_THREADS"
PROGRAM = """
import os
from zertz_db.cli.startup.lean_process import run_lean
run_lean()
import numpy
print(len(os.listdir("/proc/self/task")))
"""


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(VARIABLE, "2")
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


def test_garbage_is_collected_seldom() -> None:
    before = gc.get_threshold()
    run_lean()
    assert gc.get_threshold() == (20_000, *before[1:])
    assert gc.isenabled()


def test_a_number_of_threads_that_the_user_sets_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    run_lean()
    assert os.environ[VARIABLE] == "2"
    monkeypatch.delenv(VARIABLE)
    run_lean()
    assert os.environ[VARIABLE] == "1"


@pytest.mark.skipif(sys.platform != "linux", reason="threads are listed on Linux only")
def test_numpy_has_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    monkeypatch.delenv(VARIABLE)
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
