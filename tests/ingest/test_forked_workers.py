"""Workers that are forked: as those that are spawned, without their start."""

import json
import signal
import subprocess
import sys
from typing import Any

import pytest

from tests.ingest.archive import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems spawn workers")


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    warning = "error:This process:DeprecationWarning"  # Python's, of a fork of threads
    program = [sys.executable, "-W", warning, "-m", "tests.ingest.forking"]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return dict(json.loads(done.stdout))


def test_only_a_process_of_ours_with_one_thread_is_forked(results: dict[str, Any]) -> None:
    assert (results["ours"], results["others"], results["beside a thread"]) == (True, False, False)


def test_results_come_in_order_each_once(results: dict[str, Any]) -> None:
    assert results["names"] == [str(number) for number in range(12)]


def test_the_first_batch_is_done_here_and_others_by_a_forked_worker(results: dict[str, Any]) -> None:
    assert results["methods"] == ["fork"]
    assert results["processes"][0] == results["here"]
    assert len(set(results["processes"])) == 2


def test_workers_that_start_early_are_forked_though_there_is_a_thread_later(results: dict[str, Any]) -> None:
    assert (results["early"], results["unused"]) == (["fork"], [])


def test_workers_end_with_their_task(results: dict[str, Any]) -> None:
    assert results["left"] == 0


def test_a_worker_that_is_asked_to_end_does(results: dict[str, Any]) -> None:
    assert results["stopped"] == -signal.SIGTERM


def test_a_worker_that_is_killed_is_named(results: dict[str, Any]) -> None:
    assert "(killed by SIGKILL)" in results["death"]
