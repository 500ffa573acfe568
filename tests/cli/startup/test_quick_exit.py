"""A program that ends at once loses nothing: output, exit status, what is registered for its end."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

BEFORE = "import atexit, sys, threading\nfrom zertz_db.cli.startup.quick_exit import exit_at_once\n"
AT_THE_END = """
def say():
    threading.main_thread().join()
    print('thread', end='')
"""


@pytest.mark.parametrize(
    ("code", "output", "status"),
    [
        ("print('out', end='')\nexit_at_once(0)", "out", 0),
        ("exit_at_once(2)\nprint('not reached')", "", 2),
        ("atexit.register(print, 'end', end='')\nexit_at_once(1)", "end", 1),
        ("class Late:\n    def __del__(self): print('taken apart')\nlate = Late()\nexit_at_once(0)", "", 0),
        (f"{AT_THE_END}threading.Thread(target=say).start()\nexit_at_once(3)", "thread", 0),
        ("sys.stdout = None\nexit_at_once(4)", "", 0),
    ],
)
def test_end_of_a_process(code: str, output: str, status: int) -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [sys.executable, "-c", BEFORE + code], env=buffered, check=False, capture_output=True, text=True
    )
    assert (done.stdout, done.returncode) == (output, status)
