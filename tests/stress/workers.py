"""Workers killed at random moments."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress

from tests.stress.setting import Facts, Setting, done, end, go_on, start, words

ROUNDS = 12


def run(setting: Setting) -> Facts:
    """Kill one of two workers, as a machine short of memory does; the import reports it, and the next one resumes."""
    named = too_late = spared = 0
    while named < ROUNDS:
        db = setting.database()
        importer = start(setting.archive, db, workers=2)
        victim = _worker(importer)
        time.sleep(setting.random.uniform(0, setting.seconds))
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
        status = end(importer)
        if status == 0:
            too_late += 1
        else:
            assert status == 2, words(db)
            assert f"process {victim} (killed by SIGKILL)" in words(db), words(db)
            named += 1
        progress = done(db)
        spared += go_on(db, setting, progress[-1] if progress else 0)
    return [
        ("imports that lost a worker, named it, and ended with status 2", named),
        ("  files that were not read again, on average", spared / (named + too_late)),
        ("workers that were killed when they had no more to do", too_late),
    ]


def _worker(importer: subprocess.Popen[bytes]) -> int:
    """Return the first worker of an import that is just starting."""
    while importer.poll() is None:
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)  # noqa: S607
        for line in listed.stdout.splitlines():
            pid, parent, arguments = line.split(maxsplit=2)
            if int(parent) == importer.pid and "spawn_main" in arguments:
                return int(pid)
        time.sleep(0.02)
    raise AssertionError("the import had no workers")
