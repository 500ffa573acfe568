"""A server in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
START = """
import sys
from zertz_db.api import server
server.HEAD_SECONDS, server.STALLED_SECONDS = {head}, {stalled}
from zertz_db.cli.main import main
main()
"""


class Served(NamedTuple):
    """Where a server listens, and its process."""

    host: str
    port: int
    process: subprocess.Popen[str]

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.port}"


def start(*arguments: object, head: float = 10, stalled: float = 30) -> subprocess.Popen[str]:
    """Start `zertz serve` with these arguments; head, stalled: seconds that it waits for slow clients."""
    return subprocess.Popen(
        [sys.executable, "-c", START.format(head=head, stalled=stalled), "serve", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def serving(*arguments: object, **waiting: float) -> Iterator[Served]:
    """Serve on a port that is free until the end; Ctrl-C must then end the server without a word."""
    process = start("--port", 0, *arguments, **waiting)
    try:
        assert process.stdout
        line = process.stdout.readline()
        match = re.search(r"http://([\d.]+):(\d+)", line)
        assert match, process.communicate()
        yield Served(match[1], int(match[2]), process)
    except BaseException:
        process.kill()
        raise
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, said.strip()) == (0, "")
