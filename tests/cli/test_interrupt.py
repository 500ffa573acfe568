"""Ctrl-C while something is done that does not listen."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.queries.sample import BACKTRACKING

ROOT = Path(__file__).parents[2]

DEAF = """
import os, signal, time
from zertz_db.cli.interrupt import stop_on_signal
def busy():
    while True:
        time.sleep(60)
with stop_on_signal(lambda: "the last words"):
    try:
        os.kill(os.getpid(), signal.{})
        busy()
    except KeyboardInterrupt:
        busy()
"""
OTHERWISE_CALLED = """
import os, signal
from zertz_db.cli.interrupt import stop_on_signal
try:
    with stop_on_signal(lambda: "the last words"):
        try:
            os.kill(os.getpid(), signal.{})
        except KeyboardInterrupt:
            raise RuntimeError("Query interrupted")
except KeyboardInterrupt:
    print("Ctrl-C")
"""
IN_LLVM = """
import os, signal, time
from zertz_db.cli.interrupt import stop_on_signal
source = "def callback(): os.kill(os.getpid(), signal.{}); sum(range(100)); print('finished')"
exec(compile(source, "/site-packages/llvmlite/binding/executionengine.py", "exec"))
try:
    with stop_on_signal(lambda: "the last words"):
        callback()
        time.sleep(30)
except KeyboardInterrupt:
    print("Ctrl-C")
"""
A_FAILURE = """
from zertz_db.cli.interrupt import stop_on_signal
try:
    with stop_on_signal(lambda: "the last words"):
        raise RuntimeError("a failure")
except RuntimeError as error:
    print(error)
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (DEAF, (130, "", "zertz: the last words\n")),
        (OTHERWISE_CALLED, (0, "Ctrl-C\n", "")),
        (IN_LLVM, (0, "finished\nCtrl-C\n", "")),
        (A_FAILURE, (0, "a failure\n", "")),
    ],
    ids=["deaf", "otherwise called", "in LLVM", "a failure"],
)
def test_what_becomes_of_work_within(number: str, code: str, expected: tuple[int, str, str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", code.format(number)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == expected


def test_what_signals_did_before_they_do_again() -> None:
    from zertz_db.cli.interrupt import stop_on_signal

    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with stop_on_signal(lambda: ""):
        assert signal.getsignal(signal.SIGTERM) != before[1]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_a_query_that_can_not_be_interrupted_ends_at_its_limit(sample: Path) -> None:
    code = "from zertz_db.cli.main import main; main()"
    command = [sys.executable, "-c", code, "sql", BACKTRACKING, "--seconds", "0.3", "--db", str(sample)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=120)
    expected = "zertz: stopped after 0.3 s; select less, or allow more time (--seconds)\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)
