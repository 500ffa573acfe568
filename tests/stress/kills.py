"""`kill -9` at random moments of an import."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

from tests.stress.setting import Facts, Setting, assert_goes_on, done, go_on, is_published, start, stop

KILLS = 200
_WITH_WORKERS = 5
"""Every import with a number divisible by this has two workers."""


def run(setting: Setting) -> Facts:
    """Kill imports, sometimes also the one that resumes; each time the next one must resume, and reach the same end."""
    killed = too_late = rounds = resumed = spared = 0
    while killed < KILLS:
        rounds += 1
        print(f"  {killed} of {KILLS} kills", end="\r", file=sys.stderr, flush=True)
        db, was_done = setting.database(), 0
        while True:
            importer = start(setting.archive, db, 2 if killed % _WITH_WORKERS == 0 else 1)
            if not _is_running_after(importer, setting.moment()):
                too_late += 1
                break
            stop(importer, signal.SIGKILL)
            killed += 1
            progress = done(db)
            if progress and not is_published(db, setting):
                assert_goes_on(progress[0], was_done)
                was_done = max(was_done, progress[-1])
            if setting.random.random() < 0.5:
                break
        found = go_on(db, setting, was_done)
        resumed += found > 0
        spared += found
    return [
        ("imports killed at random moments", killed),
        ("databases that then held exactly a published state", killed),
        ("rounds: killed once or more, then finished to the same end", rounds),
        ("  of these went on with something done", resumed),
        ("  files that were not read again, on average", spared / rounds),
        ("imports that were done before they could be killed", too_late),
    ]


def _is_running_after(importer: subprocess.Popen[bytes], seconds: float) -> bool:
    time.sleep(seconds)
    return importer.poll() is None
