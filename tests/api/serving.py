"""A server in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from tests.api.waiting import PATIENT

ROOT = Path(__file__).parents[2]
START = """
from zertz_db.api.processes import supervisor
from zertz_db.api.guards.limits import Limits
from zertz_db.cli.servers import serve
from zertz_db.cli.main import main
serve.LIMITS = Limits(**{limits})
{before}
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


def start(*arguments: object, before: str = "", processes: int = 1, **limits: Any) -> subprocess.Popen[str]:
    """Start `zertz serve` with these arguments and limits; before: code that runs before it."""
    code = START.format(limits=asdict(replace(PATIENT, **limits)), before=before)
    return subprocess.Popen(
        [sys.executable, "-c", code, "serve", "--processes", str(processes), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def serving(*arguments: object, processes: int = 1, **limits: Any) -> Iterator[Served]:
    """Serve on a port that is free until the end; Ctrl-C must then end the server without a word."""
    process = start("--port", 0, *arguments, processes=processes, **limits)
    try:
        yield served(process)
    except BaseException:
        process.kill()
        raise
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=300)
    assert (process.returncode, said.strip()) == (0, ""), f"status {process.returncode}; standard error: {said}"


def served(process: subprocess.Popen[str]) -> Served:
    """Wait until a server that was started answers, and return where."""
    assert process.stdout
    match = re.search(r"http://([\d.]+):(\d+)", process.stdout.readline())
    assert match, process.communicate()
    return Served(match[1], int(match[2]), process)
