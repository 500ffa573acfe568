"""Ctrl-C at random moments, to an import with workers."""

from __future__ import annotations

import os
import signal
import subprocess
import time

from tests.stress.setting import Facts, Setting, done, end, go_on, is_published, progress_file, start, words

ROUNDS = 30
LONGEST = 2.0
"""Seconds within which an import must stop."""


def run(setting: Setting) -> Facts:
    """Press Ctrl-C; the import prints its progress and how to resume, leaves no process, and the same command resumes it."""
    longest = 0.0
    stopped = spared = 0
    while stopped < ROUNDS:
        db = setting.database()
        importer = start(setting.archive, db, workers=2)
        while "begun" not in progress_file(db).read_text():
            time.sleep(0.02)
        time.sleep(setting.moment())
        if importer.poll() is not None:
            continue
        began = time.monotonic()
        os.killpg(importer.pid, signal.SIGINT)
        status = end(importer)
        if status == 0 or (status == -signal.SIGINT and is_published(db, setting)):  # it was done, and about to exit
            continue
        longest = max(longest, time.monotonic() - began)
        assert status == 130, (status, words(db))
        assert "zertz import" in words(db), words(db)
        assert "Traceback" not in words(db), words(db)
        _wait_for_group(importer)
        stopped += 1
        progress = done(db)
        spared += go_on(db, setting, progress[-1] if progress else 0)
    assert longest < LONGEST, longest
    return [
        ("imports stopped by Ctrl-C, with status 130 and how to go on", stopped),
        ("  files that were not read again, on average", spared / stopped),
        ("  longest time until the import had stopped, seconds", longest),
    ]


def _wait_for_group(importer: subprocess.Popen[bytes]) -> None:
    """Wait until no process of the import is left."""
    deadline = time.monotonic() + LONGEST
    while True:
        try:
            os.killpg(importer.pid, 0)
        except ProcessLookupError:
            return
        assert time.monotonic() < deadline, "processes are left"
        time.sleep(0.02)
