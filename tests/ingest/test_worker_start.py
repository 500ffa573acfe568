"""Workers that start: a signal meanwhile, and room for their results."""

import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest

from zertz_db.ingest.worker_processes import open_pool

BROKEN_OFF = """
import signal, threading
from multiprocessing import resource_tracker, util
from zertz_db.ingest.worker_processes import open_pool
resource_tracker.ensure_running()
spawn, spawned = util.spawnv_passfds, threading.Event()
def interrupt():
    spawned.wait()
    signal.raise_signal(signal.{number})  # the main thread blocks Ctrl-C, this one does not
interrupter = threading.Thread(target=interrupt)
interrupter.start()
def spawn_and_interrupt(*arguments):
    process = spawn(*arguments)
    spawned.set()
    interrupter.join()
    return process
util.spawnv_passfds = spawn_and_interrupt
signal.signal(signal.{number}, signal.default_int_handler)
try:
    with open_pool(1) as pool:
        print(pool.submit(len, "abc").result())
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_it_does_not_break_off_the_start(number: str) -> None:
    code = BROKEN_OFF.format(number=number)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have pipes of one size")
def test_a_large_result_need_not_wait_for_its_reader() -> None:
    largest = int(Path("/proc/sys/fs/pipe-max-size").read_text("ascii"))
    result = b"0" * min(largest - 4096, 1_000_000)
    sent = threading.Event()

    def send() -> None:
        with suppress(OSError):  # nobody has read it when the pool ends
            writer.send_bytes(result)
            sent.set()

    with open_pool(1) as pool:  # its reader waits until the first task is given to a worker
        writer = cast(Any, pool)._result_queue._writer
        threading.Thread(target=send, daemon=True).start()
        assert sent.wait(10)
